"""Generated pictures drawn so that the ground truth can be read off the pixels.

Each class has its own saturated, nearly flat hue. Each object has a dark ring inside its outline, a
tenth of its shorter side thick, so that touching objects can be separated. The background is
neither saturated nor dark. These properties survive scaling, soft-edged pasting and JPEG.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from snellen.scenes.synthetic.scene_layout import (
    Background,
    Look,
    ObjectShape,
    Shade,
    SyntheticObject,
    layout,
)
from snellen.vision.arrays import F32, F64, Bools, Image

DRAWING = "1"  # Increment it whenever the same look, seed and index give different pixels.
RING = 25
VALUE = {Shade.BRIGHT: 235, Shade.DEEP: 165}
SATURATION = 0.85
MOST_CLASSES = 12


@dataclass(frozen=True)
class GeneratedPicture:
    """The image of one generated scene, drawn on demand."""

    look: Look
    seed: int
    index: int

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB."""
        rng = np.random.default_rng([self.seed, self.index, 1])
        canvas = _background(self.look, rng)
        for item in layout(self.look, self.seed, self.index):
            _draw(canvas, item, self.look, rng)
        return canvas

    def digest(self) -> str:
        """BLAKE2 of everything that determines the pixels."""
        source = repr((DRAWING, self.look, self.seed, self.index))
        return hashlib.blake2b(source.encode(), digest_size=16).hexdigest()


def ring_width(width: int, height: int) -> int:
    """The thickness in pixels of the dark ring of an object of this size."""
    return max(3, round(0.1 * min(width, height)))


def shape_mask(shape: ObjectShape, width: int, height: int) -> Bools:
    """The mask of a rectangle or ellipse that fills its box, height x width bool."""
    if shape == ObjectShape.RECTANGLE:
        return np.ones((height, width), dtype=bool)
    y = (np.arange(height) + 0.5) / height * 2 - 1
    x = (np.arange(width) + 0.5) / width * 2 - 1
    return np.asarray(y[:, None] ** 2 + x[None, :] ** 2 <= 1.0)


def colour(label: int, classes: int, value: int) -> F64:
    """The RGB colour of a class: hues evenly spaced around the circle, starting at red.

    >>> colour(0, 6, 200).tolist(), colour(2, 6, 200).tolist()
    ([200.0, 30.0, 30.0], [30.0, 200.0, 30.0])
    """
    sixths = label / classes * 6
    offset = np.array([5.0, 3.0, 1.0])
    k = (offset + sixths) % 6
    ramp = np.clip(np.minimum(k, 4 - k), 0, 1)
    return np.asarray(np.round(value * (1 - SATURATION * ramp), 6))


def _draw(canvas: Image, item: SyntheticObject, look: Look, rng: np.random.Generator) -> None:
    x1, y1, x2, y2 = item.box
    ring = ring_width(x2 - x1, y2 - y1)
    outer = canvas[y1:y2, x1:x2]
    outer[shape_mask(item.shape, x2 - x1, y2 - y1)] = RING
    inner = canvas[y1 + ring : y2 - ring, x1 + ring : x2 - ring]
    filled = shape_mask(item.shape, inner.shape[1], inner.shape[0])
    grain = rng.uniform(0.97, 1.03, inner.shape[:2])[filled]
    inner[filled] = grain[:, None] * colour(item.label, look.classes, VALUE[look.shade])


def _background(look: Look, rng: np.random.Generator) -> Image:
    """Grey with a faint tint, every channel between 104 and 236."""
    height, width = look.size
    tint = rng.integers(-6, 7, 3).astype(np.uint8)
    light = np.full((height, width), rng.uniform(150, 190), dtype=np.float32)
    if look.background != Background.PLAIN:
        light += _slope(height, width, rng)
    if look.background == Background.TEXTURE:
        light += _clouds(height, width, rng)
        light += 12 * rng.random((height, width), dtype=np.float32) - 6
    grey = light.astype(np.uint8)
    # A negative tint wraps around as uint8, and the sum wraps back.
    return np.dstack([grey + shift for shift in tint])


def _slope(height: int, width: int, rng: np.random.Generator) -> F32:
    down, right = rng.uniform(-12, 12, 2)
    return np.add.outer(
        np.linspace(-down, down, height, dtype=np.float32),
        np.linspace(-right, right, width, dtype=np.float32),
    )


def _clouds(height: int, width: int, rng: np.random.Generator) -> F32:
    """Smooth noise within -10 to 10: a coarse random grid, interpolated."""
    grid = rng.uniform(-10, 10, (7, 9)).astype(np.float32)
    return _stretched(_stretched(grid, height).T, width).T


def _stretched(grid: F32, length: int) -> F32:
    """The rows of a grid, interpolated linearly to `length` rows.

    Avoids matrix products, whose last digit may differ between machines.
    """
    place = np.linspace(0, len(grid) - 1, length, dtype=np.float32)
    above = np.minimum(place.astype(np.int64), len(grid) - 2)
    share = (place - above.astype(np.float32))[:, None]
    return np.asarray(grid[above] * (1 - share) + grid[above + 1] * share)
