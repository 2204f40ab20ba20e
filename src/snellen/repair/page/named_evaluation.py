"""An evaluation with a name, such as one of several ways to repair that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.training.training_curves import Curves

BEST_FIRST = (
    RepairVerdict.ROBUSTER,
    RepairVerdict.BOLDER,
    RepairVerdict.NOT_SHOWN,
    RepairVerdict.WORSE,
    RepairVerdict.SEEN_BEFORE,
)


@dataclass(frozen=True, eq=False)
class NamedEvaluation:
    """One way to repair and what it came to.

    name: such as `failing cases`. failing, random: f and r, where it is of that kind. curves: of
    its training. told: what it is, in a sentence.
    """

    name: str
    evaluation: Evaluation
    failing: int | None = None
    random: int | None = None
    curves: Curves | None = None
    told: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        own = {"name": self.name, "told": self.told, "f": self.failing, "r": self.random}
        return {**own, **self.evaluation.to_json()}


def best_of(named: Sequence[NamedEvaluation]) -> NamedEvaluation:
    """The one with the best word; among equals, the one that fails least."""
    return min(
        named,
        key=lambda one: (
            BEST_FIRST.index(one.evaluation.word),
            one.evaluation.failures.difference.value,
        ),
    )
