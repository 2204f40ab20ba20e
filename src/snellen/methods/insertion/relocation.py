"""Relocation: bisect from a failing place towards a target while the case still fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Point = tuple[int, int]
STEPS_AT_MOST = 32


def distance(a: Point, b: Point) -> float:
    """Euclidean distance in pixels."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


@dataclass
class Relocation:
    """One inserted object on its way from a failing place to a target (points are its centre).

    nearness: the paper's stop rule: it stops closer than this to the target or to the best place.
    possible: whether the object fits at a point; where it does not, the step counts as one without
    a failure. Report the outcome of each `probe` with `record` until `probe` is None.
    """

    start: Point
    target: Point
    nearness: float
    possible: Callable[[Point], bool]
    best: Point = field(init=False)
    probe: Point | None = field(init=False)
    asked: int = 0
    _steps: int = 0

    def __post_init__(self) -> None:
        self.best = self.start
        self.probe = self.target
        if distance(self.start, self.target) < self.nearness:
            self.probe = None
        self._skip_impossible()

    def record(self, failed: bool) -> None:
        """Record whether the case at `probe` failed, and move to the next probe."""
        self.asked += 1
        self._step(failed)
        self._skip_impossible()

    def _skip_impossible(self) -> None:
        while self.probe is not None and not self.possible(self.probe):
            self._step(False)

    def _step(self, failed: bool) -> None:
        assert self.probe is not None
        self._steps += 1
        probe = self.probe
        if failed:
            self.best = probe
            onward = _middle(self.target, probe)
            over = distance(probe, self.target) < self.nearness or onward == probe
        else:
            onward = _middle(self.best, probe)
            over = distance(self.best, onward) < self.nearness or onward == self.best
        self.probe = None if over or self._steps >= STEPS_AT_MOST else onward

    @property
    def progress(self) -> float:
        """The fraction of the way covered: 0 at the start, 1 at the target."""
        whole = distance(self.start, self.target)
        return distance(self.start, self.best) / whole if whole else 0.0
