"""Checks of what a subject answers, and its conversion to predictions."""
