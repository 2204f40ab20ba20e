"""The light of a frame, read off its ground: how bright it is in the sun and in the shade."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.vision.dense_depth import DenseDepth
from snellen.vision.dense_depth_sights import Sights
from snellen.vision.frames3d import Frames
from snellen.vision.lidar.ground_surface import GroundSurface
from snellen.vision.rendering.light import Light, Vector
from snellen.vision.rendering.sensor import Sensor, measured_sensor
from snellen.vision.rendering.sun import CELL, FARTHEST, PLACES, Evidence, sun_direction, walls

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

ROAD, WHITE = 0.2, 0.65
"""Reflectance that we take the lit ground and the brightest things in a street to have."""
LEAST_CONTRAST = 2.0
LEAST_SHARE = 0.05
ALIKE = 0.1
SHADE = 0.25, 0.6
"""What the shade gets of the light in the open where no shade is seen: in sun, under clouds."""
NEUTRAL = 0.5
THROUGH_CLOUD = 0.5
TALLER = 8.0
BLACKEST = 0.05
DAZZLING = 1.6
"""How bright we take a sky to be that the camera shows as white."""


@dataclass(frozen=True, eq=False)
class FrameLight:
    """The light of one frame.

    light: for things that stand in the open. lit, shaded: (3,) linear RGB of the ground in the sun
    and in the shade. sky, sun: (3,) what of `lit` comes from the sky and what from the sun.
    sensor: the camera.
    black: the value, 0 to 1, of the darkest things: glare in the lens lets none be darker.
    sun_seen: whether the frame shows where the sun stands; else it is taken to stand overhead,
    behind thin cloud, so that half of its light comes from all of the sky. score: how well shadows
    and walls fit the sun, up to 1.
    """

    light: Light
    lit: Floats
    shaded: Floats
    sky: Floats
    sun: Floats
    sensor: Sensor
    black: float
    sun_seen: bool
    score: float


def frame_light(
    image: Image,
    points: npt.NDArray[np.floating[Any]],
    ground: npt.NDArray[np.bool_],
    surface: GroundSurface,
    seen: Sights,
    dense: DenseDepth,
    frames: Frames,
) -> FrameLight:
    """The light of a frame; points: (N, 3 or more) of the sweep all around, seen: those in view."""
    places, colours = _ground_colours(image, seen)
    bright, dark = _split(colours.mean(axis=1))
    contrast = _contrast(colours, bright, dark)
    sensor = measured_sensor(image, contrast)
    glow = sensor.light(colours)
    lit = np.median(glow[bright], axis=0) if bright.any() else np.full(3, 0.35)
    shaded = np.median(glow[dark], axis=0) if contrast >= LEAST_CONTRAST else SHADE[0] * lit
    shaded = np.clip(shaded, 0.12 * lit, 0.6 * lit)
    facing, pixels = walls(dense, frames)
    wall_glow = sensor.light(image[pixels[:, 0], pixels[:, 1]]).mean(axis=1)
    heights = _heights(points, ground, surface)
    found = sun_direction(
        Evidence(heights, places, glow.mean(axis=1), facing, wall_glow),
        float(lit.mean()),
        float(shaded.mean()),
    )
    if found is None and contrast < LEAST_CONTRAST:
        shaded = SHADE[1] * lit  # nothing tells of a sun at all
    direction, score = found or ((0.0, 0.0, 1.0), 0.0)
    every = _colours(image, seen)
    whole = float(np.percentile(sensor.light(every).mean(axis=1), 97)) if len(every) else 1.0
    black = min(float(np.percentile(every, 1)) / 255, BLACKEST) if len(every) else 0.0
    sun = (1.0 if found else THROUGH_CLOUD) * np.maximum(lit - shaded, 0.0)
    light = _light(lit - sun, sun, direction, whole, glow.mean(axis=0), _sky(image, dense, sensor))
    return FrameLight(light, lit, shaded, lit - sun, sun, sensor, black, found is not None, score)


def _ground_colours(image: Image, seen: Sights) -> tuple[Floats, Floats]:
    """Places (G, 2) on the ground in view, evenly drawn, and the mean colour (G, 3) around each."""
    there = np.flatnonzero(seen.ground & (seen.depth > 3) & (seen.depth < FARTHEST))
    there = there[:: max(len(there) // PLACES, 1)]
    rows = np.clip(np.rint(seen.v[there]).astype(int), 1, image.shape[0] - 2)
    columns = np.clip(np.rint(seen.u[there]).astype(int), 1, image.shape[1] - 2)
    around = [image[rows + i, columns + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    mean = np.mean(np.stack(around), axis=0, dtype=np.float64)
    return seen.places[there, :2].astype(np.float64), mean.reshape(-1, 3)


def _colours(image: Image, seen: Sights) -> npt.NDArray[np.uint8]:
    rows, columns = (np.rint(values[::7]).astype(int) for values in (seen.v, seen.u))
    return np.asarray(image[rows, columns].reshape(-1, 3), dtype=np.uint8)


def _split(values: Floats) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which values are bright and which dark: parted where the two groups differ most (Otsu)."""
    logs = np.log(values + 2.0)
    if len(values) < 20 or np.ptp(logs) < ALIKE:
        return np.ones(len(values), dtype=bool), np.zeros(len(values), dtype=bool)
    ordered = np.sort(logs)
    below = np.arange(1, len(ordered))
    left = np.cumsum(ordered)[:-1] / below
    right = (ordered.sum() - left * below) / (len(ordered) - below)
    cut = ordered[int(np.argmax(below * (len(ordered) - below) * (right - left) ** 2))]
    return logs > cut, logs <= cut


def _contrast(colours: Floats, bright: npt.NDArray[np.bool_], dark: npt.NDArray[np.bool_]) -> float:
    """How many times brighter, in values, the bright ground is; 1 where it is all alike."""
    if min(bright.sum(), dark.sum()) < LEAST_SHARE * max(len(colours), 1):
        return 1.0
    return float(np.median(colours[bright]) / max(float(np.median(colours[dark])), 1.0))


def _heights(
    points: npt.NDArray[np.floating[Any]], ground: npt.NDArray[np.bool_], surface: GroundSurface
) -> Floats:
    """(n, n) height of what stands in the cells around, from every fifth point."""
    from snellen.vision.rendering.sun_kernels import tops

    others = np.ascontiguousarray(points[np.flatnonzero(~ground)[::5], :3], dtype=np.float32)
    flat = np.hypot(others[:, 0], others[:, 1])
    others = others[(flat > 2.5) & (flat < 50)]
    floor = surface(others[:, 0], others[:, 1])
    high = others[:, 2] - floor > 0.3
    rise = others[high, 2] / np.hypot(others[high, 0], others[high, 1])
    cut = float(np.percentile(rise, 99)) - 0.012 if len(rise) else 0.0
    return np.asarray(tops(others[high], floor[high], CELL, cut, TALLER))


def _sky(image: Image, dense: DenseDepth, sensor: Sensor) -> Floats | None:
    """Median linear RGB of bright pixels without any return in the upper half, None for too few."""
    upper = slice(0, image.shape[0] // 2, 6), slice(0, None, 6)
    pixels = image[upper][np.isinf(dense.depth[upper])]
    pixels = pixels[pixels.min(axis=1) > 110]
    return np.median(sensor.light(pixels), axis=0) if len(pixels) > 30 else None


def _light(
    open_sky: Floats,
    direct: Floats,
    towards: Vector,
    whole: float,
    around: Floats,
    seen_sky: Floats | None,
) -> Light:
    """The light that makes ground of the road's reflectance look so.

    The road alone would tell, were its reflectance known; so the brightest things count as much.
    """
    lit = float((open_sky + direct).mean())
    scale = np.sqrt(lit / ROAD * max(whole, lit) / WHITE) / max(lit, 1e-6)
    ambient = _paler(open_sky) * scale
    sun = _paler(direct) * scale / max(towards[2], 0.2)
    horizon = np.maximum(ambient if seen_sky is None else seen_sky, 0.5 * ambient)
    horizon = np.where(horizon > 0.98, DAZZLING, horizon)
    zenith = horizon * np.array([0.55, 0.66, 0.82])
    return replace(
        Light(towards),
        sun=_vector(sun),
        zenith=_vector(zenith),
        horizon=_vector(horizon),
        ground=_vector(_paler(around)),
        ambient=_vector(ambient),
    )


def _paler(colour: Floats) -> Floats:
    """The colour halfway to grey: streets are less colourless than we take them to be."""
    return np.asarray(colour.mean() + NEUTRAL * (colour - colour.mean()))


def _vector(values: Floats) -> Vector:
    return float(values[0]), float(values[1]), float(values[2])
