"""Checks of a subject's answers, and their conversion to predictions."""
