"""All relocations of a scene, side by side: one probe of each at a time."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from snellen.changes.recipe import Recipe
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import TEST, Case, Status
from snellen.methods.confirmation import confirmed
from snellen.methods.free_places import FreeSpace, pasted_box
from snellen.methods.insertion.options import RelocationTarget
from snellen.methods.insertion.plan import InsertionScene, PlannedInsertion
from snellen.methods.insertion.relation import InsertionRelation
from snellen.methods.insertion.relocation import Point, Relocation

RELOCATION = "relocation"
STOP_SHARE = 6
"""The paper's stop rule: the diagonal of the inserted object over this."""


@dataclass
class Relocations:
    """What relocation brought: its failing cases at new places, and how far each went."""

    cases: list[Case] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class _Move:
    parent: int
    planned: PlannedInsertion
    relocation: Relocation
    best: Case | None = None

    def at(self, stage: InsertionScene, point: Point) -> PlannedInsertion:
        """The insertion with its centre at a point."""
        recipe = self.planned.recipe
        moved = replace(recipe, x=point[0] - recipe.width // 2, y=point[1] - recipe.height // 2)
        return replace(self.planned, recipe=moved, gap=stage.gap(pasted_box(moved)))


def relocate_failures(
    stage: InsertionScene,
    judge: InsertionRelation,
    planned: list[PlannedInsertion],
    cases: list[Case],
    left: int | None,
    deterministic: bool,
) -> Yielding[list[Question], Sequence[Answer], Relocations]:
    """Bisect every failing insertion towards the target, as long as the budget lasts."""
    moves = [
        _Move(n, planned[n], _relocation(stage, planned[n]))
        for n, case in enumerate(cases[: len(planned)])
        if case.role == TEST and case.status == Status.FAILING
    ]
    while active := [move for move in moves if move.relocation.probe is not None]:
        if left is not None and len(active) > left:
            break
        probes = [move.at(stage, _probe(move)) for move in active]
        measures = judge.options.measures
        answers = yield [Question(stage.scene, probe.recipe, measures) for probe in probes]
        left = None if left is None else left - len(active)
        for move, probe, answer in zip(active, probes, answers, strict=True):
            case = judge.insertion(probe, answer, RELOCATION)
            failed = case.status == Status.FAILING
            if failed:
                move.best = replace(case, parent=move.parent)
            move.relocation.tell(failed)
    return (yield from _gathered(stage, judge, moves, left, deterministic))


def _gathered(
    stage: InsertionScene,
    judge: InsertionRelation,
    moves: list[_Move],
    left: int | None,
    deterministic: bool,
) -> Yielding[list[Question], Sequence[Answer], Relocations]:
    """One case for each place that was reached; several starts may end at the same."""
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
    if not deterministic:
        out.cases, _ = yield from confirmed(judge.steady(stage.scene), out.cases, left)
    return out


def _probe(move: _Move) -> Point:
    assert move.relocation.probe is not None
    return move.relocation.probe


def _relocation(stage: InsertionScene, planned: PlannedInsertion) -> Relocation:
    recipe = planned.recipe
    room = FreeSpace(stage.scene.size, stage.obstacles, stage.ground)

    def possible(point: Point) -> bool:
        x, y = point[0] - recipe.width // 2, point[1] - recipe.height // 2
        return len(room.free((x, y, x + 1, y + 1), recipe.width, recipe.height)) == 1

    start = (recipe.x + recipe.width // 2, recipe.y + recipe.height // 2)
    nearness = float(np.hypot(recipe.width, recipe.height)) / STOP_SHARE
    return Relocation(start, relocation_target(stage, planned), nearness, possible)


def relocation_target(stage: InsertionScene, planned: PlannedInsertion) -> Point:
    """Where a relocation heads, in whole pixels."""
    wish = stage.options.target
    if not isinstance(wish, RelocationTarget):
        return wish[0], wish[1]
    boxes = stage.objects.boxes.astype(np.float64)
    if wish == RelocationTarget.LABEL_CENTROID:
        boxes = boxes[stage.objects.labels == stage.objects.labels[planned.target]]
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    x, y = centres.mean(axis=0)
    return int(x), int(y)
