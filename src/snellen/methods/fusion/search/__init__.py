"""The search of a frame for insertions that break the subject."""
