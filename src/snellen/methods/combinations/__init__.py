"""Combinations of labels: which of them to show to a classifier."""
