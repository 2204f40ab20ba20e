"""Pairs of answers to the same cases, by scene: where only one of two subjects fails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from snellen.statistics.scene_counts import SceneCounts, by_scene, scene_counts
from snellen.vision.arrays import F64

LEAST_SHARE = 0.6
_SLACK = 1e-6


@dataclass(frozen=True, eq=False)
class DiscordantPairs:
    """Cases in which only the first fails, and in which only the second fails, of the same scenes.

    failing: cases in which either fails, of all scenes. known: whether the discordant pairs were
    counted, rather than inferred from the failing cases of each.
    """

    first: SceneCounts
    second: SceneCounts
    failing: float
    known: bool

    @cached_property
    def either(self) -> SceneCounts:
        """Discordant pairs of both directions."""
        return SceneCounts(self.first.events + self.second.events, self.first.cases)

    @property
    def discordant_share(self) -> float:
        """Discordant pairs among the cases in which either fails, at least LEAST_SHARE."""
        share = (float(self.either.events.sum()) + 1) / (self.failing + 1)
        return max(LEAST_SHARE, share)


def discordant_pairs(
    failing_first: npt.ArrayLike,
    failing_second: npt.ArrayLike,
    cases: npt.ArrayLike,
    only_first: npt.ArrayLike | None = None,
    only_second: npt.ArrayLike | None = None,
) -> DiscordantPairs:
    """Checked pairs; without the discordant ones, as few in each scene as the counts allow.

    >>> discordant_pairs([2, 0], [1, 3], [5, 5]).either.events.tolist()
    [1.0, 3.0]
    """
    a = scene_counts(failing_first, cases, "failing of the first")
    b = scene_counts(failing_second, cases, "failing of the second")
    net = a.events - b.events
    if (only_first is None) != (only_second is None):
        raise ValueError("pass both only_first and only_second, or neither")
    if only_first is None or only_second is None:
        pairs = np.maximum(net, 0), np.maximum(-net, 0)
    else:
        pairs = by_scene("only_first", only_first), by_scene("only_second", only_second)
        _check(pairs, a, b)
    first, second = (SceneCounts(one, a.cases) for one in pairs)
    failing = float(a.events.sum() + second.events.sum())
    return DiscordantPairs(first, second, failing, only_first is not None)


def _check(pairs: tuple[F64, F64], a: SceneCounts, b: SceneCounts) -> None:
    if pairs[0].shape != a.events.shape or pairs[1].shape != a.events.shape:
        raise ValueError(
            f"one count per scene: found cases of {len(a.cases)} scenes, only_first of "
            f"{len(pairs[0])} and only_second of {len(pairs[1])}"
        )
    net = a.events - b.events
    most = np.minimum(a.events, a.cases - b.events)
    wrong = (np.abs(pairs[0] - pairs[1] - net) > _SLACK) | (pairs[0] < 0) | (pairs[1] < 0)
    wrong |= pairs[0] > most + _SLACK
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"scene {at}: only_first {pairs[0][at]:g} and only_second {pairs[1][at]:g} do not fit "
            f"{a.events[at]:g} and {b.events[at]:g} failing of {a.cases[at]:g} cases"
        )
