"""The smallest insertion that still fails: fewer objects, then a smaller mesh."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.mesh_recipe import scaled_name
from snellen.contract.questions import Answer, Question
from snellen.methods.fusion.explanation.evidence import RungName
from snellen.methods.fusion.explanation.ladder import InsertionLadder
from snellen.methods.fusion.explanation.struck_target import StruckTarget

LEAST = 0.2
"""The smallest scale that is tried."""
WITHIN = 1.1
"""The ratio of the smallest failing to the largest holding scale at which the search ends."""

Shrinking = Generator[list[Question], Sequence[Answer], None]


def shrink(ladder: InsertionLadder) -> Shrinking:
    """Ask about smaller and smaller insertions, and note the smallest that fails.

    An inserted object that is missed keeps its size: a smaller one is harder to find.
    """
    first = ladder.trials
    culprit, recipe, target = first.culprit, first.recipe, first.target
    for place in reversed(range(len(recipe.objects))):
        if place == culprit:
            continue
        fewer = _without(recipe, place)
        moved = _moved(target, place)
        if (yield from _fails(ladder, RungName.WITHOUT, fewer, moved)):
            recipe, target = fewer, moved
            culprit -= place < culprit
    if target.inserted is None:
        yield from _scale(ladder, recipe, culprit, target)


def _scale(
    ladder: InsertionLadder, recipe: Insert3D, culprit: int, target: StruckTarget
) -> Shrinking:
    """Bisect the scale of the culprit until it is known to within a tenth."""
    holds, fails = LEAST, 1.0
    if (yield from _fails(ladder, RungName.SMALLER, _scaled(recipe, culprit, LEAST), target)):
        return
    while fails / holds > WITHIN:
        middle = round(math.sqrt(holds * fails), 4)
        smaller = _scaled(recipe, culprit, middle)
        if (yield from _fails(ladder, RungName.SMALLER, smaller, target)):
            fails = middle
        else:
            holds = middle


def _fails(
    ladder: InsertionLadder, name: RungName, recipe: Insert3D, target: StruckTarget
) -> Generator[list[Question], Sequence[Answer], bool]:
    [still] = yield from ladder.ask([(name, recipe)], target)
    if still:
        ladder.evidence.smallest = ladder.evidence.rungs[-1].case
    return bool(still)


def _without(recipe: Insert3D, place: int) -> Insert3D:
    objects = tuple(one for k, one in enumerate(recipe.objects) if k != place)
    return replace(recipe, objects=objects)


def _moved(target: StruckTarget, removed: int) -> StruckTarget:
    """The target after an insertion was removed."""
    if target.inserted is None or target.inserted < removed:
        return target
    return replace(target, inserted=target.inserted - 1)


def _scaled(recipe: Insert3D, place: int, scale: float) -> Insert3D:
    objects = list(recipe.objects)
    mesh, x, y, z, yaw = objects[place]
    objects[place] = (scaled_name(mesh, scale), x, y, z, yaw)
    return replace(recipe, objects=tuple(objects))
