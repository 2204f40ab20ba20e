"""Combinations of labels: which of them a classifier must handle."""
