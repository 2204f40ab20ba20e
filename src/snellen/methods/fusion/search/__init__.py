"""The search of a frame for insertions that make the subject fail."""
