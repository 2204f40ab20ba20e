"""What a method concludes about one unit: its cases, each judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from snellen.changes.recipe import Recipe
from snellen.subjects.subject import Prediction
from snellen.vision.events import Event

if TYPE_CHECKING:
    from snellen.contract.explanation import Explanation

TEST = "test"
"""The role of a case that may fail."""
CONTROL = "control:"
"""The prefix of the role of a control; its name follows."""
PART = "part"
"""The role of a case that was asked only to explain another one."""


class Status(StrEnum):
    """The status of a case: only `failing` is counted in the headline."""

    HOLDS = "holds"
    BORDERLINE = "borderline"
    FAILING = "failing"
    FLAKY = "flaky"


@dataclass(frozen=True, eq=False)
class Case:
    """One judged case.

    role: `test`, `control:<name>`, or a method's own. before: what the relation compares with, the
    answer about the unchanged scene or the known truth. parent: the number, in this verdict, of the
    case it was derived from.
    """

    recipe: Recipe
    role: str
    status: Status
    after: Prediction
    before: Prediction | None = None
    events: tuple[Event, ...] = ()
    measurements: Mapping[str, float] = field(default_factory=dict)
    parent: int | None = None


Notes: TypeAlias = Mapping[str, Any]
"""What a method records of a unit besides its cases, as plain values."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The cases of one unit in the order they were judged, and the method's own notes.

    conclude: the final verdict, from the cases after confirmation and the explanations of those
    that fail, by their numbers. A method sets it if its notes count failures or name causes;
    otherwise the cases of explanations are appended.
    """

    cases: tuple[Case, ...]
    notes: Notes = field(default_factory=dict)
    conclude: Callable[[Sequence[Case], Mapping[int, Explanation]], Verdict] | None = None

    def concluded(
        self,
        cases: Sequence[Case] | None = None,
        explanations: Mapping[int, Explanation] | None = None,
    ) -> Verdict:
        """The final verdict, with these cases (its own by default) and explanations."""
        final = self.cases if cases is None else tuple(cases)
        found = explanations or {}
        if self.conclude is not None:
            return self.conclude(final, found)
        return Verdict((*final, *evidence_of(found)), self.notes)


def evidence_of(explanations: Mapping[int, Explanation]) -> list[Case]:
    """The evidence of explanations, as parts of the cases they explain."""
    return [
        replace(case, role=PART, parent=number)
        for number, one in explanations.items()
        for case in one.evidence
    ]


def status_of(events: tuple[Event, ...]) -> Status:
    """Failing with a hard event, borderline with only borderline ones, else the relation holds."""
    if not events:
        return Status.HOLDS
    hard = any(event.severity == "hard" for event in events)
    return Status.FAILING if hard else Status.BORDERLINE
