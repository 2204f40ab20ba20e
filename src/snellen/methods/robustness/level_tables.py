"""Failure rates by levels of uncertainty and score, and their correlations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.methods.robustness.instance_notes import InstanceCounts
from snellen.methods.robustness.own_numbers import (
    Correlations,
    LevelCell,
    LevelRow,
    LevelTables,
    RankCorrelation,
)
from snellen.statistics.intervals import Interval
from snellen.statistics.levels import Levels, equal_width_levels, rate_table, rates_by_level
from snellen.statistics.rank_correlation import rank_correlation
from snellen.store.estimate import Estimate
from snellen.store.rates import Rates
from snellen.vision.arrays import F64, Ints
from snellen.vision.entropies import below_prior, scale_free_entropy

FEWEST = 3
"""The minimum number of instances for a correlation."""


def level_tables(instances: Sequence[InstanceCounts], rates: Rates) -> LevelTables:
    """Failure rates by levels of score and uncertainty, and rank correlations with the rate.

    Levels are of equal width between the lowest and the highest value (published Table 1). An
    object found by fewer than two passes has the prior's uncertainty, which is not a measurement:
    it counts in the highest level and does not stretch the others.
    """
    score = np.array([one.score for one in instances], dtype=np.float64)
    counts = _Counts(instances, rates)
    by_score = equal_width_levels(score)
    noted = [one.uncertainty for one in instances if one.uncertainty is not None]
    if not instances or len(noted) < len(instances):
        return LevelTables(
            score_levels=counts.column(by_score),
            uncertainty_levels=None,
            table=None,
            correlations=Correlations(score=counts.correlation(score)),
        )
    total = np.array([one.total for one in noted])
    box = np.array([one.box_entropy for one in noted])
    by_unsure = measured_levels(total, box)
    relative = [
        scale_free_entropy(unsure.box_entropy, one.box)
        for unsure, one in zip(noted, instances, strict=True)
    ]
    return LevelTables(
        score_levels=counts.column(by_score),
        uncertainty_levels=counts.column(by_unsure),
        table=counts.table(by_unsure, by_score),
        correlations=Correlations(
            score=counts.correlation(score),
            uncertainty=counts.correlation(total),
            relative_box_entropy=counts.correlation(np.array(relative)),
            box_entropy=counts.correlation(box),
            box_trace=counts.correlation(np.array([one.box_trace for one in noted])),
            class_entropy=counts.correlation(np.array([one.class_entropy for one in noted])),
            mutual_information=counts.correlation(
                np.array([one.mutual_information for one in noted])
            ),
            missed_in_passes=counts.correlation(1 - np.array([one.found for one in noted])),
        ),
    )


def measured_levels(total: F64, box_entropy: F64) -> Levels:
    """Levels of total uncertainty, with limits from objects that were found again."""
    known = total[below_prior(box_entropy)]
    limits = (float(known.min()), float(known.max())) if len(known) else None
    return equal_width_levels(total, limits=limits)


class _Counts:
    """Failing tests and all tests of each instance, with its scene."""

    def __init__(self, instances: Sequence[InstanceCounts], rates: Rates) -> None:
        self.failing = np.array([one.failing for one in instances], dtype=np.float64)
        self.cases = np.array([one.tests for one in instances], dtype=np.float64)
        self.scenes = np.array([rates.place(one.scene) for one in instances], dtype=np.int64)
        self.weights = rates.weights

    def column(self, levels: Levels) -> list[LevelRow]:
        """One row per level: its range, mean, instances and failure rate."""
        found = rates_by_level(self.failing, self.cases, levels, self.scenes)
        means, sizes = levels.means(), levels.sizes()
        return [
            LevelRow(
                low=round(float(levels.edges[n]), 4),
                high=round(float(levels.edges[n + 1]), 4),
                mean=None if np.isnan(means[n]) else round(float(means[n]), 4),
                instances=int(sizes[n]),
                tests=int(rate.cases),
                failing=int(rate.failing),
                rate=Estimate.of(rate),
            )
            for n, rate in enumerate(found)
        ]

    def table(self, rows: Levels, columns: Levels) -> list[list[LevelCell]]:
        """The failure rate of each pair of levels; `value` is None where there is no data."""
        found = rate_table(self.failing, self.cases, rows, columns, self.scenes)
        return [
            [
                LevelCell(
                    instances=int(((rows.level == row) & (columns.level == column)).sum()),
                    tests=int(rate.cases),
                    failing=int(rate.failing),
                    rate=Estimate.of(rate),
                )
                for column, rate in enumerate(line)
            ]
            for row, line in enumerate(found)
        ]

    def correlation(self, values: F64) -> RankCorrelation | None:
        """Spearman's rank correlation of values with the failure rate; None if undefined."""
        some = self.cases > 0
        if some.sum() < FEWEST:
            return None
        rate = self.failing[some] / self.cases[some]
        return correlation(values[some], rate, self.scenes[some], self.weights)


def correlation(x: F64, y: F64, scenes: Ints, weights: F64) -> RankCorrelation | None:
    """The rank correlation with its interval; None where one of the two does not vary."""
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Interval = rank_correlation(x, y, scenes, weights)
    return RankCorrelation.model_validate({**found.to_json(), "objects": len(x)})
