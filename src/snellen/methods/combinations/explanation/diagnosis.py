"""Diagnosis: why a composition fails, found by showing its parts.

An error is attributed to interaction only if every object, shown alone at the same place and scale
on the same canvas, gets exactly its label, and the bare background none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, replace
from typing import Any

from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import Case, Verdict
from snellen.methods.combinations.cause import Cause
from snellen.methods.combinations.explanation.composition_parts import CompositionParts, Places
from snellen.methods.combinations.explanation.shrinker import EventShrinker
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.scenes.scene import Scene
from snellen.vision.events import EventKind, Severity

Asking = Yielding[list[Question], Sequence[Answer], None]


@dataclass(frozen=True, eq=False)
class Diagnosis(Explanation):
    """Why a composition fails. parts: its judged parts. shrinkers: one for each event."""

    parts: CompositionParts | None = None
    shrinkers: tuple[EventShrinker, ...] = ()

    @classmethod
    def of(
        cls, parts: CompositionParts, cause: Cause, shrinkers: Sequence[EventShrinker] = ()
    ) -> Diagnosis:
        """The diagnosis from these parts."""
        return cls(str(cause), parts=parts, shrinkers=tuple(shrinkers))


def diagnose(
    parts: CompositionParts,
    scene: Scene,
    judge: Callable[[Asked], Case],
    relation: CombinationsRelation,
) -> Explaining:
    """The cause of a failure, and a minimal part for each of its events."""
    cause, shrinkers = Cause.UNDIAGNOSED, list[EventShrinker]()
    try:
        yield from _asked(parts, _first_parts(parts), scene, judge)
        cause = _cause(parts)
        shrinkers = [
            EventShrinker.of(parts, event, relation.score)
            for event in parts.case.events
            if event.severity == Severity.HARD or relation.strict
        ]
        yield from _shrunk(parts, shrinkers, scene, judge)
    except BudgetSpentError:
        pass
    return Diagnosis.of(parts, cause, shrinkers)


def _asked(
    parts: CompositionParts,
    wanted: Sequence[Places],
    scene: Scene,
    judge: Callable[[Asked], Case],
) -> Asking:
    if not wanted:
        return
    answers = yield [parts.question(scene, part) for part in wanted]
    for part, answer in zip(wanted, answers, strict=True):
        parts.learn(judge, scene, part, answer)


def _shrunk(
    parts: CompositionParts,
    shrinkers: Sequence[EventShrinker],
    scene: Scene,
    judge: Callable[[Asked], Case],
) -> Asking:
    searches = [search for event in shrinkers for search in event.searches]
    for search in searches:
        search.shortcut()
    while active := [one for one in searches if not one.done]:
        wanted = list(dict.fromkeys(part for one in active for part in one.wanted()))
        yield from _asked(parts, wanted, scene, judge)
        for search in active:
            search.advance()


def concluded(
    notes: Mapping[str, Any],
    names: Sequence[str],
    cases: Sequence[Case],
    explanations: Mapping[int, Explanation],
) -> Verdict:
    """The verdict of a row: its cases, then the parts shown, and the cause of each.

    notes: of the row. names: of the subject's classes.
    """
    out, causes = list(cases), {}
    for number, one in explanations.items():
        numbers = {}
        if isinstance(one, Diagnosis) and one.parts is not None:
            for places, case in one.parts.known.items():
                numbers[places] = number if places == one.parts.everything else len(out)
                if places != one.parts.everything:
                    out.append(replace(case, parent=number))
        shrinkers = one.shrinkers if isinstance(one, Diagnosis) else ()
        cause = one.cause if isinstance(one, Diagnosis) else str(Cause.UNDIAGNOSED)
        causes[str(number)] = {
            "cause": cause,
            "minimal": [note for event in shrinkers for note in event.notes(names, numbers)],
        }
        if cause != Cause.UNDIAGNOSED:
            measured = {**out[number].measurements, "interaction": float(cause == "interaction")}
            out[number] = replace(out[number], measurements=measured)
    return Verdict(tuple(out), {**notes, "causes": causes})


def _first_parts(composite: CompositionParts) -> list[Places]:
    """The parts not yet judged: every object alone, and the bare background for an extra label."""
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
