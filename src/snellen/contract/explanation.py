"""The explanation of a finding, from counterfactual questions."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case

UNEXPLAINED = "unexplained"
"""The cause of a finding that was not explained."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a case fails.

    cause: one word, such as `object`, `seam` or `contact`. evidence: the counterfactual cases that
    show it. smallest: the smallest case that still fails, None if it is the case itself.
    """

    cause: str = UNEXPLAINED
    evidence: tuple[Case, ...] = ()
    smallest: Case | None = None


Explaining: TypeAlias = Generator[Sequence[Question], Sequence[Answer], Explanation]
"""A method explaining one finding: yields counterfactual questions, returns the explanation."""


def unexplained() -> Explaining:
    """The explanation of a method that asks no counterfactual questions."""
    return Explanation()
    yield  # makes this a generator
