"""An evaluation with a name, such as one of several ways to repair that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.verdict import Word
from snellen.repair.training.curves import Curves

BEST_FIRST = (Word.ROBUSTER, Word.BOLDER, Word.NOT_SHOWN, Word.WORSE, Word.SEEN_BEFORE)


@dataclass(frozen=True, eq=False)
class Named:
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


def best_of(named: Sequence[Named]) -> Named:
    """The one with the best word; among equals, the one that fails least."""
    return min(
        named,
        key=lambda one: (
            BEST_FIRST.index(one.evaluation.word),
            one.evaluation.failures.difference.value,
        ),
    )
