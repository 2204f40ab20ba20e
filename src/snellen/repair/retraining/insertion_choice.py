"""Which insertions go into the pictures of a scene: at failing places, and at random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.repairs import FreePlaces
from snellen.methods.free_places import Box, pasted_box
from snellen.repair.retraining.failure_clusters import Ranked, ranked_places
from snellen.repair.retraining.insertion_places import ScenePlaces
from snellen.repair.retraining.options import RetrainingOptions


class PlaceReason(StrEnum):
    """Why an object is where it is."""

    FAILING = "failing"
    RANDOM = "random"


@dataclass(frozen=True)
class ChosenInsertion:
    """One insertion of a picture.

    case: the failing one whose place it has or, at a random place, the one whose object it has.
    instance: index of the scene's detection that the place failed for. cluster: its number in the
    scene, 0 the largest. Both None where there is none.
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
    """A scene to put insertions into.

    known: (N, 4) xyxy of what failing places must keep clear of. free: places for random ones.
    labels: names of the objects by id.
    """

    tested: ScenePlaces
    known: npt.NDArray[np.float32]
    free: FreePlaces
    labels: Mapping[str, str]


def chosen_pictures(
    ground: InsertionGround, options: RetrainingOptions, rng: Generator
) -> list[tuple[ChosenInsertion, ...]]:
    """The insertions of each picture of a scene; no place is taken twice.

    A picture may have fewer than asked for where places overlap; without any failing place, though
    some were asked for, there is none.
    """
    clear = [one for one in ground.tested.failing if not overlaps(one.box, ground.known)]
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
    """The first places that do not overlap each other, at most `count`."""
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
    """These and random ones: objects as the scene was tested with, at any free place."""
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


def overlaps(box: Box, boxes: npt.NDArray[np.float32] | Sequence[Box]) -> bool:
    """Whether a box shares more than a border with any of the boxes, (N, 4) xyxy."""
    x1, y1, x2, y2 = np.asarray(boxes, dtype=np.float64).reshape(-1, 4).T
    apart = (box[0] >= x2) | (box[2] <= x1) | (box[1] >= y2) | (box[3] <= y1)
    return not bool(apart.all())
