"""The history of an iterated repair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.statistics.intervals import Interval


@dataclass(frozen=True)
class Round:
    """A round of iterated repair.

    cases, failing: of its test on the repair scenes. step: the change of the held-out failure rate
    from the previous round.
    """

    number: int
    cases: int
    failing: int
    step: Interval

    @property
    def falls(self) -> bool:
        """Whether the whole interval of the change is below zero."""
        return self.step.high < 0


@dataclass(frozen=True)
class Rounds:
    """All rounds. stopped: the reason for stopping. decided_by: the scenes that decided it."""

    rounds: tuple[Round, ...]
    stopped: str
    decided_by: str
    patience: int

    @property
    def last_improved(self) -> int:
        """The last round in which the failure rate fell; 0, the baseline, if none."""
        return max((one.number for one in self.rounds if one.falls), default=0)

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "rounds": [
                {
                    "round": one.number,
                    "test": {"cases": one.cases, "failing": one.failing},
                    "change": one.step.to_json(),
                    "falls": one.falls,
                }
                for one in self.rounds
            ],
            "stopped": self.stopped,
            "decided_by": self.decided_by,
            "patience": self.patience,
            "kept": self.last_improved,
        }
