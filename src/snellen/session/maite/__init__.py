"""Subjects, scenes and average precision in MAITE's protocols; MAITE itself is not needed."""
