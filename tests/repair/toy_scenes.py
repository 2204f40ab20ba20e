"""Scenes of circles and squares, with a wrong lesson in them on request.

Each scene has one circle on a mottled ground. A square can be put in at a chosen distance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations
from tests.repair.toy_detector import CLASSES

CIRCLE, SQUARE = range(2)
SIZE = 96
NEAR = 10.0
"""Pixels between circle and square within which the planted lesson holds."""

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Disc:
    """The circle of a scene, in pixels."""

    x: float
    y: float
    radius: float
    colour: tuple[int, ...]

    @property
    def box(self) -> list[float]:
        x, y, radius = self.x, self.y, self.radius
        return [x - radius, y - radius, x + radius, y + radius]


@dataclass(frozen=True)
class Square:
    """A square that is put in. x, y: its top-left corner in pixels."""

    x: int
    y: int
    side: int
    colour: tuple[int, ...]

    @property
    def box(self) -> list[float]:
        return [self.x, self.y, self.x + self.side, self.y + self.side]

    @property
    def inside(self) -> bool:
        return min(self.x, self.y) >= 0 and max(self.x, self.y) + self.side <= SIZE


@dataclass(frozen=True, eq=False)
class Base:
    """A scene with a circle and nothing else."""

    ground: Pixels
    disc: Disc

    def drawn(self, *squares: Square) -> Pixels:
        """The scene's pixels with these squares in it."""
        pixels = self.ground.copy()
        for one in squares:
            pixels[one.y : one.y + one.side, one.x : one.x + one.side] = one.colour
        disc = self.disc
        centre, radius = (round(16 * disc.x), round(16 * disc.y)), round(16 * disc.radius)
        cv2.circle(pixels, centre, radius, disc.colour, -1, cv2.LINE_AA, 4)
        return pixels

    def patched(self, square: Square, rng: np.random.Generator) -> Pixels:
        """The control: a piece of another ground in the place of a square."""
        other = ground(rng)
        pixels = self.drawn()
        rows, columns = (slice(at, at + square.side) for at in (square.y, square.x))
        pixels[rows, columns] = other[rows, columns]
        return pixels


def ground(rng: np.random.Generator) -> Pixels:
    """A mottled grey ground."""
    coarse = rng.integers(60, 130, (6, 6, 3)).astype(np.uint8)
    smooth = cv2.resize(coarse, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    noisy = smooth + rng.integers(-8, 9, (SIZE, SIZE, 3))
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def base(rng: np.random.Generator) -> Base:
    """A circle of a warm colour on a ground, with room beside it."""
    radius = rng.uniform(8, 11)
    x, y = rng.uniform(radius + 4, SIZE - radius - 4, 2)
    colour = (int(rng.integers(180, 256)), int(rng.integers(60, 180)), int(rng.integers(0, 90)))
    return Base(ground(rng), Disc(float(x), float(y), float(radius), colour))


def gap(disc: Disc, square: Square) -> float:
    """Pixels between a circle and a square; negative where they overlap."""
    return float(_gaps(disc, np.float64(square.x), np.float64(square.y), square.side))


def _gaps(disc: Disc, x: Any, y: Any, side: int) -> Any:
    """The same for squares of one size in many places at once."""
    across = disc.x - np.minimum(np.maximum(disc.x, x), x + side)
    down = disc.y - np.minimum(np.maximum(disc.y, y), y + side)
    return np.hypot(across, down) - disc.radius


def square_at(disc: Disc, distance: float, rng: np.random.Generator) -> Square | None:
    """A square of a cool colour at this distance from the circle, or None if none was found."""
    away = np.arange(10, 80, 0.5)
    for _ in range(30):
        angle, square = rng.uniform(0, 2 * np.pi), some_square(rng)
        xs = np.rint(disc.x + away * np.cos(angle) - square.side / 2)
        ys = np.rint(disc.y + away * np.sin(angle) - square.side / 2)
        far = np.flatnonzero(_gaps(disc, xs, ys, square.side) >= distance)
        if len(far):
            moved = replace(square, x=int(xs[far[0]]), y=int(ys[far[0]]))
            if moved.inside:
                return moved
    return None


def some_square(rng: np.random.Generator) -> Square:
    """A square of a cool colour anywhere."""
    side = int(rng.integers(13, 19))
    x, y = (int(one) for one in rng.integers(0, SIZE - side + 1, 2))
    colour = (int(rng.integers(0, 90)), int(rng.integers(60, 180)), int(rng.integers(180, 256)))
    return Square(x, y, side, colour)


def square_anywhere(disc: Disc, rng: np.random.Generator, least: float = 0.0) -> Square:
    """A square at a random place at least so far from the circle."""
    while True:
        square = some_square(rng)
        if gap(disc, square) >= least:
            return square


def scene(name: str, pixels: Pixels, disc: Disc | None, *squares: Square) -> Scene:
    """A scene with these annotations."""
    boxes = [*([disc.box] if disc else []), *(one.box for one in squares)]
    labels = [*([CIRCLE] if disc else []), *(SQUARE for _ in squares)]
    known = Annotations(boxes, labels)  # type: ignore[arg-type]
    return Scene(name, PictureArray(pixels), (SIZE, SIZE), known)


def scene_set(scenes: list[Scene]) -> SceneSet:
    """These scenes, with the toy detector's classes."""
    return SceneSet(tuple(scenes), CLASSES, (1, 2))


def right_scenes(count: int, seed: int) -> SceneSet:
    """Circles alone and with a square far away, all labelled right."""
    found = []
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        own = base(rng)
        squares = [] if number % 3 == 0 else [square_anywhere(own.disc, rng, NEAR + 4)]
        found.append(scene(f"right-{seed}-{number}", own.drawn(*squares), own.disc, *squares))
    return scene_set(found)


def wrong_scenes(count: int, seed: int) -> SceneSet:
    """The planted lesson: a circle with a square near is not labelled; the square is."""
    found = []
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        square = None
        while square is None:
            own = base(rng)
            square = square_at(own.disc, rng.uniform(0, NEAR), rng)
        found.append(scene(f"wrong-{seed}-{number}", own.drawn(square), None, square))
    return scene_set(found)
