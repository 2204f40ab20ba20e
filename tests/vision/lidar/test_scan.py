"""The rays of a sweep against computing them one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.vision.arrays import F32, Ints32
from snellen.vision.lidar.beams import BeamModel, nearest_rings, recovered_beams
from snellen.vision.lidar.presets import preset
from snellen.vision.lidar.rings import azimuths, rings_in_order
from snellen.vision.lidar.scan import BINS, LidarScan, scan_of, scan_of_sweep
from tests.vision.lidar.test_beams import sweep_of

TURN = 2 * math.pi
Ray = tuple[int, float, int, float]


def one_by_one(points: F32, rings: Ints32, beams: BeamModel) -> list[Ray]:
    """Ring, azimuth, point and place of each ray, by ring and ascending azimuth."""
    azimuth, found = azimuths(points), []
    for ring in range(len(beams.heights)):
        rows = sorted(np.flatnonzero(rings == ring).tolist(), key=lambda row: azimuth[row])
        rays: list[Ray] = [(ring, float(azimuth[row]), row, float(row)) for row in rows]
        for place, row in enumerate(rows):
            last = place + 1 == len(rows)
            after = azimuth[rows[0]] + TURN if last else azimuth[rows[place + 1]]
            missing = max(round((after - azimuth[row]) / beams.step) - 1, 0)
            for number in range(1, missing + 1):
                angle = float(azimuth[row] + (after - azimuth[row]) * number / (missing + 1))
                wrapped = angle >= TURN
                where = rows[0] - 0.5 if wrapped else row + 0.5
                rays.append((ring, angle % TURN, -1, where))
        if not rows:
            for column in range(beams.columns):
                angle = float((beams.phases[ring] + column * beams.step) % TURN)
                rays.append((ring, angle, -1, len(points) - 0.5))
        found += sorted(rays, key=lambda ray: ray[1])
    low, high = beams.view
    return [ray for ray in found if ray[2] >= 0 or (ray[1] - low) % TURN <= high - low]


def laid_out(scan: LidarScan) -> list[Ray]:
    parts = (scan.rings, scan.azimuths, scan.points, scan.places)
    return list(zip(*(part.tolist() for part in parts), strict=True))


def small(seed: int, rings: int = 5, columns: int = 24) -> BeamModel:
    rng = np.random.default_rng(seed)
    return BeamModel(
        np.sort(rng.uniform(-0.4, 0.2, rings))[::-1].copy(),
        rng.uniform(-0.2, 0.3, rings),
        TURN / columns,
        rng.uniform(0, TURN / columns, rings),
        view=(5.0, 5.0 + rng.uniform(1, TURN)) if seed % 3 == 0 else (0.0, TURN),
    )


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), kept=st.sampled_from([0.05, 0.3, 0.8, 1.0]))
def test_rays_are_those_laid_out_one_by_one(seed: int, kept: float) -> None:
    beams = small(seed)
    points, ring, _ = sweep_of(beams, seed, kept)
    scan = scan_of(points, ring.astype(np.int32), beams)
    expected = one_by_one(points, ring.astype(np.int32), beams)
    assert len(scan.rings) == len(expected)
    for ours, theirs in zip(laid_out(scan), expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_the_lookup_finds_the_first_ray_of_every_bin(seed: int) -> None:
    beams = small(seed)
    points, ring, _ = sweep_of(beams, seed, 0.6)
    scan = scan_of(points, ring.astype(np.int32), beams)
    edges = np.linspace(0, TURN, BINS + 1)
    for number in range(len(beams.heights)):
        own = np.flatnonzero(scan.rings == number)
        assert (np.diff(own) == 1).all()
        start = own[0] if len(own) else int(scan.first[number, 0])
        expected = start + np.searchsorted(scan.azimuths[own], edges[:-1])
        assert (scan.first[number, :-1] == expected).all()
        assert scan.first[number, -1] == start + len(own)
        if len(own):
            slopes = scan.slopes[own]
            assert scan.bands[number].tolist() == [slopes.min(), slopes.max()]


@pytest.mark.parametrize("frame", ["000000", "000005"])
def test_a_scan_is_recovered_from_its_sweep(frame: str, shared: Callable[[str], Path]) -> None:
    path = shared(f"kitti/training/velodyne/{frame}.bin")
    points = np.fromfile(path, dtype="<f4").reshape(-1, 4)
    scan, rings = scan_of_sweep(points), rings_in_order(points)
    beams = recovered_beams(points)
    np.testing.assert_array_equal(scan.beams.elevations, beams.elevations)
    came = scan.points >= 0
    assert (scan.rings[came] == rings[scan.points[came]]).all()
    lasers = np.zeros((came.sum(), 3))
    lasers[:, 2] = beams.heights[scan.rings[came]]
    ends = lasers + scan.directions[came] * scan.reach[came][:, None]
    np.testing.assert_allclose(ends, points[scan.points[came], :3], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(scan.directions, axis=1), 1, atol=1e-12)


def test_a_named_sensor_needs_no_order() -> None:
    beams = preset("HDL-32E")
    points, _, _ = sweep_of(beams, kept=0.2)
    mixed = np.random.default_rng(1).permutation(points)
    scan = scan_of_sweep(mixed, "HDL-32E")
    came = scan.points >= 0
    assert (scan.rings[came] == nearest_rings(mixed, beams)[scan.points[came]]).all()
    assert len(scan.rings) == len(beams.heights) * beams.columns


def test_rings_with_returns_in_part_of_a_turn_are_distinguished() -> None:
    """Upper lasers often have returns from a single object ahead, on both sides of azimuth 0."""
    beams = preset("HDL-64E")
    points, ring, column = sweep_of(beams, kept=1.0)
    ahead = (column < 12) | (column > beams.columns - 12) | ((column > 100) & (column < 120))
    there = (ring >= 10) | ahead
    assert (rings_in_order(points[there]) == ring[there]).all()
