"""Failure rates by levels of uncertainty and score, and their correlations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.statistics.intervals import Interval
from snellen.statistics.levels import Levels, equal_width_levels, rate_table, rates_by_level
from snellen.statistics.rank_correlation import rank_correlation
from snellen.store.rates import Rates
from snellen.vision.arrays import F64, Ints
from snellen.vision.entropies import below_prior, scale_free_entropy

PARTS = ("total", "box_entropy", "box_trace", "class_entropy", "mutual_information")
FEWEST = 3
"""The minimum number of instances for a correlation."""
Numbers = dict[str, Any]


def level_tables(instances: Sequence[Numbers], rates: Rates) -> Numbers:
    """The keys `score_levels`, `uncertainty_levels`, `table` and `correlations`.

    Levels are of equal width between the lowest and the highest value (published Table 1). An
    object found by fewer than two passes has the prior's uncertainty, which is not a measurement:
    it counts in the highest level and does not stretch the others.
    """
    failing = np.array([one["failing"] for one in instances], dtype=np.float64)
    cases = np.array([one["tests"] for one in instances], dtype=np.float64)
    scenes = np.array([rates.place(one["scene"]) for one in instances], dtype=np.int64)
    score = np.array([one["score"] for one in instances], dtype=np.float64)
    counts = _Counts(failing, cases, scenes, rates)
    by_score = equal_width_levels(score)
    made: Numbers = {
        "score_levels": counts.column(by_score),
        "uncertainty_levels": None,
        "table": None,
        "correlations": {"score": counts.correlation(score)},
    }
    if instances and all(one["uncertainty"] for one in instances):
        unsure = {part: np.array([one["uncertainty"][part] for one in instances]) for part in PARTS}
        found = np.array([one["uncertainty"]["found"] for one in instances])
        by_unsure = measured_levels(unsure["total"], unsure["box_entropy"])
        made |= {
            "uncertainty_levels": counts.column(by_unsure),
            "table": counts.table(by_unsure, by_score),
        }
        relative = [
            scale_free_entropy(one["uncertainty"]["box_entropy"], one["box"]) for one in instances
        ]
        made["correlations"] |= {
            "uncertainty": counts.correlation(unsure["total"]),
            "relative_box_entropy": counts.correlation(np.array(relative)),
            **{part: counts.correlation(unsure[part]) for part in PARTS[1:]},
            "missed_in_passes": counts.correlation(1 - found),
        }
    return made


def measured_levels(total: F64, box_entropy: F64) -> Levels:
    """Levels of total uncertainty, with limits from objects that were found again."""
    known = total[below_prior(box_entropy)]
    limits = (float(known.min()), float(known.max())) if len(known) else None
    return equal_width_levels(total, limits=limits)


class _Counts:
    """Failing tests and all tests of each instance, with its scene."""

    def __init__(self, failing: F64, cases: F64, scenes: Ints, rates: Rates) -> None:
        self.failing, self.cases, self.scenes = failing, cases, scenes
        self.weights = rates.weights

    def column(self, levels: Levels) -> list[Numbers]:
        """One row per level: its range, mean, instances and failure rate."""
        found = rates_by_level(self.failing, self.cases, levels, self.scenes, self.weights)
        means, sizes = levels.means(), levels.sizes()
        return [
            {
                "low": round(float(levels.edges[n]), 4),
                "high": round(float(levels.edges[n + 1]), 4),
                "mean": None if np.isnan(means[n]) else round(float(means[n]), 4),
                "instances": int(sizes[n]),
                "tests": int(rate.cases),
                "failing": int(rate.failing),
                "rate": rate.to_json(),
            }
            for n, rate in enumerate(found)
        ]

    def table(self, rows: Levels, columns: Levels) -> list[list[Numbers]]:
        """The failure rate of each pair of levels; `value` is None where there is no data."""
        found = rate_table(self.failing, self.cases, rows, columns, self.scenes, self.weights)
        return [
            [
                {
                    "instances": int(((rows.level == row) & (columns.level == column)).sum()),
                    "tests": int(rate.cases),
                    "failing": int(rate.failing),
                    "rate": rate.to_json(),
                }
                for column, rate in enumerate(line)
            ]
            for row, line in enumerate(found)
        ]

    def correlation(self, values: F64) -> dict[str, Any] | None:
        """Spearman's rank correlation of values with the failure rate; None if undefined."""
        some = self.cases > 0
        if some.sum() < FEWEST:
            return None
        rate = self.failing[some] / self.cases[some]
        return correlation(values[some], rate, self.scenes[some], self.weights)


def correlation(x: F64, y: F64, scenes: Ints, weights: F64) -> dict[str, Any] | None:
    """The rank correlation with its interval; None where one of the two does not vary."""
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Interval = rank_correlation(x, y, scenes, weights)
    return {**found.to_json(), "objects": len(x)}
