"""Solid things put into a LiDAR sweep by casting the sweep's own beams at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.lidar_surfaces import Surface, chances, intensities
from snellen.errors import UserError
from snellen.vision.arrays import F64, Bools, Ints, Ints16, Ints32, Points
from snellen.vision.compilation import read_only
from snellen.vision.lidar.ray_hits import Hits, hits
from snellen.vision.lidar.scan import LidarScan

RANGE_NOISE = 0.015


@dataclass(frozen=True, eq=False)
class LidarSolid:
    """A mesh where it stands in the LiDAR frame, in metres.

    vertices: (V, 3); faces: (F, 3); material: (F,) the index of each face's surface.
    """

    vertices: F64
    faces: Ints32
    material: Ints16
    surfaces: tuple[Surface, ...]

    def __post_init__(self) -> None:
        named = set(np.unique(self.material).tolist())
        if len(self.material) != len(self.faces) or not named <= set(range(len(self.surfaces))):
            raise UserError(
                f"solid: {len(self.material)} materials for {len(self.faces)} faces, naming "
                f"{sorted(named)} of {len(self.surfaces)} surfaces; expected one index for each "
                "face, from 0."
            )


@dataclass(frozen=True, eq=False)
class CloudChange:
    """A sweep after an insertion.

    points: (M, 4) float32, the background in its order and to the bit, each return where its beam's
    point belongs; removed: (N,) the points that are hidden now; added: (A, 4) the returns, at
    points[rows]; rays: (A,) the ray of the scan each came by; blocked: (B,) all rays that met the
    solid first, whether they came back or not, and depths: (B,) where, in metres from the laser;
    aimed: how many rays would meet it if it stood alone.
    """

    points: Points
    removed: Bools
    added: Points
    rows: Ints
    rays: Ints
    blocked: Ints
    depths: F64
    aimed: int


def inserted(
    points: Points,
    scan: LidarScan,
    solid: LidarSolid,
    rng: np.random.Generator,
    *,
    range_noise: float = RANGE_NOISE,
) -> CloudChange:
    """The sweep with the solid in it. points: (N, 4) float32; scan: of these points.

    A point is removed exactly when the ray from its laser to it meets the solid first. A beam that
    meets the solid returns from there, by chance: by material, incidence and distance, with noise
    along the beam (`range_noise`, standard deviation in metres) and a modelled intensity. One that
    does not come back leaves nothing: beams that pass through glass are not followed.
    """
    if points.shape != (scan.size, 4) or points.dtype != np.float32:
        raise UserError(
            f"point cloud: {points.dtype} of shape {points.shape}, expected float32 of shape "
            f"({scan.size}, 4), the points that the scan was made of."
        )
    alone = hits(scan, solid.vertices, solid.faces)
    met = _only(alone, alone.distances < scan.reach[alone.rays])
    removed = np.zeros(scan.size, dtype=np.bool_)
    hidden = scan.points[met.rays]
    removed[hidden[hidden >= 0]] = True
    back = _only(met, _came_back(met, scan, solid, rng))
    returns = _returns(back, scan, solid, rng, range_noise)
    merged, rows, order = _merged(points, scan.places[back.rays], removed, returns)
    return CloudChange(
        merged,
        removed,
        returns[order],
        rows,
        back.rays[order],
        met.rays,
        met.distances,
        len(alone.rays),
    )


def _came_back(met: Hits, scan: LidarScan, solid: LidarSolid, rng: np.random.Generator) -> Bools:
    beams = scan.beams
    chance = chances(_met_surfaces(met, solid), met.cosines, met.distances, beams.farthest)
    within = (met.distances >= beams.nearest) & (met.distances <= beams.farthest)
    return np.asarray(within & (rng.random(len(chance)) < chance))


def _returns(
    back: Hits, scan: LidarScan, solid: LidarSolid, rng: np.random.Generator, range_noise: float
) -> Points:
    measured = back.distances + range_noise * rng.standard_normal(len(back.rays))
    where = scan.directions[back.rays] * measured[:, None]
    where[:, 2] += scan.beams.heights[scan.rings[back.rays]]
    strength = intensities(_met_surfaces(back, solid), back.cosines, back.distances, rng)
    return np.column_stack([where.astype(np.float32), strength])


def _met_surfaces(met: Hits, solid: LidarSolid) -> F64:
    """Reflectance, gloss and chance (H, 3) of what each ray met."""
    table = np.array([(s.reflectance, s.gloss, s.kept) for s in solid.surfaces]).reshape(-1, 3)
    return np.asarray(table[solid.material[met.faces]])


def _merged(
    points: Points, places: F64, removed: Bools, returns: Points
) -> tuple[Points, Ints, Ints]:
    """The kept points with the returns at their places, their rows, and the order they came in."""
    from snellen.changes.insert3d.cloud_kernels import merged

    order = np.argsort(places, kind="stable")
    above = np.ceil(places[order]).astype(np.int64)
    rows = np.empty(len(order), dtype=np.int64)
    return merged(read_only(points), removed, returns[order], above, rows), rows, order


def _only(met: Hits, which: Bools) -> Hits:
    return Hits(met.rays[which], met.distances[which], met.faces[which], met.cosines[which])
