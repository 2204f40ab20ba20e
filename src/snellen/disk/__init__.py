"""Atomic writes, file locks and the user's cache folder."""
