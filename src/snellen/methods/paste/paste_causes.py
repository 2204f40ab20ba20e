"""The cause of a failing insertion, from the answers to its counterfactual questions.

object: background through the same mask holds, and so do other objects here. place: other objects
fail here, too. seam: the background fails here, too, so the edge is enough. any-change: background
far away fails, too, or the failure does not survive a change of single pixels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from snellen.contract.explanation import UNEXPLAINED, Rung
from snellen.contract.fault_target import events_by_thing, strike_the_same
from snellen.contract.verdict import Case, Status
from snellen.vision.events import Event, Severity

OBJECT, PLACE, SEAM, ANY_CHANGE = "object", "place", "seam", "any-change"
PATCHES = 3
"""How many patches must hold for a finding to be proven."""
COPIES = 4
"""How many near-identical copies are asked, and how many more if half of them or more but not all
fail."""
STABLE = 0.75
"""The share of the copies that must fail in the end."""


class RungKind(StrEnum):
    """The kinds of counterfactuals of an insertion."""

    PATCH = "patch"
    COPY = "copy"
    OTHER = "other"
    FAR = "far"
    FAR_PATCH = "far-patch"
    BLENDING = "blending"
    SMALLER = "smaller"


def struck_events(case: Case) -> tuple[Event, ...]:
    """The hard events of a finding; all if it has none, as when any change counts as failing."""
    hard = tuple(event for event in case.events if event.severity == Severity.HARD)
    return hard or case.events


@dataclass(eq=False)
class PasteEvidence:
    """The rungs about one thing that a finding strikes, in the order they were asked and by kind.

    events: those of the finding that strike it; none if any failure is meant.
    """

    events: tuple[Event, ...] = ()
    asked: list[Rung] = field(default_factory=list)
    by_kind: dict[RungKind, list[Rung]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, finding: Case) -> list[PasteEvidence]:
        """Evidence without rungs about each thing that a finding strikes, worst first."""
        return [cls(events) for events in events_by_thing(struck_events(finding))] or [cls()]

    def add(self, kind: RungKind, name: str, case: Case) -> None:
        """Add an answered rung."""
        rung = Rung(name, case, self.struck_in(case))
        self.asked.append(rung)
        self.by_kind[kind].append(rung)

    def struck_in(self, case: Case) -> bool:
        """Whether a counterfactual fails by striking it, too."""
        if case.status != Status.FAILING:
            return False
        return not self.events or any(
            strike_the_same(self.events[0], event) for event in struck_events(case)
        )

    def counts(self, kind: RungKind) -> tuple[int, int]:
        """How many of a kind still fail, and how many were asked."""
        rungs = self.by_kind[kind]
        return sum(rung.persists for rung in rungs), len(rungs)

    @property
    def seamed(self) -> bool:
        """Whether a third of the patches fail, and more than one unless there are too few."""
        failing, asked = self.counts(RungKind.PATCH)
        return 3 * failing >= asked and failing >= min(2, asked) > 0

    @property
    def stable(self) -> bool | None:
        """Whether near-identical copies fail, too: all of 4, or 6 of 8; None if undecided.

        A subject that fails in 15% of changed pictures, whatever was pasted, passes this in one of
        a thousand findings; one that fails in 9 of 10 copies passes in 96%.
        """
        failing, asked = self.counts(RungKind.COPY)
        if asked == 0 or (asked <= COPIES and asked <= 2 * failing < 2 * asked):
            return None
        return failing >= STABLE * asked

    @property
    def crowded(self) -> bool | None:
        """Whether most other objects fail here, too; None on a tie or if none was asked."""
        failing, asked = self.counts(RungKind.OTHER)
        return None if 2 * failing == asked else 2 * failing > asked

    @property
    def far_fails(self) -> bool:
        """Whether the same object fails far away."""
        failing, asked = self.counts(RungKind.FAR)
        return 2 * failing > asked

    @property
    def cause(self) -> str:
        """One of the four causes, or `unexplained` as long as the answers do not decide."""
        if self.seamed:
            failing, asked = self.counts(RungKind.FAR_PATCH)
            return ANY_CHANGE if 2 * failing > asked else SEAM
        if self.stable is None:
            return UNEXPLAINED
        if not self.stable:
            return ANY_CHANGE
        return PLACE if self.crowded and not self.far_fails else OBJECT

    @property
    def proven(self) -> bool:
        """Whether copies fail, and at least three patches were asked of which none fails."""
        failing, asked = self.counts(RungKind.PATCH)
        return bool(self.stable) and failing == 0 and asked >= PATCHES

    @property
    def clarity(self) -> tuple[bool, bool, bool]:
        """Sort key: proven, then stable and not by the edge, then undecided."""
        return self.proven, bool(self.stable) and not self.seamed, self.stable is not False


def clearest(things: Sequence[PasteEvidence]) -> PasteEvidence:
    """The evidence that shows most, the first of equal ones."""
    return max(things, key=lambda one: one.clarity)
