"""The verdict of a run: its numbers, its status, and its words."""
