"""The explanation of a finding, from counterfactual questions."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import PART, Case
from snellen.vision.events import Event

UNEXPLAINED = "unexplained"
"""The cause of a finding that was not explained."""


@dataclass(frozen=True)
class NamedCause:
    """Why something is struck, in short.

    proven: whether counterfactual questions rule out any other cause. says: the evidence in one
    sentence.
    """

    cause: str = UNEXPLAINED
    proven: bool = False
    says: str = ""

    @property
    def known(self) -> bool:
        """Whether a cause was named."""
        return self.cause != UNEXPLAINED


@dataclass(frozen=True, eq=False)
class Rung:
    """One rung of the ladder of counterfactual questions about a finding.

    name: what was asked, such as `background through the same mask`. case: the counterfactual,
    judged. persists: whether the finding's failure is still there.
    """

    name: str
    case: Case
    persists: bool


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a case fails.

    cause: one word, such as `object`, `seam` or `contact`. rungs: the counterfactual questions and
    their answers, in the order they were asked. smallest: the smallest case that still fails, the
    case of one of the rungs; None if it is the finding itself. proven: whether the counterfactuals
    rule out that anything but the finding's own change breaks the relation; for a deterministic
    subject the finding is then a fact about its scene. says: the evidence in one sentence. about:
    the events of the finding that it explains; none for all of them. others: explanations of its
    other events from the same answers, without rungs; events without any stay unexplained.
    """

    cause: str = UNEXPLAINED
    rungs: tuple[Rung, ...] = ()
    smallest: Case | None = None
    proven: bool = False
    says: str = ""
    about: tuple[Event, ...] = ()
    others: tuple[Explanation, ...] = ()

    @property
    def named(self) -> NamedCause:
        """The cause in short."""
        return NamedCause(self.cause, self.proven, self.says)

    def as_parts_of(self, number: int) -> Explanation:
        """The same explanation, its cases marked as parts of the case with this number."""
        parts = {id(one.case): replace(one.case, role=PART, parent=number) for one in self.rungs}
        smallest = None if self.smallest is None else parts[id(self.smallest)]
        rungs = tuple(replace(one, case=parts[id(one.case)]) for one in self.rungs)
        return replace(self, rungs=rungs, smallest=smallest)


def evidence_of(explanations: Mapping[int, Explanation]) -> list[Case]:
    """The cases of all rungs, each once."""
    cases = [rung.case for one in explanations.values() for rung in one.rungs]
    return list({id(case): case for case in cases}.values())


Explaining: TypeAlias = Generator[Sequence[Question], Sequence[Answer], Explanation]
"""A method explaining one finding: yields counterfactual questions, returns the explanation."""


def unexplained() -> Explaining:
    """The explanation of a method that asks no counterfactual questions."""
    return Explanation()
    yield  # makes this a generator
