"""Several solids in one sweep, against casting every ray of every point at all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import yaml

from snellen.changes.insert3d.cloud_insertion import LidarSolid
from snellen.changes.insert3d.cloud_series import CloudSeries, insert_solids
from snellen.changes.insert3d.lidar_surfaces import surfaces_of
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_library import open_library
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.vision.arrays import F64, Points
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.scan import LidarScan, scan_of_sweep

KINDS = ("sedan", "van", "lorry", "bus", "motorcyclist", "cyclist", "pedestrian")
LIBRARY: dict[str, dict[str, object]] = {
    "hatchback": {"file": "hatchback/hatchback.obj", "unit": "inch", "forward": "-y"},
    "suv": {"file": "suv/suv.obj", "unit": 0.06, "forward": "y"},
    "ambulance": {"file": "ambulance/ambulance.obj", "unit": "inch", "forward": "-y"},
    "pickup": {"file": "pickup/pickup.dae", "unit": "inch", "forward": "y"},
    "truck": {"file": "kenney/vehicle-truck-red.glb", "unit": 1.3, "up": "y", "forward": "z"},
}


def sweep(shared: Callable[[str], Path], frame: str = "000003") -> tuple[Points, LidarScan]:
    points = np.fromfile(shared(f"kitti/training/velodyne/{frame}.bin"), "<f4").reshape(-1, 4)
    return points, scan_of_sweep(points)


def standing(mesh: Mesh, x: float, y: float, yaw: float = 0.3) -> LidarSolid:
    return LidarSolid(
        mesh.placed(x, y, -1.73, yaw), mesh.faces, mesh.material, surfaces_of(mesh.materials)
    )


def embree(triangles: F64, origins: Points, ways: Points) -> npt.NDArray:
    """The distance at which each ray first hits a triangle, by embree; inf if it does not."""
    why = "embreex, the reference, is not installed"
    construction = pytest.importorskip("embreex.mesh_construction", reason=why)
    scenes = pytest.importorskip("embreex.rtcore_scene", reason=why)
    scene = scenes.EmbreeScene()
    construction.TriangleMesh(scene, triangles.astype(np.float32))
    answer = scene.run(origins, ways, output=1)
    return np.where(answer["primID"] >= 0, answer["tfar"].astype(np.float64), np.inf)


def lasers(scan: LidarScan) -> Points:
    """(K, 3) the position of the laser of each ray."""
    heights = scan.beams.heights[scan.rings]
    return np.column_stack([np.zeros((len(heights), 2)), heights]).astype(np.float32)


def agrees_with_embree(scan: LidarScan, solid: LidarSolid) -> int:
    """The number of rays that hit the solid, after checking that the same do in embree."""
    found = hits(scan, solid.vertices, solid.faces)
    ways = scan.directions.astype(np.float32)
    theirs = embree(solid.vertices[solid.faces], lasers(scan), ways)
    assert np.flatnonzero(np.isfinite(theirs)).tolist() == found.rays.tolist()
    assert np.abs(theirs[found.rays] - found.distances).max() < 1e-4
    return len(found.rays)


@pytest.mark.parametrize("kind", KINDS)
def test_things_of_our_own_are_met_where_embree_meets_them(
    kind: str, shared: Callable[[str], Path]
) -> None:
    _, scan = sweep(shared)
    assert agrees_with_embree(scan, standing(ParametricMeshes().mesh(kind), 12, 2)) > 50


@pytest.mark.parametrize("name", LIBRARY)
def test_meshes_from_files_are_met_where_embree_meets_them(
    name: str, shared: Callable[[str], Path], tmp_path: Path
) -> None:
    pytest.importorskip("trimesh")
    entry = {"up": "z", "label": "Car", "closed": 0.5, **LIBRARY[name]}
    entry["file"] = str(shared("meshes") / str(entry["file"]))
    if name == "ambulance":
        entry["label"] = "Van"
    (tmp_path / "meshes.yaml").write_text(yaml.safe_dump({"meshes": {name: entry}}))
    mesh = open_library(tmp_path).mesh(name)
    _, scan = sweep(shared)
    assert agrees_with_embree(scan, standing(mesh, 14, -2)) > 50


def test_points_are_removed_exactly_when_their_rays_meet_a_thing_first(
    shared: Callable[[str], Path],
) -> None:
    """The ray of each point is cast, by embree, at all triangles of three solids at once."""
    points, scan = sweep(shared, "000006")
    own = ParametricMeshes()
    solids = [
        standing(own.mesh("sedan"), 14, 3),
        standing(own.mesh("pedestrian"), 9, -1),
        standing(own.mesh("van"), 24, 4),
    ]
    series = insert_solids(points, scan, solids, _rngs(3))
    rays = np.flatnonzero(scan.points >= 0)
    rays = rays[np.argsort(scan.points[rays])]
    triangles = np.concatenate([one.vertices[one.faces] for one in solids])
    away = embree(triangles, lasers(scan)[rays], scan.directions[rays].astype(np.float32))
    hidden = away < scan.reach[rays]
    unsure = np.abs(away - scan.reach[rays]) < 1e-3
    kept = series.remaining(len(points))
    assert np.count_nonzero(hidden) > 300
    assert np.count_nonzero(unsure) < 5
    assert (hidden == ~kept)[~unsure].all()


def test_sources_tell_where_every_point_came_from(shared: Callable[[str], Path]) -> None:
    points, scan = sweep(shared)
    own = ParametricMeshes()
    solids = [standing(own.mesh("sedan"), 20, 1), standing(own.mesh("suv"), 12, 2)]
    series = insert_solids(points, scan, solids, _rngs(2))
    old = series.source >= 0
    assert series.points[old].tobytes() == points[series.source[old]].tobytes()
    assert (np.diff(series.source[old]) > 0).all()
    assert sum(len(part) for part in series.returns) == np.count_nonzero(~old)
    for solid, returns in zip(solids, series.returns, strict=True):
        low, high = solid.vertices.min(axis=0) - 0.1, solid.vertices.max(axis=0) + 0.1
        assert ((returns[:, :3] > low) & (returns[:, :3] < high)).all()
        assert len(returns) > 50


def test_the_visible_share_is_that_of_the_beams_that_meet_it_first(
    shared: Callable[[str], Path],
) -> None:
    points, scan = sweep(shared)
    own = ParametricMeshes()
    far, near = standing(own.mesh("sedan"), 22, 4), standing(own.mesh("van"), 12, 1)
    series = insert_solids(points, scan, [far, near], _rngs(2))
    aimed, before = (hits(scan, one.vertices, one.faces) for one in (far, near))
    depth = scan.reach.copy()
    depth[before.rays] = np.minimum(depth[before.rays], before.distances)
    expected = np.mean(aimed.distances < depth[aimed.rays])
    assert series.aimed == (len(aimed.rays), len(before.rays))
    assert series.visible[0] == pytest.approx(float(expected))
    assert 0.02 < series.visible[0] < 0.98
    other = insert_solids(points, scan, [near, far], _rngs(2))
    assert other.visible == (series.visible[1], series.visible[0])


def test_another_thing_behind_leaves_the_first_ones_returns_to_the_bit(
    shared: Callable[[str], Path],
) -> None:
    points, scan = sweep(shared)
    own = ParametricMeshes()
    near, far = standing(own.mesh("van"), 12, 1), standing(own.mesh("sedan"), 22, 3)
    alone = insert_solids(points, scan, [near], _rngs(1))
    both = insert_solids(points, scan, [near, far], _rngs(2))
    assert both.returns[0].tobytes() == alone.returns[0].tobytes()


def test_without_solids_the_series_is_the_sweep() -> None:
    points = np.ones((3, 4), np.float32)
    series = CloudSeries(points, np.arange(3, dtype=np.int32))
    assert series.remaining(3).all()
    assert series.returns == ()


def _rngs(count: int) -> list[np.random.Generator]:
    return [np.random.default_rng((1, place)) for place in range(count)]
