"""Beam models: recovered from frames, given by presets."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.vision.arrays import F32, Ints
from snellen.vision.lidar.beams import (
    BeamModel,
    nearest_rings,
    recovered_beams,
)
from snellen.vision.lidar.presets import PRESETS, preset
from snellen.vision.lidar.rings import azimuths, rings_in_order

FRAMES = [f"{number:06d}" for number in range(8)]


def sweep_of(beams: BeamModel, seed: int = 0, kept: float = 0.9) -> tuple[F32, Ints, Ints]:
    """Returns (N, 4) of the beams at random distances, with ring and column of each."""
    rng = np.random.default_rng(seed)
    grid = np.meshgrid(np.arange(len(beams.heights)), np.arange(beams.columns), indexing="ij")
    there = rng.random(grid[0].size) < kept
    ring, column = grid[0].ravel()[there], grid[1].ravel()[there]
    across = rng.uniform(3, 60, len(ring))
    azimuth = beams.phases[ring] + column * beams.step
    up = beams.heights[ring] + across * np.tan(beams.elevations[ring])
    parts = [across * np.cos(azimuth), across * np.sin(azimuth), up, rng.random(len(ring))]
    return np.column_stack(parts).astype(np.float32), ring, column


@pytest.mark.parametrize("name", PRESETS)
def test_the_beams_of_a_preset_are_recovered_exactly_from_its_own_points(name: str) -> None:
    given = preset(name)
    given = BeamModel(
        given.elevations, given.heights, given.step, np.full(len(given.heights), given.step / 3)
    )
    points, ring, column = sweep_of(given)
    found = recovered_beams(points)
    np.testing.assert_allclose(found.elevations, given.elevations, atol=1e-6)
    np.testing.assert_allclose(found.heights, given.heights, atol=1e-5)
    np.testing.assert_allclose(found.phases, given.phases, atol=1e-6)
    assert found.columns == given.columns
    assert found.step == given.step
    assert (rings_in_order(points) == ring).all()
    turns = (azimuths(points) - found.phases[ring]) / found.step
    assert (np.rint(turns) % found.columns == column).all()


@pytest.mark.parametrize("frame", FRAMES)
def test_real_points_lie_on_the_recovered_beams(frame: str, shared: Callable[[str], Path]) -> None:
    path = shared(f"kitti/training/velodyne/{frame}.bin")
    points = np.fromfile(path, dtype="<f4").reshape(-1, 4)
    beams = recovered_beams(points)
    rings = rings_in_order(points)
    across = np.hypot(*points[:, :2].astype(np.float64).T)
    elevation = np.arctan2(points[:, 2] - beams.heights[rings], across)
    away = np.degrees(np.abs(elevation - beams.elevations[rings]))
    assert len(beams.elevations) == 64
    assert (away <= 0.05).mean() >= 0.999
    assert np.percentile(away, 95) <= 0.01
    assert 0.17 < math.degrees(beams.step) < 0.185
    assert (np.diff(beams.elevations) < 0).all()
    assert beams.view == (0.0, 2 * math.pi)


def test_a_cloud_out_of_order_is_assigned_to_its_rings_by_elevation() -> None:
    beams = preset("OS1-64")
    points, ring, _ = sweep_of(beams, kept=0.1)
    order = np.random.default_rng(3).permutation(len(points))
    assert (nearest_rings(points[order], beams) == ring[order]).all()


def test_a_cloud_out_of_order_is_refused_with_the_way_out() -> None:
    points, _, _ = sweep_of(preset("OS1-64"), kept=0.1)
    shuffled = np.random.default_rng(3).permutation(points)
    with pytest.raises(UserError, match="Name the sensor"):
        recovered_beams(shuffled)


def test_a_clockwise_sweep_that_starts_behind_has_the_same_rings() -> None:
    beams = preset("HDL-32E")
    points, ring, _ = sweep_of(beams)
    azimuth = np.arctan2(points[:, 1], points[:, 0])
    order = np.lexsort((-azimuth, ring))
    assert (rings_in_order(points[order]) == ring[order]).all()


def test_a_sweep_of_the_front_has_a_view_of_the_front() -> None:
    points, _, _ = sweep_of(preset("HDL-32E"))
    front = recovered_beams(
        points[np.abs(np.arctan2(points[:, 1], points[:, 0])) < math.radians(45)]
    )
    low, high = front.view
    assert math.degrees(low) == pytest.approx(315, abs=0.5)
    assert math.degrees(high) == pytest.approx(405, abs=0.5)


def test_stray_points_do_not_pull_a_ring() -> None:
    beams = preset("HDL-64E")
    points, _, _ = sweep_of(beams)
    stray = np.random.default_rng(5).random(len(points)) < 0.02
    points[stray, 2] += 0.8
    np.testing.assert_allclose(recovered_beams(points).elevations, beams.elevations, atol=2e-4)


def test_points_at_one_distance_leave_the_height_at_the_origin() -> None:
    azimuth = np.tile(np.linspace(0, 6.2, 100), 3)
    slope = np.repeat([0.1, 0.0, -0.1], 100)
    parts = [10 * np.cos(azimuth), 10 * np.sin(azimuth), 10 * slope, slope]
    found = recovered_beams(np.column_stack(parts).astype(np.float32))
    np.testing.assert_allclose(found.heights, 0)
    np.testing.assert_allclose(np.tan(found.elevations), [0.1, 0.0, -0.1], atol=1e-6)


def test_an_unknown_sensor_gets_the_closest_name() -> None:
    with pytest.raises(UserError, match="did you mean 'HDL-64E'"):
        preset("HDL64E")


def test_a_beam_model_of_uneven_rings_is_refused() -> None:
    with pytest.raises(UserError, match="one number per ring"):
        BeamModel(np.zeros(3), np.zeros(2), 0.1, np.zeros(3))
    with pytest.raises(UserError, match="step above 0"):
        BeamModel(np.zeros(2), np.zeros(2), 0.0, np.zeros(2))
