"""What a method concludes about one unit: its cases, each judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from snellen.changes.recipe import Recipe
from snellen.subjects.subject import Prediction
from snellen.vision.events import Event

TEST = "test"
"""The role of a case that may fail."""
CONTROL = "control:"
"""What the role of a control begins with; its name follows."""


class Status(StrEnum):
    """How a case ended: only `failing` is counted in the headline."""

    HOLDS = "holds"
    BORDERLINE = "borderline"
    FAILING = "failing"
    FLAKY = "flaky"


@dataclass(frozen=True, eq=False)
class Case:
    """One judged case.

    role: `test`, or `control:<name>`. before: what the relation compares with, or None where the
    truth is known otherwise. parent: the number, in this verdict, of the case it was searched from.
    """

    recipe: Recipe
    role: str
    status: Status
    after: Prediction
    before: Prediction | None = None
    events: tuple[Event, ...] = ()
    measurements: Mapping[str, float] = field(default_factory=dict)
    parent: int | None = None


@dataclass(frozen=True, eq=False)
class Verdict:
    """The cases of one unit in the order they were judged, and anything else worth keeping."""

    cases: tuple[Case, ...]
    notes: Mapping[str, Any] = field(default_factory=dict)


def status_of(events: tuple[Event, ...]) -> Status:
    """Failing with a hard event, borderline with only borderline ones, else the relation holds."""
    if not events:
        return Status.HOLDS
    hard = any(event.severity == "hard" for event in events)
    return Status.FAILING if hard else Status.BORDERLINE
