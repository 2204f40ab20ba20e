"""Ray hits against slow casting and against embree."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.vision.arrays import F64
from snellen.vision.lidar.beams import BeamModel, recovered_beams
from snellen.vision.lidar.presets import preset
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.rings import rings_in_order
from snellen.vision.lidar.scan import LidarScan, scan_of
from tests.vision.lidar.ray_meshes import block, read_obj, slow_cast
from tests.vision.lidar.test_beams import sweep_of

COARSE = BeamModel(
    np.radians(np.linspace(25, -40, 27)), np.linspace(0.3, -0.2, 27), math.radians(2), np.zeros(27)
)
MESHES = {
    "hatchback": "meshes/hatchback/hatchback.obj",
    "suv": "meshes/suv/suv.obj",
    "ambulance": "meshes/ambulance/ambulance.obj",
}


def coarse_scan(seed: int = 0) -> LidarScan:
    points, ring, _ = sweep_of(COARSE, seed, kept=0.6)
    return scan_of(points, ring.astype(np.int32), COARSE)


def origins(scan: LidarScan) -> F64:
    heights = scan.beams.heights[scan.rings]
    return np.column_stack([np.zeros((len(heights), 2)), heights])


def same_as_slow(scan: LidarScan, triangles: F64) -> int:
    """The number of hits, after checking each against the slow computation."""
    vertices = triangles.reshape(-1, 3)
    found = hits(scan, vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))
    distances, faces = slow_cast(origins(scan), scan.directions, triangles)
    assert found.rays.tolist() == np.flatnonzero(faces >= 0).tolist()
    np.testing.assert_allclose(found.distances, distances[found.rays], rtol=1e-9)
    assert (found.faces == faces[found.rays]).all()
    return len(found.rays)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), spread=st.sampled_from([0.5, 3.0, 20.0]))
def test_no_hit_is_missed_wherever_the_triangles_lie(seed: int, spread: float) -> None:
    """Triangles over the axis, across azimuth 0, above and below the sensor among them."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(0, 8, (12, 1, 3)) * [1, 1, 0.3]
    same_as_slow(coarse_scan(seed % 7), centres + rng.normal(0, spread, (12, 3, 3)))


@pytest.mark.parametrize(
    ("where", "size"),
    [
        ((9.0, 0.0, -1.0), (4.0, 1.8, 1.5)),
        ((-9.0, 0.0, -1.0), (4.0, 1.8, 1.5)),
        ((0.0, 6.0, 0.0), (1.0, 2.0, 3.0)),
        ((0.0, 0.0, -3.0), (30.0, 30.0, 1.0)),
        ((0.0, 0.0, 0.0), (5.0, 5.0, 5.0)),
    ],
    ids=["ahead", "behind", "beside", "below", "around"],
)
def test_a_block_is_hit_where_it_stands(
    where: tuple[float, float, float], size: tuple[float, float, float]
) -> None:
    vertices, faces = block(where, size)
    assert same_as_slow(coarse_scan(), vertices[faces]) > 10


def test_a_wall_ahead_is_met_at_its_distance_and_angle() -> None:
    wall = np.array([[10, -50, -50], [10, 50, -50], [10, 0, 50.0]])
    scan = coarse_scan()
    found = hits(scan, wall, np.array([[0, 1, 2]], dtype=np.int32))
    ways = scan.directions[found.rays]
    np.testing.assert_allclose(found.distances, 10 / ways[:, 0])
    np.testing.assert_allclose(found.cosines, ways[:, 0])


def test_upright_triangles_on_a_line_through_the_sensor_are_met_edge_on_by_none() -> None:
    fin = np.array([[[5, 0, -1], [9, 0, -1], [7, 0, 1.0]], [[5, 5, -1], [5, 5, 0], [5, 5, 1.0]]])
    assert same_as_slow(coarse_scan(), fin) == 0


def test_empty_meshes_and_broken_ones() -> None:
    scan = coarse_scan()
    assert not len(hits(scan, np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)).rays)
    with pytest.raises(UserError, match="faces refer to vertices"):
        hits(scan, np.zeros((2, 3)), np.array([[0, 1, 2]], dtype=np.int32))
    with pytest.raises(UserError, match="not a number"):
        hits(scan, np.full((3, 3), np.nan), np.array([[0, 1, 2]], dtype=np.int32))
    with pytest.raises(UserError, match="expected"):
        hits(scan, np.zeros((3, 2)), np.array([[0, 1, 2]], dtype=np.int32))


@pytest.mark.parametrize("name", ["HDL-64E", "HDL-32E", "OS1-64"])
def test_a_scan_has_every_beam_of_the_sensor_once(name: str) -> None:
    beams = preset(name)
    points, ring, _ = sweep_of(beams, kept=0.7)
    scan = scan_of(points, ring.astype(np.int32), beams)
    assert len(scan.rings) == len(beams.heights) * beams.columns
    silent = scan.points < 0
    turns = scan.azimuths / beams.step
    np.testing.assert_allclose(np.mod(turns + 0.5, 1), 0.5, atol=1e-3)
    cells = scan.rings * beams.columns + np.rint(turns).astype(int) % beams.columns
    assert sorted(cells) == list(range(len(cells)))
    assert sorted(scan.points[~silent]) == list(range(len(points)))
    seen = origins(scan)[~silent] + scan.directions[~silent] * scan.reach[~silent][:, None]
    np.testing.assert_allclose(seen, points[scan.points[~silent], :3], atol=1e-9)


def test_a_ring_without_points_still_has_its_beams() -> None:
    points, ring, _ = sweep_of(COARSE)
    there = ring != 4
    scan = scan_of(points[there], ring[there].astype(np.int32), COARSE)
    assert (scan.rings == 4).sum() == COARSE.columns


@pytest.mark.parametrize("where", [(7.0, -2.0), (14.0, 3.0), (28.0, 0.0)], ids=str)
@pytest.mark.parametrize("name", MESHES)
def test_embree_meets_the_same_meshes_at_the_same_distance(
    name: str, where: tuple[float, float], shared: Callable[[str], Path]
) -> None:
    why = "embreex, the reference, is not installed"
    construction = pytest.importorskip("embreex.mesh_construction", reason=why)
    scenes = pytest.importorskip("embreex.rtcore_scene", reason=why)
    vertices, faces = read_obj(shared(MESHES[name]))
    vertices = _as_car(vertices, where)
    points = np.fromfile(shared("kitti/training/velodyne/000003.bin"), "<f4").reshape(-1, 4)
    scan = scan_of(points, rings_in_order(points), recovered_beams(points))
    found = hits(scan, vertices, faces)
    scene = scenes.EmbreeScene()
    construction.TriangleMesh(scene, vertices[faces].astype(np.float32))
    answer = scene.run(
        origins(scan).astype(np.float32), scan.directions.astype(np.float32), output=1
    )
    theirs = np.flatnonzero(answer["primID"] >= 0)
    assert theirs.tolist() == found.rays.tolist()
    assert len(theirs) > 100
    assert np.abs(answer["tfar"][theirs] - found.distances).max() < 1e-4


def _as_car(vertices: F64, where: tuple[float, float]) -> F64:
    """The mesh 4.5 m long, turned, on the ground of KITTI's frames at (x, y)."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    scaled = (vertices - (low + high) / 2) * 4.5 / (high - low).max()
    scaled[:, 2] -= scaled[:, 2].min()
    turn = np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]])
    return np.asarray(scaled @ turn.T + [*where, -1.73])
