"""Measurements of a case: visual change, naturalness, level."""
