"""Diagnosis: why a composition fails, told by showing its parts.

An error is put down to interaction only if every object, shown alone at the same place and scale
on the same canvas, gets exactly its label, and the bare background none.
"""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from enum import StrEnum

from snellen.contract.questions import Answer, Question
from snellen.methods.combinations.explanation.composition_parts import CompositionParts, Places
from snellen.methods.combinations.explanation.shrinker import EventShrinker
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.scenes.scene import Scene
from snellen.vision.events import EventKind, Severity

Asking = Yielding[list[Question], Sequence[Answer], None]
Wanted = list[tuple[CompositionParts, Places]]


class Cause(StrEnum):
    """What a failure is put down to."""

    INTERACTION = "interaction"
    SINGLE = "single-object"
    BACKGROUND = "background"
    UNDIAGNOSED = "undiagnosed"


class Diagnosis:
    """The parts of a row's failing compositions, asked within a budget.

    left: questions that may still be asked, or None for as many as it takes.
    """

    def __init__(self, scene: Scene, judge: CombinationsRelation, left: int | None) -> None:
        self._scene, self._judge, self.left = scene, judge, left
        self.cornered: dict[int, list[EventShrinker]] = {}
        self.causes: dict[int, Cause] = {}

    def examine(self, failing: Sequence[CompositionParts]) -> Asking:
        """Find the cause of each failure and a minimal part for each of its events."""
        for composite in failing:
            self.causes[composite.number] = Cause.UNDIAGNOSED
        affordable = self._affordable(failing)
        yield from self._asked([(one, part) for one in affordable for part in _first_parts(one)])
        for composite in affordable:
            self.causes[composite.number] = _cause(composite)
        yield from self._shrunk(affordable)

    def _affordable(self, failing: Sequence[CompositionParts]) -> list[CompositionParts]:
        chosen, cost = [], 0
        for composite in failing:
            cost += len(_first_parts(composite))
            if self.left is not None and cost > self.left:
                break
            chosen.append(composite)
        return chosen

    def _asked(self, wanted: Wanted) -> Asking:
        wanted = list(dict.fromkeys(wanted))
        if not wanted:
            return
        answers = yield [one.question(self._scene, part) for one, part in wanted]
        for (one, part), answer in zip(wanted, answers, strict=True):
            one.learn(self._judge, part, answer)
        if self.left is not None:
            self.left -= len(wanted)

    def _shrunk(self, composites: Sequence[CompositionParts]) -> Asking:
        for one in composites:
            self.cornered[one.number] = [
                EventShrinker.of(one, event, self._judge.score)
                for event in one.case.events
                if event.severity == Severity.HARD or self._judge.strict
            ]
        searches = [
            search
            for events in self.cornered.values()
            for event in events
            for search in event.searches
        ]
        for search in searches:
            search.shortcut()
        while active := [one for one in searches if not one.done]:
            wanted = list(
                dict.fromkeys((one.composite, part) for one in active for part in one.wanted())
            )
            if self.left is not None and len(wanted) > self.left:
                return
            yield from self._asked(wanted)
            for search in active:
                search.advance()


def _first_parts(composite: CompositionParts) -> list[Places]:
    """Every object alone, and the bare background where a label came out of nowhere."""
    parts: list[Places] = [frozenset([place]) for place in sorted(composite.everything)]
    if any(event.kind != EventKind.MISSING for event in composite.case.events):
        parts.append(frozenset())
    return [part for part in parts if part not in composite.known]


def _cause(composite: CompositionParts) -> Cause:
    bare: Places = frozenset()
    if bare in composite.known and not composite.exact(bare):
        return Cause.BACKGROUND
    alone = [frozenset([place]) for place in composite.everything]
    if all(composite.exact(part) for part in alone) and len(alone) > 1:
        return Cause.INTERACTION
    return Cause.SINGLE
