"""The layout of a generated scene: which object stands where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from snellen.errors import UserError

BORDER = 4
DRAWS_PER_OBJECT = 50
LAYOUTS_PER_SCENE = 10
MAX_ASPECT = 1.8


class Background(StrEnum):
    """The background behind the objects."""

    PLAIN = "plain"
    GRADIENT = "gradient"
    TEXTURE = "texture"


class Shade(StrEnum):
    """The brightness of the objects, which marks inserted objects."""

    BRIGHT = "bright"
    DEEP = "deep"


class ObjectShape(StrEnum):
    """The outline of an object."""

    RECTANGLE = "rectangle"
    ELLIPSE = "ellipse"


@dataclass(frozen=True)
class Look:
    """The properties shared by all scenes of a generated set.

    size: (height, width) in pixels. objects: minimum and maximum per scene. sides: minimum and
    maximum side of an object's box in pixels. classes: their number. gap: minimum distance of two
    boxes in pixels.
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
    """The objects of scene `index`, within the image and separated by at least `gap` pixels.

    They depend only on the look, the seed and the index, not on the number of scenes.
    """
    rng = np.random.default_rng([seed, index, 0])
    count = int(rng.integers(look.objects[0], look.objects[1] + 1))
    for _ in range(LAYOUTS_PER_SCENE):
        objects = _attempt(look, count, rng)
        if len(objects) == count:
            return objects
    raise UserError(
        f"scenes: synthetic scene {index} of {look.size[1]}x{look.size[0]} pixels has no room for "
        f"{count} objects of {look.sides[0]} to {look.sides[1]} pixels with a gap of {look.gap}. "
        "Reduce 'objects', 'sides' or 'gap', or increase 'size'."
    )


def _attempt(look: Look, count: int, rng: np.random.Generator) -> tuple[SyntheticObject, ...]:
    objects: list[SyntheticObject] = []
    for _ in range(count * DRAWS_PER_OBJECT):
        if len(objects) == count:
            break
        item = _draw(look, rng)
        if all(_apart(item.box, other.box, look.gap) for other in objects):
            objects.append(item)
    return tuple(objects)


def _draw(look: Look, rng: np.random.Generator) -> SyntheticObject:
    height, width = look.size
    w = int(rng.integers(look.sides[0], look.sides[1] + 1))
    lowest = max(look.sides[0], int(np.ceil(w / MAX_ASPECT)))
    highest = min(look.sides[1], int(w * MAX_ASPECT))
    h = int(rng.integers(lowest, highest + 1))
    x = int(rng.integers(BORDER, width - BORDER - w + 1))
    y = int(rng.integers(BORDER, height - BORDER - h + 1))
    shape = ObjectShape.ELLIPSE if rng.random() < 0.5 else ObjectShape.RECTANGLE
    return SyntheticObject((x, y, x + w, y + h), int(rng.integers(look.classes)), shape)


def _apart(a: tuple[int, int, int, int], b: tuple[int, int, int, int], gap: int) -> bool:
    return b[0] - a[2] >= gap or a[0] - b[2] >= gap or b[1] - a[3] >= gap or a[1] - b[3] >= gap
