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
    from snellen.contract.explanation import Explanation, NamedCause
    from snellen.contract.fault_target import FaultTarget

TEST = "test"
"""The role of a case that may fail."""
FURTHER = "test:"
"""The prefix of the role of a test outside of the failure rate, because what it shows was chosen by
earlier answers; its name follows. It may be a finding like any test."""
CONTROL = "control:"
"""The prefix of the role of a control, exposed to the same disturbance as a test; its name
follows."""
CHECK = "check:"
"""The prefix of the role of a case that can't fail with a correct tool and a deterministic subject,
such as a repeated question. Checks are reported separately and never compared with."""
CHANCE = "chance"
"""The measurement of a control that was drawn: the chance with which it was asked. Its parent is
the test that it is a control of."""
JOINT = "joint"
"""The measurement, 1, of controls that count together: a test has several, and its control fails if
any of them does, as for objects shown one by one that a test shows together. Otherwise the share of
them that fails counts."""
PART = "part"
"""The role of a case that was asked only to explain another one."""
BASELINE = "baseline"
"""The role of a case that is only measured, beside the tests: never a finding, in no rate."""
UNTESTED = "untested"
"""The note of a unit in which nothing could be tested: why, as in `3 scenes had no room`."""


class Status(StrEnum):
    """The status of a case: only `failing` is counted in the headline.

    flaky: failed, but not when asked again. unconfirmed: failed, and the budget ended before it was
    asked again.
    """

    HOLDS = "holds"
    BORDERLINE = "borderline"
    FAILING = "failing"
    FLAKY = "flaky"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, eq=False)
class Case:
    """One judged case.

    role: `test`, `test:<name>`, `control:<name>`, or a method's own. before: what the relation
    compares with, the answer about the unchanged scene or the known truth. parent: the number, in
    this verdict, of the case it was derived from.
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
    otherwise the cases of explanations are appended. explanations, struck: by the numbers of
    the cases; causes: of explained ones, why each thing is struck. The engine adds all three, and
    keeps targets that `conclude` names by the explanations, together with their causes.
    """

    cases: tuple[Case, ...]
    notes: Notes = field(default_factory=dict)
    conclude: Callable[[Sequence[Case], Mapping[int, Explanation]], Verdict] | None = None
    explanations: Mapping[int, Explanation] = field(default_factory=dict)
    struck: Mapping[int, tuple[FaultTarget, ...]] = field(default_factory=dict)
    causes: Mapping[int, tuple[NamedCause, ...]] = field(default_factory=dict)

    def concluded(
        self,
        cases: Sequence[Case] | None = None,
        explanations: Mapping[int, Explanation] | None = None,
    ) -> Verdict:
        """The final verdict, with these cases (its own by default) and explanations."""
        from snellen.contract.explanation import evidence_of

        final = self.cases if cases is None else tuple(cases)
        found = {number: one.as_parts_of(number) for number, one in (explanations or {}).items()}
        verdict = Verdict(final, self.notes)
        if self.conclude is not None:
            verdict = self.conclude(final, found)
        known = {id(case) for case in verdict.cases}
        parts = [case for case in evidence_of(found) if id(case) not in known]
        return replace(verdict, cases=(*verdict.cases, *parts), explanations=found, conclude=None)


def is_test(role: str) -> bool:
    """Whether a case of this role is a test, inside of the failure rate or not.

    >>> is_test("test"), is_test("test:alone"), is_test("control:patch")
    (True, True, False)
    """
    return role == TEST or role.startswith(FURTHER)


def status_of(events: tuple[Event, ...]) -> Status:
    """Failing with a hard event, borderline with only borderline ones, else the relation holds."""
    if not events:
        return Status.HOLDS
    hard = any(event.severity == "hard" for event in events)
    return Status.FAILING if hard else Status.BORDERLINE
