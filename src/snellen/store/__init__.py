"""The run folder and its journal."""
