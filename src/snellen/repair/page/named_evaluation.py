"""An evaluation with a name, such as that of one arm of a repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.training.training_curves import Curves

BEST_FIRST = (
    RepairVerdict.MORE_ROBUST,
    RepairVerdict.BOLDER,
    RepairVerdict.NOT_SHOWN,
    RepairVerdict.WORSE,
    RepairVerdict.SEEN_BEFORE,
)


@dataclass(frozen=True, eq=False)
class NamedEvaluation:
    """The evaluation of one arm of a repair.

    name: such as `failing`. failing, random: f and r, if the arm has them. curves: of its
    training. description: in a clause.
    """

    name: str
    evaluation: Evaluation
    failing: int | None = None
    random: int | None = None
    curves: Curves | None = None
    description: str = ""

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        own = {"name": self.name, "told": self.description, "f": self.failing, "r": self.random}
        return {**own, **self.evaluation.to_json()}


def best_of(named: Sequence[NamedEvaluation]) -> NamedEvaluation:
    """The evaluation with the best verdict; among equals, the lowest failure rate."""
    return min(
        named,
        key=lambda one: (
            BEST_FIRST.index(one.evaluation.verdict),
            one.evaluation.failures.difference.value,
        ),
    )
