"""Counts by scene, checked: its cases, and those of them in which an event occurs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64

_SLACK = 1e-9
_HARDLY = 0.25


@dataclass(frozen=True, eq=False)
class SceneCounts:
    """Events among the cases of each scene; counts may be fractional, scenes may be empty.

    events, cases: (scenes,), 0 <= events <= cases.
    """

    events: F64
    cases: F64

    @cached_property
    def total(self) -> float:
        """All cases."""
        return float(self.cases.sum())

    @cached_property
    def rate(self) -> float:
        """Events over cases, NaN without cases."""
        return float(self.events.sum() / self.total) if self.total > 0 else float("nan")

    @cached_property
    def typical_size(self) -> float:
        """The size of the scene that a case drawn at random lies in: sum n^2 / sum n."""
        return float(np.sum(self.cases**2) / self.total)

    @cached_property
    def telling_scenes(self) -> float:
        """The scenes that show how events cluster: with events, or with cases without, if fewer."""
        return min(scenes_worth(self.events), scenes_worth(self.cases - self.events))

    @cached_property
    def scenes(self) -> int:
        """Scenes that have cases."""
        return int(np.count_nonzero(self.cases))

    def repeated(self, times: int) -> SceneCounts:
        """The same scenes that many times, as more scenes of their kind might be."""
        return SceneCounts(np.tile(self.events, times), np.tile(self.cases, times))

    def others(self) -> SceneCounts:
        """The cases in which the event does not occur."""
        return SceneCounts(self.cases - self.events, self.cases)


def scene_counts(events: npt.ArrayLike, cases: npt.ArrayLike, what: str = "failing") -> SceneCounts:
    """Checked counts; `what` names the events in an error.

    >>> scene_counts([1, 0, 0], [2, 2, 0]).rate
    0.25
    """
    k, n = by_scene(what, events), by_scene("cases", cases)
    if k.shape != n.shape:
        raise ValueError(
            f"one count per scene: found {what} of {len(k)} scenes and cases of {len(n)}"
        )
    wrong = np.flatnonzero((k < 0) | (k > n + _SLACK))
    if wrong.size:
        at = int(wrong[0])
        raise ValueError(
            f"{what} must lie between 0 and the number of cases; scene {at} has {k[at]:g} of "
            f"{n[at]:g}"
        )
    return SceneCounts(np.minimum(k, n), n)


def scenes_worth(events: F64) -> float:
    """The number of scenes that share the events evenly: (sum x)^2 / sum x^2, 0 if none.

    The small term keeps it continuous where events vanish.
    """
    return float(events.sum()) ** 2 / (float(np.sum(events**2)) + _HARDLY)


def by_scene(what: str, values: npt.ArrayLike) -> F64:
    """The values as a finite vector (scenes,)."""
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"{what}: one count per scene is needed; found shape {found.shape}")
    if not np.all(np.isfinite(found)):
        at = int(np.flatnonzero(~np.isfinite(found))[0])
        raise ValueError(f"{what}: counts must be finite; scene {at} has {found[at]}")
    return found
