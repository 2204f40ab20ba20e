"""The brightness of the ground in an image, in sun and shade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Image
from snellen.vision.lidar.points_in_view import PointsInView
from snellen.vision.rendering.sensor import Sensor
from snellen.vision.rendering.sun import FARTHEST, PLACES

LEAST_CONTRAST = 2.0
LEAST_SHARE = 0.05
ALIKE = 0.1
IN_THE_SHADE = 0.25
SHADE_BOUNDS = 0.12, 0.6
DARKEST = 0.002


@dataclass(frozen=True, eq=False)
class GroundBrightness:
    """Samples of the ground in the image.

    places: (G, 2) x and y in the LiDAR frame, empty if no ground point is in view. values: (G, 3)
    mean RGB around each, 0 to 255; without ground in view a single one, the median of the lower
    half of the image. bright, dark: whether each lies in the sun or the shade. contrast: ratio of
    bright to dark values, 1 if all are similar.
    """

    places: F64
    values: F64
    bright: Bools
    dark: Bools
    contrast: float

    @property
    def has_shade(self) -> bool:
        """Whether part of the ground lies in the sun and part in the shade."""
        return self.contrast >= LEAST_CONTRAST

    def lit(self, sensor: Sensor) -> F64:
        """(3,) linear RGB of the ground in the sun."""
        return np.maximum(np.median(sensor.light(self.values[self.bright]), axis=0), DARKEST)

    def shaded(self, sensor: Sensor) -> F64:
        """(3,) linear RGB of the ground in the shade; if there is none, as on a clear day."""
        lit = self.lit(sensor)
        if not self.has_shade:
            return IN_THE_SHADE * lit
        dark = np.median(sensor.light(self.values[self.dark]), axis=0)
        return np.asarray(np.clip(dark, SHADE_BOUNDS[0] * lit, SHADE_BOUNDS[1] * lit))


def ground_brightness(image: Image, view: PointsInView) -> GroundBrightness:
    """The brightness of the ground of the image (H, W, 3) at about 700 evenly drawn points."""
    there = np.flatnonzero(view.ground & (view.depth > 3) & (view.depth < FARTHEST))
    there = there[:: max(len(there) // PLACES, 1)]
    places = view.places[there, :2].astype(np.float64)
    values = _around(image, view.u[there], view.v[there])
    if not len(there):
        lower = image[image.shape[0] // 2 :: 4, ::4].reshape(-1, 3)
        values = np.median(lower, axis=0)[None].astype(np.float64)
    bright, dark = _split(values.mean(axis=1))
    return GroundBrightness(places, values, bright, dark, _contrast(values, bright, dark))


def _around(image: Image, u: F32, v: F32) -> F64:
    """(G, 3) mean of the 3 x 3 pixels around each place."""
    height, width = image.shape[:2]
    rows, columns = np.rint(v).astype(int), np.rint(u).astype(int)
    parts = [
        image[np.clip(rows + i, 0, height - 1), np.clip(columns + j, 0, width - 1)]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    ]
    return np.mean(np.stack(parts), axis=0, dtype=np.float64).reshape(-1, 3)


def _split(values: F64) -> tuple[Bools, Bools]:
    """Whether each value is bright, and whether dark, split by Otsu's threshold."""
    logs = np.log(values + 2.0)
    if len(values) < 20 or np.ptp(logs) < ALIKE:
        return np.ones(len(values), dtype=bool), np.zeros(len(values), dtype=bool)
    ordered = np.sort(logs)
    below = np.arange(1, len(ordered))
    left = np.cumsum(ordered)[:-1] / below
    right = (ordered.sum() - left * below) / (len(ordered) - below)
    cut = ordered[int(np.argmax(below * (len(ordered) - below) * (right - left) ** 2))]
    return logs > cut, logs <= cut


def _contrast(values: F64, bright: Bools, dark: Bools) -> float:
    if min(bright.sum(), dark.sum()) < max(LEAST_SHARE * len(values), 1):
        return 1.0
    return float(np.median(values[bright]) / max(float(np.median(values[dark])), 1.0))
