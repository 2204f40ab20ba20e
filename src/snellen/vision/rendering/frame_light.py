"""The light of a frame, estimated from the brightness of its ground in sun and shade."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.vision.arrays import F64, Bools, Floating, Image
from snellen.vision.compilation import read_only
from snellen.vision.lidar.dense_depth import DenseDepth
from snellen.vision.lidar.ground_surface import CELL as SURFACE_CELL
from snellen.vision.lidar.ground_surface import GroundSurface
from snellen.vision.lidar.points_in_view import PointsInView
from snellen.vision.rendering.ground_brightness import ground_brightness
from snellen.vision.rendering.light import Light, Vector
from snellen.vision.rendering.percentiles import percentile
from snellen.vision.rendering.sensor import Sensor, measured_sensor
from snellen.vision.rendering.sun import CELL, SunEvidence, sun_direction, walls
from snellen.vision.solids.coordinate_frames import CoordinateFrames

ROAD, WHITE = 0.2, 0.65
"""Assumed reflectance of lit ground, and of the brightest objects in a street."""
CLOUDED = 0.6
"""The share of the open light that reaches the shade if there is no evidence of the sun."""
NEUTRAL = 0.5
THROUGH_CLOUD = 0.5
TALLER = 8.0
BLACKEST = 0.05
DAZZLING = 1.6
"""Assumed brightness of a sky that is saturated in the image."""


@dataclass(frozen=True, eq=False)
class FrameLight:
    """The light of one frame.

    light: for objects in the open. lit, shaded: (3,) linear RGB of the ground in sun and shade.
    sky, sun: (3,) the parts of `lit` from the sky and from the sun. sensor: the camera. black: the
    value, 0 to 1, of the darkest objects; lens glare allows none darker. sun_found: whether the
    direction of the sun was found; otherwise it is assumed overhead behind thin cloud, so that half
    of its light comes from the whole sky. score: how well shadows and walls fit the sun, up to 1.
    """

    light: Light
    lit: F64
    shaded: F64
    sky: F64
    sun: F64
    sensor: Sensor
    black: float
    sun_found: bool
    score: float


def frame_light(
    image: Image,
    points: Floating,
    ground: Bools,
    surface: GroundSurface,
    view: PointsInView,
    dense: DenseDepth,
    frames: CoordinateFrames,
) -> FrameLight:
    """The light of a frame; points: (N, 3 or more) of the whole sweep, view: those in the image."""
    floor = ground_brightness(image, view)
    sensor = measured_sensor(image, floor.contrast)
    lit, shaded = floor.lit(sensor), floor.shaded(sensor)
    facing, pixels = walls(dense, frames)
    glow = sensor.light(floor.values)
    evidence = SunEvidence(
        _heights(points, ground, surface),
        floor.places,
        glow.mean(axis=1),
        facing,
        sensor.light(image[pixels[:, 0], pixels[:, 1]]).mean(axis=1),
    )
    found = sun_direction(evidence, float(lit.mean()), float(shaded.mean()))
    if found is None and not floor.has_shade:
        shaded = CLOUDED * lit
    direction, score = found or ((0.0, 0.0, 1.0), 0.0)
    sun = (1.0 if found else THROUGH_CLOUD) * np.maximum(lit - shaded, 0.0)
    black, white = _extremes(image, view, sensor)
    sky = _sky(image, dense, sensor)
    light = _light(lit - sun, sun, direction, white, glow.mean(axis=0), sky)
    return FrameLight(light, lit, shaded, lit - sun, sun, sensor, black, found is not None, score)


def _extremes(image: Image, view: PointsInView, sensor: Sensor) -> tuple[float, float]:
    """The value, 0 to 1, of the darkest pixels with a return, and the light of the brightest."""
    rows, columns = (np.rint(values[::7]).astype(int) for values in (view.v, view.u))
    colours = image[rows, columns]
    if not len(colours):
        return 0.0, 1.0
    white = percentile(sensor.light(colours).mean(axis=1), 97)
    return min(percentile(colours, 1) / 255, BLACKEST), white


def _heights(points: Floating, ground: Bools, surface: GroundSurface) -> F64:
    """(n, n) height of objects in the cells around, from every fifth point."""
    from snellen.vision.rendering.sun_kernels import cell_heights, standing_points

    cloud = read_only(np.asarray(points, dtype=np.float32))
    places, floor, rises = standing_points(cloud, ground, surface.heights, SURFACE_CELL, 5)
    cut = percentile(rises, 99) - 0.012 if len(rises) else 0.0
    return np.asarray(cell_heights(places, floor, CELL, cut, TALLER))


def _sky(image: Image, dense: DenseDepth, sensor: Sensor) -> F64 | None:
    """Median linear RGB of bright pixels without return in the upper half, None if too few."""
    upper = slice(0, image.shape[0] // 2, 6), slice(0, None, 6)
    pixels = image[upper][np.isinf(dense.depth[upper])]
    pixels = pixels[pixels.min(axis=1) > 110]
    return np.median(sensor.light(pixels), axis=0) if len(pixels) > 30 else None


def _light(
    open_sky: F64,
    direct: F64,
    towards: Vector,
    whole: float,
    around: F64,
    visible_sky: F64 | None,
) -> Light:
    """The light under which ground of the road's reflectance has the observed brightness.

    As the reflectance of the road is only assumed, the brightest objects count as much.
    """
    lit = float((open_sky + direct).mean())
    scale = np.sqrt(lit / ROAD * max(whole, lit) / WHITE) / max(lit, 1e-6)
    ambient = _paler(open_sky) * scale
    sun = _paler(direct) * scale / max(towards[2], 0.2)
    horizon = np.maximum(ambient if visible_sky is None else visible_sky, 0.5 * ambient)
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


def _paler(colour: F64) -> F64:
    """The colour halfway to grey, as streets are not as colourless as assumed."""
    return np.asarray(colour.mean() + NEUTRAL * (colour - colour.mean()))


def _vector(values: F64) -> Vector:
    return float(values[0]), float(values[1]), float(values[2])
