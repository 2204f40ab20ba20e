"""The insertions in the pictures of a scene: at failing and at random places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.repairs import FreePlaces
from snellen.methods.free_places import Box, pasted_box
from snellen.repair.retraining.failure_clusters import Ranked, ranked_places
from snellen.repair.retraining.insertion_places import ScenePlaces
from snellen.repair.retraining.options import RetrainingOptions
from snellen.vision.arrays import F32


class PlaceReason(StrEnum):
    """Why an object is at its place."""

    FAILING = "failing"
    RANDOM = "random"


@dataclass(frozen=True)
class ChosenInsertion:
    """One insertion of a picture.

    case: the failing case whose place it has or, at a random place, the case whose object it has.
    instance: index of the scene's detection that failed. cluster: its number in the scene, 0 for
    the largest. Both may be None.
    """

    recipe: Insert
    why: PlaceReason
    case: str
    instance: int | None = None
    cluster: int | None = None

    @property
    def box(self) -> Box:
        """Its rectangle, xyxy."""
        return pasted_box(self.recipe)


@dataclass(frozen=True, eq=False)
class InsertionGround:
    """A scene for insertions.

    obstacles: (N, 4) xyxy boxes that failing places must not overlap. free: places for random
    ones. labels: names of the objects by id.
    """

    tested: ScenePlaces
    obstacles: F32
    free: FreePlaces
    labels: Mapping[str, str]


def chosen_pictures(
    ground: InsertionGround, options: RetrainingOptions, rng: Generator
) -> list[tuple[ChosenInsertion, ...]]:
    """The insertions of each picture of a scene; no place is used twice.

    A picture may have fewer than requested if places overlap; there is no picture without a
    failing place if some were requested.
    """
    clear = [one for one in ground.tested.failing if not overlaps(one.box, ground.obstacles)]
    left = ranked_places(clear, options, rng)
    made = []
    for _ in range(options.pictures):
        failing = _failing(left, options.failing)
        if len(failing) < min(1, options.failing):
            break
        used = {one.case for one in failing}
        left = [one for one in left if one[0].case not in used]
        picture = _with_random(ground, failing, options, rng)
        made += [picture] if picture else []
    return made


def _failing(left: Ranked, count: int) -> list[ChosenInsertion]:
    """The first places without mutual overlap, at most `count`."""
    taken: list[ChosenInsertion] = []
    for place, cluster in left:
        if len(taken) == count:
            break
        if not overlaps(place.box, [one.box for one in taken]):
            taken.append(
                ChosenInsertion(
                    place.recipe, PlaceReason.FAILING, place.case, place.instance, cluster
                )
            )
    return taken


def _with_random(
    ground: InsertionGround,
    failing: list[ChosenInsertion],
    options: RetrainingOptions,
    rng: Generator,
) -> tuple[ChosenInsertion, ...]:
    """These and random insertions: objects that the scene was tested with, at free places."""
    donors = ground.tested.failing or ground.tested.places
    taken = list(failing)
    for _ in range(options.random):
        donor = donors[rng.integers(len(donors))]
        recipe = donor.recipe
        label, boxes = ground.labels.get(recipe.object, ""), [one.box for one in taken]
        free = ground.free(label, recipe.width, recipe.height, boxes)
        if len(free):
            x, y = free[rng.integers(len(free))].tolist()
            moved = replace(recipe, x=x, y=y)
            taken.append(ChosenInsertion(moved, PlaceReason.RANDOM, donor.case))
    return tuple(taken)


def overlaps(box: Box, boxes: F32 | Sequence[Box]) -> bool:
    """Whether a box overlaps any of the boxes, (N, 4) xyxy; touching is no overlap."""
    x1, y1, x2, y2 = np.asarray(boxes, dtype=np.float64).reshape(-1, 4).T
    disjoint = (box[0] >= x2) | (box[2] <= x1) | (box[1] >= y2) | (box[3] <= y1)
    return not bool(disjoint.all())
