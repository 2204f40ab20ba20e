"""The loss that a requirement tolerates: set in its file, or what people lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

MarginSource: TypeAlias = Literal["set", "people", "share"]
"""Set in the file, what people lose, or a share of the margin of a whole task."""


@dataclass(frozen=True)
class Margin:
    """The tolerated loss, with its uncertainty if it was estimated from people.

    A requirement is satisfied if its loss is shown to be at most `low`, violated if it is shown to
    be more than `high`. value: the best estimate; all three are equal if the margin is set.
    """

    value: float
    low: float
    high: float
    source: MarginSource = "set"

    @classmethod
    def fixed(cls, value: float) -> Margin:
        """A margin without uncertainty.

        >>> Margin.fixed(0.02)
        Margin(value=0.02, low=0.02, high=0.02, source='set')
        """
        return cls(value, value, value)

    def share(self, factor: float) -> Margin:
        """A share of it, as the part of a whole task; itself if the factor is 1 or more."""
        if factor >= 1:
            return self
        return Margin(self.value * factor, self.low * factor, self.high * factor, "share")
