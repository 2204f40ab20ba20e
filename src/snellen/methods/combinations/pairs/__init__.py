"""Pairs of labels: which stand out, and their heat map."""
