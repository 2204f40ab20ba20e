"""All relocations of a scene, side by side: one probe of each at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from snellen.changes.recipe import Recipe
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import TEST, Case, Status
from snellen.methods.free_places import FreeSpace, pasted_box
from snellen.methods.insertion.options import Footing, RelocationTarget
from snellen.methods.insertion.plan import InsertionScene, PlannedInsertion
from snellen.methods.insertion.relocation import Point, Relocation

RELOCATION = "relocation"
STOP_SHARE = 6
"""The paper's stop rule: the diagonal of the inserted object over this."""


@dataclass
class Relocations:
    """The result of relocation: failing cases at new places, and how far each moved."""

    cases: list[Case] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class _Move:
    parent: int
    planned: PlannedInsertion
    relocation: Relocation
    best: Case | None = None

    def at(self, prepared: InsertionScene, point: Point) -> PlannedInsertion:
        """The insertion with its centre at a point."""
        recipe = self.planned.recipe
        moved = replace(recipe, x=point[0] - recipe.width // 2, y=point[1] - recipe.height // 2)
        return replace(self.planned, recipe=moved, gap=prepared.gap(pasted_box(moved)))


def relocate_failures(
    prepared: InsertionScene,
    judge: Callable[[Asked], Case],
    before: Answer,
    planned: list[PlannedInsertion],
    cases: list[Case],
) -> Yielding[list[Question], Sequence[Answer], Relocations]:
    """Bisect every failing insertion towards the target while the budget lasts."""
    recipes: dict[Recipe, PlannedInsertion] = {one.recipe: one for one in planned}
    moves = [
        _Move(n, one, _relocation(prepared, one))
        for n, case in enumerate(cases)
        if case.role == TEST and case.status == Status.FAILING
        for one in [recipes[case.recipe]]
    ]
    try:
        while active := [move for move in moves if move.relocation.probe is not None]:
            yield from _probed(prepared, judge, before, active)
    except BudgetSpentError:
        pass
    return _gathered(moves)


def _probed(
    prepared: InsertionScene,
    judge: Callable[[Asked], Case],
    before: Answer,
    active: list[_Move],
) -> Yielding[list[Question], Sequence[Answer], None]:
    """One probe of each active relocation."""
    probes = [move.at(prepared, _probe(move)) for move in active]
    measures = prepared.options.measures
    answers = yield [Question(prepared.scene, probe.recipe, measures) for probe in probes]
    for move, probe, answer in zip(active, probes, answers, strict=False):
        asked = Asked(
            prepared.scene, probe.recipe, answer, before, RELOCATION, probe.facts, move.parent
        )
        case = judge(asked)
        failed = case.status == Status.FAILING
        if failed:
            move.best = case
        move.relocation.record(failed)


def _gathered(moves: list[_Move]) -> Relocations:
    """One case for each place reached; several starts may end at the same place."""
    out = Relocations()
    places: dict[Recipe, Case] = {}
    for move in moves:
        relocation = move.relocation
        progress = round(relocation.progress, 4)
        note: dict[str, Any] = {
            "parent": move.parent,
            "start": list(relocation.start),
            "best": list(relocation.best),
            "target": list(relocation.target),
            "progress": progress,
            "asked": relocation.asked,
        }
        if move.best is not None:
            note["unique"] = move.best.recipe not in places
            measurements = {**move.best.measurements, "progress": progress}
            case = replace(move.best, measurements=measurements)
            places.setdefault(move.best.recipe, case)
        out.notes.append(note)
    out.cases = list(places.values())
    return out


def _probe(move: _Move) -> Point:
    assert move.relocation.probe is not None
    return move.relocation.probe


def _relocation(prepared: InsertionScene, planned: PlannedInsertion) -> Relocation:
    recipe = planned.recipe
    room = FreeSpace(prepared.scene.size, prepared.obstacles, prepared.ground)
    if prepared.options.footing == Footing.PERSPECTIVE:
        room = prepared.room(prepared.names[planned.target], recipe.height)

    def possible(point: Point) -> bool:
        x, y = point[0] - recipe.width // 2, point[1] - recipe.height // 2
        return len(room.free((x, y, x + 1, y + 1), recipe.width, recipe.height)) == 1

    start = (recipe.x + recipe.width // 2, recipe.y + recipe.height // 2)
    nearness = float(np.hypot(recipe.width, recipe.height)) / STOP_SHARE
    return Relocation(start, relocation_target(prepared, planned), nearness, possible)


def relocation_target(prepared: InsertionScene, planned: PlannedInsertion) -> Point:
    """The target of a relocation, in whole pixels."""
    wish = prepared.options.target
    if not isinstance(wish, RelocationTarget):
        return wish[0], wish[1]
    boxes = prepared.objects.boxes.astype(np.float64)
    if wish == RelocationTarget.LABEL_CENTROID:
        boxes = boxes[prepared.objects.labels == prepared.objects.labels[planned.target]]
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    x, y = centres.mean(axis=0)
    return int(x), int(y)
