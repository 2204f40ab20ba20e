"""Solids inserted into a LiDAR sweep by casting its own beams at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.lidar_surfaces import Surface, intensities, return_probability
from snellen.errors import UserError
from snellen.vision.arrays import F64, Bools, Ints, Ints16, Ints32, Points
from snellen.vision.compilation import read_only
from snellen.vision.lidar.ray_hits import Hits, hits
from snellen.vision.lidar.scan import LidarScan

RANGE_NOISE = 0.015
"""Standard deviation of the measured distance in metres."""


@dataclass(frozen=True, eq=False)
class LidarSolid:
    """A mesh at its place in the LiDAR frame, in metres.

    vertices: (V, 3); faces: (F, 3); material: (F,) index of the surface of each face.
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
                f"{sorted(named)} of {len(self.surfaces)} surfaces; expected one 0-based index "
                "for each face."
            )


@dataclass(frozen=True, eq=False)
class CloudChange:
    """A sweep after an insertion.

    points: (M, 4) float32, the background in order and unchanged, with each return at the place of
    its beam. removed: (N,) points that are now occluded. added: (A, 4) returns, at points[rows].
    rays: (A,) the ray of each return. blocked: (B,) all rays that hit the solid first, with or
    without a return, and depths: (B,) their distance in metres from the laser. aimed: number of
    rays that would hit the solid if it stood alone.
    """

    points: Points
    removed: Bools
    added: Points
    rows: Ints
    rays: Ints
    blocked: Ints
    depths: F64
    aimed: int


def insert_solid(
    points: Points,
    scan: LidarScan,
    solid: LidarSolid,
    rng: np.random.Generator,
    *,
    range_noise: float = RANGE_NOISE,
) -> CloudChange:
    """The sweep with the solid. points: (N, 4) float32; scan: of these points.

    A point is removed if and only if the ray from its laser hits the solid first. A beam that hits
    the solid returns with a probability that depends on material, incidence and distance, with
    noise along the beam (`range_noise`, standard deviation in metres) and a modelled intensity. A
    beam without a return leaves no point: beams through glass are not traced further.
    """
    if points.shape != (scan.size, 4) or points.dtype != np.float32:
        raise UserError(
            f"point cloud: {points.dtype} of shape {points.shape}, expected float32 of shape "
            f"({scan.size}, 4), the points of the scan."
        )
    alone = hits(scan, solid.vertices, solid.faces)
    met = _only(alone, alone.distances < scan.reach[alone.rays])
    removed = np.zeros(scan.size, dtype=np.bool_)
    hidden = scan.points[met.rays]
    removed[hidden[hidden >= 0]] = True
    back = _only(met, _has_return(met, scan, solid, rng))
    returns = _returns(back, scan, solid, rng, range_noise)
    merged, rows, order = merge_returns(points, scan.places[back.rays], removed, returns)
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


def _has_return(met: Hits, scan: LidarScan, solid: LidarSolid, rng: np.random.Generator) -> Bools:
    beams = scan.beams
    chance = return_probability(
        _met_surfaces(met, solid), met.cosines, met.distances, beams.farthest
    )
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
    """(H, 3) reflectance, gloss and return probability of the surface that each ray hit."""
    table = [(s.reflectance, s.gloss, s.return_probability) for s in solid.surfaces]
    return np.asarray(np.array(table).reshape(-1, 3)[solid.material[met.faces]])


def merge_returns(
    points: Points, places: F64, removed: Bools, returns: Points
) -> tuple[Points, Ints, Ints]:
    """The remaining points with the returns inserted, the rows of the returns, and their order.

    places: (A,) where each return belongs, as of `LidarScan`.
    """
    from snellen.changes.insert3d.cloud_kernels import merge_points

    order = np.argsort(places, kind="stable")
    above = np.ceil(places[order]).astype(np.int64)
    rows = np.empty(len(order), dtype=np.int64)
    return merge_points(read_only(points), removed, returns[order], above, rows), rows, order


def _only(met: Hits, which: Bools) -> Hits:
    return Hits(met.rays[which], met.distances[which], met.faces[which], met.cosines[which])
