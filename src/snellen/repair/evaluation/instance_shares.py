"""Pr1, Pr2, Pr3: the shares of instances with almost no failure left, with fewer, with more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.statistics.intervals import Rate
from snellen.statistics.scene_rates import paired_difference, rate
from snellen.vision.arrays import F64, Bools, Ints

FEW = 0.02
"""Largest share of failing tests that counts as almost no failure."""
ENOUGH = 10
"""From this many tests on, one failing test also counts as almost no failure."""


@dataclass(frozen=True)
class InstanceShares:
    """How the failures of instances changed; the four shares sum to 1.

    almost_none: Pr1, fewer failures than before, and at most one in 10 or more tests, or at most
    2%. fewer: Pr2, fewer, but not Pr1. more: Pr3. unchanged: as many as before; the paper, whose
    three shares sum to 1, does not say how it counts these.
    """

    instances: int
    almost_none: Rate
    fewer: Rate
    more: Rate
    unchanged: Rate

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        named = {"pr1": self.almost_none, "pr2": self.fewer, "pr3": self.more}
        shares = {name: one.to_json() for name, one in named.items()}
        return {"instances": self.instances, **shares, "unchanged": self.unchanged.to_json()}


def few(failing: F64, tests: F64) -> Bools:
    """(N,) whether each instance has almost no failure.

    >>> few(np.array([1.0, 1, 2, 2]), np.array([50.0, 5, 50, 100])).tolist()
    [True, False, False, True]
    """
    return np.asarray((failing <= FEW * tests) | ((failing <= 1) & (tests >= ENOUGH)))


def instance_shares(
    paired: PairedCases, flagged: tuple[Bools, Bools], *, failed_before: bool
) -> InstanceShares:
    """The shares among all instances, or among those that failed before, as published.

    Instances selected for failing fail less often the next time by chance (regression to the
    mean), so the latter shares flatter any retraining; among all instances, chance gives as many
    with fewer failures as with more.
    """
    old, new = (paired.by_instance(one) for one in flagged)
    tests = paired.by_instance(np.ones(len(paired), dtype=bool))
    chosen = (old > 0) if failed_before else np.ones(len(old), dtype=bool)
    almost = (new < old) & few(new, tests)
    kinds = (almost, (new < old) & ~almost, new > old, new == old)
    place, count = paired.instance_scenes, len(paired.scenes)
    within = np.bincount(place[chosen], minlength=count)
    rates = [rate(np.bincount(place[chosen & kind], minlength=count), within) for kind in kinds]
    return InstanceShares(int(chosen.sum()), *rates)


def undetected_change(paired: PairedCases) -> Change:
    """The share of instances that each subject does not detect in the unchanged scene."""
    place, count = paired.instance_scenes, len(paired.scenes)
    old, new = (paired.by_instance(one) > 0 for one in paired.undetected)

    def counted(flags: Bools) -> Ints:
        return np.bincount(place[flags], minlength=count)

    total = np.bincount(place, minlength=count)
    gap = paired_difference(
        counted(new),
        counted(old),
        total,
        only_first=counted(new & ~old),
        only_second=counted(old & ~new),
    )
    return Change(rate(counted(old), total), rate(counted(new), total), gap)
