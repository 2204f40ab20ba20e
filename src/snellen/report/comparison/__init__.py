"""Comparison of two runs of one method with different subjects."""
