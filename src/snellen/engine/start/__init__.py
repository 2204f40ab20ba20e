"""The start of a run: its plan, what it opens, and its journal."""
