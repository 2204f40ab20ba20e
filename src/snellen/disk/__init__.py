"""Atomic writes, file locks, JSON and YAML with limits, and the user's cache folder."""
