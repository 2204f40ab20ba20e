"""Failure rates by level of a quantity, such as five levels of uncertainty or score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.statistics.intervals import Rate, wilson_rate
from snellen.statistics.scene_rates import rate
from snellen.vision.arrays import F64, Ints

COUNT = 5


@dataclass(frozen=True, eq=False)
class Levels:
    """N values in levels of equal width.

    edges: (count + 1,) from the lowest value to the highest. level: (N,) 0 for the lowest level,
    -1 for NaN. values: (N,) the original values.
    """

    edges: F64
    level: Ints
    values: F64

    @property
    def count(self) -> int:
        """The number of levels."""
        return len(self.edges) - 1

    def means(self) -> F64:
        """The mean value in each level, NaN in an empty one."""
        sizes, sums = self.sizes(), np.zeros(self.count)
        np.add.at(sums, self.level[self.level >= 0], self.values[self.level >= 0])
        return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)

    def sizes(self) -> Ints:
        """The number of values in each level."""
        return np.bincount(self.level[self.level >= 0], minlength=self.count)


def equal_width_levels(
    values: npt.ArrayLike, count: int = COUNT, limits: tuple[float, float] | None = None
) -> Levels:
    """Values in `count` levels of equal width between the lowest and the highest.

    limits: the lowest and highest edge instead of the extreme values; values beyond them go to the
    first or last level, so that one outlier does not push all others into a single level. A value
    on an edge goes to the upper level, the highest to the last. If all are equal, to the first.

    >>> equal_width_levels([0.0, 1.0, 2.5, 10.0]).level.tolist()
    [0, 0, 1, 4]
    """
    found = np.asarray(values, dtype=np.float64).reshape(-1)
    known = np.isfinite(found)
    low, high = limits or ((found[known].min(), found[known].max()) if known.any() else (0.0, 1.0))
    if count < 1 or not low <= high:
        raise ValueError(f"need at least 1 level and low <= high; found {count}, {low}, {high}")
    edges = np.linspace(low, high, count + 1)
    level = np.searchsorted(edges[1:-1], np.where(known, found, low), "right")
    return Levels(edges, np.where(known, level if high > low else 0, -1).astype(np.int64), found)


def rates_by_level(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    levels: Levels,
    scenes: npt.ArrayLike | None = None,
) -> list[Rate]:
    """The failure rate at each level. failing, cases: (N,) counts of each object.

    scenes: (N,) the scene of each object; the interval is by scene. Without it, it is Wilson's over
    all cases, which is too short for correlated cases.

    >>> levels = equal_width_levels([0.1, 0.2, 0.9], count=2)
    >>> [rate.value for rate in rates_by_level([1, 0, 5], [5, 5, 5], levels)]
    [0.1, 1.0]
    """
    k, n = (np.asarray(one, dtype=np.float64).reshape(-1) for one in (failing, cases))
    chosen = [levels.level == level for level in range(levels.count)]
    return [_rate(k * one, n * one, scenes) for one in chosen]


def rate_table(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    rows: Levels,
    columns: Levels,
    scenes: npt.ArrayLike | None = None,
) -> list[list[Rate]]:
    """The failure rate of each pair of levels, one list per row level; see `rates_by_level`."""
    k, n = (np.asarray(one, dtype=np.float64).reshape(-1) for one in (failing, cases))
    table = []
    for row in range(rows.count):
        inside = rows.level == row
        table.append(rates_by_level(k * inside, n * inside, columns, scenes))
    return table


def _rate(k: F64, n: F64, scenes: npt.ArrayLike | None) -> Rate:
    if scenes is None:
        return wilson_rate(float(k.sum()), float(n.sum()))
    place = np.asarray(scenes, dtype=np.int64)
    return rate(np.bincount(place, k), np.bincount(place, n))
