"""The minutes of an exam, divided by weight, with what is left going to what is undecided."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

FIRST_ROUND = 0.7
"""The share of the time that is divided by weight before it is known what is undecided."""
LEAST = 1.0
"""Seconds that a method gets at least."""


@dataclass
class ExamClock:
    """The time of an exam. seconds: in all, may be infinite. clock: monotonic seconds."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    _start: float = field(init=False)

    def __post_init__(self) -> None:
        self._start = self.clock()

    @property
    def left(self) -> float:
        """Seconds until the end, at least 0."""
        return max(0.0, self.seconds - (self.clock() - self._start))

    def share(self, weight: float, later: float) -> float:
        """Seconds of a method in the first round; later: the weights of those after it."""
        if math.isinf(self.seconds):
            return math.inf
        reserve = (1 - FIRST_ROUND) * self.seconds
        return max(LEAST, (self.left - reserve) * weight / (weight + later))
