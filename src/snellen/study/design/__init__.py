"""The design of a study: what is shown to people, chosen and rendered before anyone comes."""
