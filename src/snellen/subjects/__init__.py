"""Adapters to the vision systems under test: one file each."""
