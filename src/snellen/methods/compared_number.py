"""A number of two compared runs, and how much worse the second one's is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.sample_size import Evidence, curve_of, more_scenes, repeated


@dataclass(frozen=True, eq=False)
class ComparedNumber:
    """A share of both runs that a gate against a baseline decides on.

    a, b: of the first and second run, NaN without data. scenes: that it rests on. worse_at: the
    confidence curve of how much worse B is, with n times as many scenes like these; above zero is
    worse, whether the number itself is better high or low.
    """

    name: str
    a: float
    b: float
    scenes: int
    worse_at: Callable[[int], ConfidenceCurve]

    @classmethod
    def of(cls, name: str, a: float, b: float, scenes: int, evidence: Evidence) -> ComparedNumber:
        """A rate of failures; evidence: of B's rate minus A's."""
        return cls(name, a, b, scenes, lambda times: curve_of(repeated(evidence, times)))

    @cached_property
    def worse(self) -> ConfidenceCurve:
        """The curve of how much worse B is."""
        return self.worse_at(1)

    def more_scenes(self, margin: float, level: float) -> int | None:
        """How many more scenes like these decide against the margin; None if none would."""
        return more_scenes(self.scenes, self.worse_at, margin, tail=level)
