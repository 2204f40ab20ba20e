"""Where an object is inserted, and at which size."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.random import Generator

from snellen.methods.insertion.options import Footing
from snellen.methods.insertion.perspective import Standing
from snellen.methods.insertion.placement import Placement, draw, frame_around
from snellen.methods.insertion.room_search import RoomStep
from snellen.objects.selection import ObjectChoice
from snellen.vision.arrays import Ints

if TYPE_CHECKING:
    from snellen.methods.insertion.plan import InsertionScene

Spot: TypeAlias = tuple[int, int, int, int]
"""x and y of the top-left corner, width and height, in pixels."""


def drawn_spots(
    prepared: InsertionScene,
    choice: ObjectChoice,
    step: RoomStep,
    target: int,
    count: int,
    rng: Generator,
) -> list[Spot]:
    """At most `count` different spots for an object around a target, each equally likely."""
    if prepared.options.footing != Footing.PERSPECTIVE:
        return _of_one_size(prepared, choice, step, target, count, rng)
    found = [
        _free(prepared, choice, step, target, standing)
        for standing in prepared.perspective.standings(
            choice.label, target, step.placement != Placement.GUIDED
        )
    ]
    pool = np.concatenate(found) if found else np.zeros((0, 4), dtype=np.int64)
    count = min(count, len(pool))
    if count == 0:
        return []
    if step.placement == Placement.GRID:
        chosen = np.linspace(0, len(pool) - 1, count).round().astype(np.int64)
    else:
        chosen = rng.choice(len(pool), size=count, replace=False)
    return [(int(x), int(y), int(w), int(h)) for x, y, w, h in pool[chosen]]


def _of_one_size(
    prepared: InsertionScene,
    choice: ObjectChoice,
    step: RoomStep,
    target: int,
    count: int,
    rng: Generator,
) -> list[Spot]:
    size = max(1, round(step.scale * choice.width)), max(1, round(step.scale * choice.height))
    room = prepared.room(choice.label, size[1])
    places = draw(step.placement, room, prepared.objects.boxes[target], size, count, rng)
    return [(int(x), int(y), *size) for x, y in places]


def _free(
    prepared: InsertionScene,
    choice: ObjectChoice,
    step: RoomStep,
    target: int,
    standing: Standing,
) -> Ints:
    """(K, 4): all spots of an object at one distance."""
    none = np.zeros((0, 4), dtype=np.int64)
    entry, height = choice.entry, round(step.scale * standing.height)
    width = round(height * entry.width / entry.height)
    rows, columns = prepared.scene.size
    fits = prepared.perspective.least <= height < rows and 1 <= width < columns
    if not fits or height > prepared.options.enlarged * entry.height:
        return none
    like = prepared.ground_for(choice.label, target)
    size = width, height
    room = prepared.perspective.room(prepared.obstacles, size, standing, like)
    window = (0, 0, columns, rows)
    if step.placement == Placement.GUIDED:
        window = frame_around(prepared.objects.boxes[target], width, height)
    places = room.free(window, width, height)
    return np.concatenate([places, np.broadcast_to(size, (len(places), 2))], axis=1)
