"""Uncertainty of rates: intervals, differences and tests by scene.

>>> from snellen import statistics
>>> round(statistics.rate([0, 1, 0, 2], [5, 5, 5, 5]).value, 2)
0.15
"""

from snellen.statistics.scene_rates import difference, paired_difference, rate

__all__ = ["difference", "paired_difference", "rate"]
