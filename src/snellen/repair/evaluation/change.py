"""A figure before, after, and the difference, paired by scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.statistics.bootstrap import difference_of_ratios, interval_by_scene, ratio
from snellen.statistics.intervals import Interval, Rate
from snellen.statistics.scene_rates import paired_difference, rate
from snellen.vision.arrays import F64, Bools


@dataclass(frozen=True)
class Change:
    """A figure of both subjects. difference: after minus before, on the same scenes."""

    before: Interval
    after: Interval
    difference: Interval

    def to_json(self) -> dict[str, Any]:
        """JSON values; rates with their counts."""
        sides = {"before": _plain(self.before), "after": _plain(self.after)}
        return {**sides, "difference": self.difference.to_json()}


def _plain(one: Interval) -> dict[str, Any]:
    counts = {"failing": one.failing, "cases": one.cases} if isinstance(one, Rate) else {}
    return {**one.to_json(), **{name: int(count) for name, count in counts.items()}}


def rate_change(
    paired: PairedCases, flagged: tuple[Bools, Bools], chosen: Bools | None = None
) -> Change:
    """The share of flagged cases, before and after; flagged: (N,) each, chosen: (N,) if not all."""
    first, second = (paired.sums(one, chosen) for one in flagged)
    new, old = (
        paired.sums(one, chosen)[0] for one in (flagged[1] & ~flagged[0], flagged[0] & ~flagged[1])
    )
    gap = paired_difference(second[0], first[0], first[1], only_first=new, only_second=old)
    return Change(rate(*first), rate(*second), gap)


def share_of_cases(paired: PairedCases, flagged: Bools) -> Rate:
    """The share of flagged cases, such as those that were repaired."""
    return rate(*paired.sums(flagged))


def mean_change(scene: F64, before: F64, after: F64, weights: F64) -> Change:
    """The mean of N values before and after; scene: (N,) the index of each value's scene."""
    count, place = weights.shape[1], scene.astype(np.int64)
    sums = [np.bincount(place, one, minlength=count) for one in (after, before)]
    size = np.bincount(place, minlength=count).astype(np.float64)
    new, old = (np.stack([one, size], axis=1) for one in sums)
    both = np.concatenate([new, old], axis=1)
    return Change(
        interval_by_scene(old, ratio, weights),
        interval_by_scene(new, ratio, weights),
        interval_by_scene(both, difference_of_ratios, weights),
    )
