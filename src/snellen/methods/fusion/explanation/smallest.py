"""The smallest insertion that still fails: fewer objects, then a smaller mesh."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.mesh_recipe import scaled_name
from snellen.contract.questions import Answer, Question
from snellen.methods.fusion.explanation.ladder import InsertionLadder
from snellen.methods.fusion.explanation.rung_names import RungName
from snellen.methods.fusion.explanation.trials import Trials

LEAST = 0.2
"""The smallest scale that is tried."""
WITHIN = 1.1
"""The ratio of the smallest failing to the largest holding scale at which the search ends."""

Shrinking = Generator[list[Question], Sequence[Answer], None]
Failing = Generator[list[Question], Sequence[Answer], bool]


def fewest(ladder: InsertionLadder) -> Generator[list[Question], Sequence[Answer], Trials]:
    """Ask without one insertion after the other, the one that hides most last.

    Comes back with the trials of the smallest case that still fails.
    """
    trials = ladder.trials
    kept, hidden = list(range(len(trials.placed))), trials.hidden
    for one in sorted(kept, key=lambda k: (k == trials.culprit, -k)):
        fewer = [k for k in kept if k != one]
        if not fewer or one == trials.target.inserted:
            continue
        without = trials.only(fewer, hidden)
        if (yield from _fails(ladder, RungName.WITHOUT, without.recipe, without)):
            kept, hidden = fewer, ladder.evidence.shares[-1]
    return trials.only(kept, hidden)


def smaller(ladder: InsertionLadder, trials: Trials) -> Shrinking:
    """Bisect the scale of the culprit until it is known to within a tenth.

    An inserted object that is missed keeps its size: a smaller one is harder to find.
    """
    if trials.target.inserted is not None:
        return
    holds, fails = LEAST, 1.0
    if (yield from _fails_at(ladder, trials, LEAST)):
        return
    while fails / holds > WITHIN:
        middle = round(math.sqrt(holds * fails), 4)
        if (yield from _fails_at(ladder, trials, middle)):
            fails = middle
        else:
            holds = middle


def _fails_at(ladder: InsertionLadder, trials: Trials, scale: float) -> Failing:
    recipe = _scaled(trials.recipe, trials.culprit, scale)
    return (yield from _fails(ladder, RungName.SMALLER, recipe, trials))


def _fails(ladder: InsertionLadder, name: RungName, recipe: Insert3D, of: Trials) -> Failing:
    [still] = yield from ladder.ask([(name, recipe)], of)
    if still:
        ladder.evidence.smallest = ladder.evidence.rungs[-1].case
    return bool(still)


def _scaled(recipe: Insert3D, place: int, scale: float) -> Insert3D:
    objects = list(recipe.objects)
    mesh, x, y, z, yaw = objects[place]
    objects[place] = (scaled_name(mesh, scale), x, y, z, yaw)
    return replace(recipe, objects=tuple(objects))
