"""The tests of a scene: which object goes where around which base instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.methods.free_places import pasted_box
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance
from snellen.methods.robustness.insertions.object_choice import InsertionObject
from snellen.methods.robustness.insertions.places_around import drawn_places, exact_distance
from snellen.methods.robustness.options import RobustnessOptions


@dataclass(frozen=True, eq=False)
class LevelInsertion:
    """A planned insertion. level: 1 is the nearest. share: of the start distance.

    distance: pixels from its rectangle to the contour.
    """

    recipe: Insert
    base: BaseInstance
    inserting: InsertionObject
    level: int
    share: float
    distance: float


def plan_levels(
    base: BaseInstance,
    outline: BaseContour,
    objects: Sequence[InsertionObject],
    options: RobustnessOptions,
    count: int,
    rng: Generator,
) -> list[LevelInsertion]:
    """`count` tests per level, from the farthest to the nearest; fewer where room is short.

    The same objects are used at every level, each equally often.
    """
    shares = options.shares
    found: dict[Insert, LevelInsertion] = {}
    for level in range(len(shares), 0, -1):
        share = shares[level - 1]
        for one, part in zip(objects, _even(count, len(objects)), strict=True):
            places = drawn_places(one.around, share, shares, part, base, options.tolerance, rng)
            for x, y in places.tolist():
                recipe = Insert(
                    one.entry.id, x, y, *one.around.size, options.blending.value, options.feather
                )
                far = exact_distance(outline, pasted_box(recipe))
                found.setdefault(recipe, LevelInsertion(recipe, base, one, level, share, far))
    return list(found.values())


def _even(total: int, parts: int) -> list[int]:
    return [total // parts + (part < total % parts) for part in range(parts)]
