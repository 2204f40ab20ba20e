"""A new configuration: what it starts from, and its commented text."""
