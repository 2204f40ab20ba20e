"""One car into a KITTI sweep: the LiDAR part in CPU time, against going ray by ray.

The reference does what the published procedure does, one ray after the other in Python, with numpy
over the triangles of each; it takes the rays of the car's window of angles (2 degrees wider), and
must find the same ones blocked. Without KITTI's frame the sweep is an HDL-64E's on flat ground.

Run: python -m benchmarks.lidar_casting
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.box_ap import cpu
from snellen.changes.insert3d.cloud_insertion import LidarSolid, insert_solid
from snellen.changes.insert3d.lidar_surfaces import surfaces_of
from snellen.objects.meshes.vehicles import vehicle
from snellen.vision.lidar.beams import recovered_beams
from snellen.vision.lidar.presets import hdl_64e
from snellen.vision.lidar.rings import rings_in_order
from snellen.vision.lidar.scan import LidarScan, scan_of

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
FRAME = DATA / "kitti" / "training" / "velodyne" / "000003.bin"
TARGET = 5.0
GROUND, SIZE = -1.73, (4.4, 1.75, 1.48)
PLACES = [(7, -2.5), (10, 3), (13, 0), (16, 3), (20, -3), (25, 0), (30, 3), (40, 0), (55, -4)]
SLOW_PLACE = (16, 3)


def main() -> None:
    points = np.fromfile(FRAME, "<f4").reshape(-1, 4) if FRAME.exists() else flat_sweep()
    recovered_beams(points)
    beams = recovered_beams(points)
    scan = scan_of(points, rings_in_order(points), beams)
    print(f"{len(points):,} points, {len(scan.rings):,} rays")
    print(f"beams recovered, once a frame: {cpu(lambda: recovered_beams(points), 5) * 1e3:.1f} ms")
    rings = rings_in_order(points)
    print(f"scan made, once a frame: {cpu(lambda: scan_of(points, rings, beams), 5) * 1e3:.1f} ms")
    spent = [insertion(points, scan, place) for place in PLACES]
    print(
        f"one insertion: median {statistics.median(spent):.2f} ms, "
        f"worst {max(spent):.2f} ms of {len(PLACES)} places (target: at most {TARGET:g})"
    )
    compare_with_slow(points, scan)


def insertion(
    points: npt.NDArray[np.float32], scan: LidarScan, place: tuple[float, float]
) -> float:
    """Median CPU milliseconds of inserting the sedan at a place."""
    car = sedan(place)
    change = insert_solid(points, scan, car, np.random.default_rng(1))
    spent = median_cpu(lambda: insert_solid(points, scan, car, np.random.default_rng(1)), 25) * 1e3
    print(
        f"  at {place[0]:2g} m: {spent:.2f} ms, {len(change.added)} returns of "
        f"{len(change.blocked)} beams, {change.removed.sum()} points hidden"
    )
    return spent


def compare_with_slow(points: npt.NDArray[np.float32], scan: LidarScan) -> None:
    car = sedan(SLOW_PLACE)
    begin = time.process_time()
    slow = ray_by_ray(scan, car)
    theirs = time.process_time() - begin
    ours = median_cpu(lambda: insert_solid(points, scan, car, np.random.default_rng(1)), 25)
    change = insert_solid(points, scan, car, np.random.default_rng(1))
    same = "the same" if slow == change.blocked.tolist() else "DIFFERENT"
    print(
        f"ray by ray at {SLOW_PLACE[0]} m: {theirs:.2f} s, {theirs / ours:,.0f} times ours; "
        f"{same} {len(slow)} beams blocked"
    )


def median_cpu(call: Callable[[], Any], repeats: int) -> float:
    return statistics.median(cpu(call, 1) for _ in range(repeats))


def sedan(place: tuple[float, float]) -> LidarSolid:
    mesh = vehicle("sedan", SIZE, np.random.default_rng(1))
    vertices = mesh.placed(*place, GROUND, 0.2)
    return LidarSolid(vertices, mesh.faces, mesh.material, surfaces_of(mesh.materials))


def ray_by_ray(scan: LidarScan, car: LidarSolid) -> list[int]:
    """The rays that meet the car before their point, each asked alone."""
    corner, *others = np.moveaxis(car.vertices[car.faces], 1, 0)
    first, second = (other - corner for other in others)
    blocked = []
    for ray in window(scan, car):
        way, height = scan.directions[ray], scan.beams.heights[scan.rings[ray]]
        across = np.cross(way, second)
        start = np.array([0.0, 0.0, height]) - corner
        with np.errstate(divide="ignore", invalid="ignore"):
            per = 1 / (first * across).sum(axis=1)
            u = (start * across).sum(axis=1) * per
            turned = np.cross(start, first)
            v, t = turned @ way * per, (second * turned).sum(axis=1) * per
            met = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
        if met.any() and t[met].min() < scan.reach[ray]:
            blocked.append(int(ray))
    return blocked


def window(scan: LidarScan, car: LidarSolid) -> npt.NDArray[np.int64]:
    """The rays within 2 degrees of the car's angles; it stands ahead."""
    x, y, z = car.vertices.T
    margin, azimuth = np.radians(2), np.arctan2(y, x)
    rise = np.arctan2(z[:, None] - scan.beams.heights[[0, -1]], np.hypot(x, y)[:, None])
    around = (scan.azimuths + np.pi) % (2 * np.pi) - np.pi
    up = np.arctan(scan.slopes)
    beside = (around > azimuth.min() - margin) & (around < azimuth.max() + margin)
    return np.flatnonzero(beside & (up > rise.min() - margin) & (up < rise.max() + margin))


def flat_sweep() -> npt.NDArray[np.float32]:
    """What an HDL-64E sees on flat ground, to 80 m."""
    beams = hdl_64e()
    ring, column = np.divmod(np.arange(len(beams.heights) * beams.columns), beams.columns)
    slope = np.tan(beams.elevations[ring])
    with np.errstate(divide="ignore"):
        across = np.where(slope < 0, (GROUND - beams.heights[ring]) / slope, np.inf)
    azimuth = column * beams.step
    near = across < 80
    parts = [across[near] * turn(azimuth[near]) for turn in (np.cos, np.sin)]
    return np.column_stack([*parts, np.full(near.sum(), GROUND), np.full(near.sum(), 0.3)]).astype(
        np.float32
    )


if __name__ == "__main__":
    main()
