"""The direction of the sun: planted suns are found from shadows and from lit walls."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.vision.lidar.dense_depth import DenseDepth
from snellen.vision.rendering.sun import CELL, STEPS, SunEvidence, sun_direction, walls
from snellen.vision.rendering.sun_kernels import shadow_scores
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

LIT, SHADED = 0.5, 0.1


def pillars() -> np.ndarray:
    """(200, 200) heights: 60 pillars, 1.5 to 5 m high, in cells of half a metre."""
    rng = np.random.default_rng(1)
    heights = np.zeros((200, 200))
    for row, column in rng.integers(70, 160, (60, 2)):
        heights[row : row + 2, column : column + 2] = rng.uniform(1.5, 5.0)
    return heights


def in_shadow(heights: np.ndarray, place: np.ndarray, azimuth: float, elevation: float) -> bool:
    """Whether a ray to the sun meets a pillar, in steps of 5 cm."""
    along = np.arange(0.1, 16.0, 0.05)
    rows = np.floor((place[0] + along * np.cos(azimuth)) / 0.5).astype(int) + 100
    columns = np.floor((place[1] + along * np.sin(azimuth)) / 0.5).astype(int) + 100
    inside = (rows >= 0) & (rows < 200) & (columns >= 0) & (columns < 200)
    met = heights[rows[inside], columns[inside]] > along[inside] * np.tan(elevation)
    return bool(met.any())


def evidence(azimuth: float, elevation: float) -> SunEvidence:
    rng, heights = np.random.default_rng(2), pillars()
    places = rng.uniform([2, -14], [28, 14], (600, 2))
    shade = np.array([in_shadow(heights, place, azimuth, elevation) for place in places])
    glow = np.where(shade, SHADED, LIT) * rng.lognormal(0, 0.25, len(places))
    return SunEvidence(heights, places, glow, np.zeros(0), np.zeros(0))


@pytest.mark.parametrize("degrees", [0.0, 75.0, 160.0, 250.0, 310.0])
def test_the_azimuth_is_found_from_shadows(degrees: float) -> None:
    found = sun_direction(evidence(np.radians(degrees), np.radians(35.0)), LIT, SHADED)
    assert found is not None
    (x, y, z), score = found
    apart = (np.degrees(np.arctan2(y, x)) - degrees + 180) % 360 - 180
    assert abs(apart) <= 15
    assert x * x + y * y + z * z == pytest.approx(1.0)
    assert 0.3 < score <= 1.0


def test_ground_without_shadows_gives_no_direction() -> None:
    seen = evidence(0.0, np.radians(35.0))
    glow = LIT * np.random.default_rng(3).lognormal(0, 0.25, len(seen.brightness))
    even = SunEvidence(seen.heights, seen.places, glow, seen.facing, seen.wall_brightness)
    assert sun_direction(even, LIT, SHADED) is None
    none = SunEvidence(np.zeros((200, 200)), np.zeros((0, 2)), *[np.zeros(0)] * 3)
    assert sun_direction(none, LIT, SHADED) is None


def test_shadows_fit_as_a_correlation_says() -> None:
    seen, azimuths = evidence(1.0, 0.6), np.radians([20.0, 57.0, 200.0])
    glow = (seen.brightness - seen.brightness.mean()) / seen.brightness.std()
    towards, rises = np.column_stack([np.cos(azimuths), np.sin(azimuths)]), np.array([0.5, 0.9])
    found = shadow_scores(seen.heights, seen.places, glow, towards, rises, STEPS, CELL)
    along = seen.places[None, :, None] + STEPS[None, None, :, None] * towards[:, None, None]
    rows, columns = np.moveaxis(np.floor(along / CELL).astype(int) + 100, -1, 0)
    needed = (seen.heights[rows, columns] / STEPS).max(axis=2)
    for a, e in np.ndindex(3, 2):
        assert found[a, e] == pytest.approx(np.corrcoef(needed[a] < rises[e], glow)[0, 1])


def test_lit_walls_decide_between_suns_that_shadows_leave_open() -> None:
    """Long walls on both sides of the road shade it alike from either end."""
    heights = np.zeros((200, 200))
    heights[:, 92:94] = heights[:, 106:108] = 6.0
    rng = np.random.default_rng(4)
    places = rng.uniform([3, -2.9], [28, 2.9], (600, 2))
    glow = np.where(places[:, 1] > 0.5, SHADED, LIT) * rng.lognormal(0, 0.1, 600)
    facing = np.tile(np.radians([165.0, 195.0]), 200)
    for brightness, behind in ((0.6, True), (0.06, False)):
        seen = SunEvidence(heights, places, glow, facing, np.full(400, brightness))
        found = sun_direction(seen, LIT, SHADED)
        assert found is not None
        assert (found[0][0] < 0) == behind


def test_walls_face_where_they_do() -> None:
    ahead = np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    lens = np.array([[700.0, 0, 600, 0], [0, 700, 170, 0], [0, 0, 1, 0]])
    frames = CoordinateFrames(ahead, lens)
    columns = np.mgrid[:375, :1242][1]
    for degrees in (180.0, 150.0, 215.0):
        normal = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        ray = np.column_stack([np.ones(columns.size), -(columns.ravel() - 600) / 700.0])
        depth = (12.0 * normal[0]) / (ray @ normal)
        depth = np.where((depth > 3) & (depth < 30), depth, np.inf).reshape(375, 1242)
        flat = depth.astype(np.float32)
        dense = DenseDepth(flat, np.zeros_like(flat, dtype=bool), flat)
        azimuth, pixels = walls(dense, frames)
        assert len(pixels) > 500
        np.testing.assert_allclose(np.degrees(azimuth), degrees, atol=0.5)
    assert frames.lidar_to_image(LidarPoints(np.array([[12.0, 0, 0]])))[0, 0] == 600
