"""The user's own code: its options, and what identifies it."""
