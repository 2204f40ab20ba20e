"""Sheets of objects and of insertions, to be looked at and rated by a person."""
