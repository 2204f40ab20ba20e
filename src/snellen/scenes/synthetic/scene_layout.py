"""What stands where in a generated scene: decided before a pixel is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from snellen.errors import UserError

BORDER = 4
DRAWS_AN_OBJECT = 50
LAYOUTS_A_SCENE = 10
LONGEST_TO_SHORTEST = 1.8


class Background(StrEnum):
    """What lies behind the objects."""

    PLAIN = "plain"
    GRADIENT = "gradient"
    TEXTURE = "texture"


class Shade(StrEnum):
    """How bright the objects are: the mark that tells new objects from those of the scene."""

    BRIGHT = "bright"
    DEEP = "deep"


class ObjectShape(StrEnum):
    """The outline of an object."""

    RECTANGLE = "rectangle"
    ELLIPSE = "ellipse"


@dataclass(frozen=True)
class Look:
    """What all scenes of a generated set have in common.

    size: (height, width) in pixels. objects: fewest and most a scene. sides: shortest and longest
    side of an object's box in pixels. classes: how many. gap: fewest pixels between two boxes.
    """

    size: tuple[int, int]
    objects: tuple[int, int]
    sides: tuple[int, int]
    classes: int
    gap: int
    background: Background
    shade: Shade


@dataclass(frozen=True)
class SyntheticObject:
    """One object of a generated scene. box: x1 y1 x2 y2 in whole pixels, half-open."""

    box: tuple[int, int, int, int]
    label: int
    shape: ObjectShape


def layout(look: Look, seed: int, index: int) -> tuple[SyntheticObject, ...]:
    """The objects of scene `index`: inside the image and at least `gap` pixels apart.

    Depends on the look, the seed and the index alone, not on how many scenes there are.
    """
    rng = np.random.default_rng([seed, index, 0])
    count = int(rng.integers(look.objects[0], look.objects[1] + 1))
    for _ in range(LAYOUTS_A_SCENE):
        things = _attempt(look, count, rng)
        if len(things) == count:
            return things
    raise UserError(
        f"synthetic scene {index} has no room for {count} objects of {look.sides[0]} to "
        f"{look.sides[1]} pixels, {look.gap} apart, in {look.size[1]}x{look.size[0]} pixels. "
        "Ask for fewer or smaller objects, a smaller gap, or a larger size."
    )


def _attempt(look: Look, count: int, rng: np.random.Generator) -> tuple[SyntheticObject, ...]:
    things: list[SyntheticObject] = []
    for _ in range(count * DRAWS_AN_OBJECT):
        if len(things) == count:
            break
        thing = _draw(look, rng)
        if all(_apart(thing.box, other.box, look.gap) for other in things):
            things.append(thing)
    return tuple(things)


def _draw(look: Look, rng: np.random.Generator) -> SyntheticObject:
    height, width = look.size
    w = int(rng.integers(look.sides[0], look.sides[1] + 1))
    lowest = max(look.sides[0], int(np.ceil(w / LONGEST_TO_SHORTEST)))
    highest = min(look.sides[1], int(w * LONGEST_TO_SHORTEST))
    h = int(rng.integers(lowest, highest + 1))
    x = int(rng.integers(BORDER, width - BORDER - w + 1))
    y = int(rng.integers(BORDER, height - BORDER - h + 1))
    shape = ObjectShape.ELLIPSE if rng.random() < 0.5 else ObjectShape.RECTANGLE
    return SyntheticObject((x, y, x + w, y + h), int(rng.integers(look.classes)), shape)


def _apart(a: tuple[int, int, int, int], b: tuple[int, int, int, int], gap: int) -> bool:
    return b[0] - a[2] >= gap or a[0] - b[2] >= gap or b[1] - a[3] >= gap or a[1] - b[3] >= gap
