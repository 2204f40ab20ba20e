"""A graded score: performance over a range of visual change, also compared with people.

The area under the curve of a metric over visual change, divided by the length of the range, so that
1 is perfect throughout. Unlike a verdict it has no threshold and no margin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.methods.human.performance_curve import (
    HumanComparison,
    compare_with_people,
)
from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.statistics.bootstrap import percentile_interval, weighted_sums
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.vision.arrays import F64

BINS = 20


@dataclass(frozen=True, eq=False)
class AreaGrade:
    """The area under a metric's curve from no visual change to `most`, with its interval.

    delta_v, values: (B,) the middles of the bins that have cases, and the metric in them. graded:
    the comparison with people, over the range that both cover.
    """

    metric: Metric
    most: float
    area: Interval
    delta_v: F64
    values: F64
    graded: HumanComparison | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        values = {"metric": self.metric, "most": self.most, "area": self.area.to_json()}
        if self.graded is None:
            return values
        compared = self.graded
        return {
            **values,
            "range": [compared.low, compared.high],
            "subject": compared.subject,
            "human": compared.human,
            "human_relative": compared.human_relative,
        }


def grade(
    part: SubtaskCounts,
    metric: Metric,
    transformation: str,
    most: float,
    weights: F64,
    *,
    human: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    bins: int = BINS,
    confidence: float = CONFIDENCE,
) -> AreaGrade:
    """The area under a metric over visual change; human: people's (visual change, values).

    weights: (replicates, scenes), from `scene_weights`.
    """
    edges = np.round(np.linspace(0, most, bins + 1), 9)
    sums = _sums(part, metric, transformation, edges)
    own = _shares(sums.sum(axis=0)[None])[0]
    drawn = weighted_sums(weights[:, : len(sums)], sums.reshape(len(sums), -1)).reshape(
        -1, *sums.shape[1:]
    )
    area = percentile_interval(_areas(own[None])[0], _areas(_shares(drawn)), confidence)
    finite = np.isfinite(own)
    middles, values = ((edges[1:] + edges[:-1]) / 2)[finite], own[finite]
    compared = compare_with_people((middles, values), human) if human is not None else None
    return AreaGrade(metric, most, area, middles, values, compared)


def _sums(part: SubtaskCounts, metric: Metric, transformation: str, edges: F64) -> F64:
    """(scenes, bins, 2) passed and asked in each bin, as means over the scene's cases."""
    lows = np.append(-1.0, edges[1:-1])
    evidence, tallies = part.table.evidence, part.tallies(metric)
    found = [
        evidence.chosen(transformation, float(low), float(high))
        for low, high in zip(lows, edges[1:], strict=True)
    ]
    means = [
        Arms(evidence.scene, one, one, evidence.scenes).by_scene(tallies, one) for one in found
    ]
    return np.stack(means, axis=1)


def _shares(sums: F64) -> F64:
    """(R, bins) passed over asked; NaN where nothing was asked."""
    passed, asked = sums[..., 0], sums[..., 1]
    out = np.full(passed.shape, np.nan)
    return np.asarray(np.divide(passed, asked, out=out, where=asked > 0))


def _areas(shares: F64) -> F64:
    """(R,) the mean over bins; those without a value are interpolated."""
    places = np.arange(shares.shape[1])
    out = np.full(len(shares), math.nan)
    for row, values in enumerate(shares):
        finite = np.isfinite(values)
        if finite.any():
            out[row] = np.interp(places, places[finite], values[finite]).mean()
    return out
