"""Uncertainty of numbers: intervals, bootstrap by scene, comparisons, permutation tests."""
