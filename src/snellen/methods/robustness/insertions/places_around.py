"""Places around a base instance by distance to its contour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.methods.free_places import FreeSpace
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.options import Contour, RobustnessOptions, Start
from snellen.vision.arrays import F32, F64, Bools, Ints, Ints32
from snellen.vision.saliency.contours import distance_to

LEAST = 1.0
"""The minimum tolerance of a distance, in pixels."""


@dataclass(frozen=True, eq=False)
class PlacesAround:
    """All free places of an object of one size around one base instance.

    size: (width, height). places: (K, 2) corners. far: (K,) pixels to the contour. reach: the
    smallest distance of a free place. start: the distance of the farthest level.
    """

    size: tuple[int, int]
    places: Ints
    far: F64
    reach: float
    start: float

    def target(self, share: float) -> float:
        """The distance of a level: 0 is as close as allowed, 1 the start distance."""
        return self.reach + share * (self.start - self.reach)


def places_around(
    prepared: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    size: tuple[int, int],
    options: RobustnessOptions,
) -> PlacesAround | None:
    """The places of an object of size (width, height), or None without room nearby."""
    places = free_places(prepared, base, outline, size, options)
    if not len(places):
        return None
    table = distance_map(outline.points, prepared.scene.size, size, outline.warm)
    far = table[places[:, 1], places[:, 0]].astype(np.float64)
    reach, start = float(far.min()), float(far.max())
    if options.start == Start.DIAGONAL:
        start = min(start, base.diagonal)
    if start <= reach + LEAST:
        return None
    return PlacesAround(size, places, far, reach, start)


def free_places(
    prepared: RobustnessScene,
    base: BaseInstance,
    outline: BaseContour,
    size: tuple[int, int],
    options: RobustnessOptions,
) -> Ints:
    """Corners (K, 2) of all places that cover no other object, and the base as far as allowed.

    The base is its box, or its mask where the contour comes from it.
    """
    own = prepared.own(base)
    whole = FreeSpace(prepared.scene.size, prepared.obstacles)
    everywhere = (0, 0, prepared.scene.size[1], prepared.scene.size[0])
    shape = outline.warm if outline.kind == Contour.MASK else None
    if shape is None and options.cover == 0:
        return whole.free(everywhere, *size)
    others = FreeSpace(prepared.scene.size, prepared.obstacles[~own])
    places = others.free(everywhere, *size)
    body = shape if shape is not None else _filled(base, prepared.scene.size)
    covered = covered_pixels(body, size)[places[:, 1], places[:, 0]]
    return places[covered <= options.cover * int(body.sum())]


def _filled(base: BaseInstance, size: tuple[int, int]) -> Bools:
    body = np.zeros(size, dtype=bool)
    x1, y1 = (max(0, int(np.floor(side))) for side in base.box[:2])
    x2, y2 = (int(np.ceil(side)) for side in base.box[2:])
    body[y1:y2, x1:x2] = True
    return body


def covered_pixels(body: Bools, size: tuple[int, int]) -> Ints32:
    """How many pixels of a mask (H, W) a rectangle covers, for each corner that keeps it inside.

    size: its (width, height). Shape (H - height + 1, W - width + 1).
    """
    import cv2

    width, height = size
    sums = cv2.integral(np.ascontiguousarray(body).view(np.uint8))
    lower = sums[height:] - sums[:-height]
    return np.asarray(lower[:, width:] - lower[:, :-width])


def distance_map(
    points: F64, image: tuple[int, int], size: tuple[int, int], warm: Bools | None = None
) -> F32:
    """Pixels from a rectangle to a contour, for each corner that keeps it inside the image.

    points: (K, 2) x y. image: (height, width); size: (width, height) of the rectangle. warm: the
    region inside the contour; a rectangle that covers some of it has 0. Exact to a pixel. The
    distance of a rectangle to a point is that of its corner to the corners of rectangles that
    contain the point.
    """
    import cv2

    width, height = size
    rows, columns = image[0] - height + 1, image[1] - width + 1
    apart = np.ones((rows, columns), dtype=np.uint8)
    for x, y in np.clip(points, 0, (image[1], image[0])):
        left, right = max(0, int(np.ceil(x - width))), min(columns - 1, int(x))
        top, bottom = max(0, int(np.ceil(y - height))), min(rows - 1, int(y))
        apart[top : bottom + 1, left : right + 1] = 0
    if warm is not None:
        apart[covered_pixels(warm, size) > 0] = 0
    return np.asarray(cv2.distanceTransform(apart, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))


def drawn_places(
    around: PlacesAround,
    share: float,
    shares: Sequence[float],
    count: int,
    base: BaseInstance,
    tolerance: float,
    rng: Generator,
) -> Ints:
    """At most `count` places of a level, each equally likely, in all directions: (K, 2) corners.

    Where no place has the level's distance, those nearest to it are taken unless they are nearer
    to another level's.
    """
    off = np.abs(around.far - around.target(share))
    slack = max(LEAST, tolerance * around.start)
    steps = [abs(share - other) for other in shares if other != share]
    most = max(slack, min(steps, default=1.0) * (around.start - around.reach) / 2)
    within = np.flatnonzero(off <= min(most, float(off.min()) + slack))
    if not len(within):
        return around.places[within]
    return around.places[within[_spread(around, within, count, base, rng)]]


def _spread(
    around: PlacesAround,
    within: Ints,
    count: int,
    base: BaseInstance,
    rng: Generator,
) -> Ints:
    """Every nth place by direction from the base, from a random start."""
    shuffled = rng.permutation(len(within))
    centres = around.places[within[shuffled]] + np.array(around.size) / 2
    angles = np.arctan2(*(centres - np.array(base.centre)).T[::-1])
    order = shuffled[np.argsort(angles, kind="stable")]
    count = min(count, len(order))
    steps = (rng.random() + np.arange(count)) * len(order) / count
    return order[np.minimum(steps.astype(np.int64), len(order) - 1)]


def exact_distance(outline: BaseContour, box: Sequence[float]) -> float:
    """Pixels from a rectangle (xyxy) to a contour, to the hundredth."""
    return round(float(distance_to(outline.points, [box], outline.warm)[0]), 2)
