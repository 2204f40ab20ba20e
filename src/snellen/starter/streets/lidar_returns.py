"""The LiDAR's sweep of a street."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.cloud_insertion import RANGE_NOISE
from snellen.changes.insert3d.lidar_surfaces import intensities, return_probability
from snellen.starter.streets.body import Body
from snellen.starter.streets.street_materials import StreetMaterial
from snellen.starter.streets.world import World
from snellen.vision.arrays import F32, F64, Ints32
from snellen.vision.lidar.presets import hdl_64e
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.scan import LidarScan, scan_of

MILLIMETRES = 3


@dataclass(frozen=True, eq=False)
class Echoes:
    """The first hit of each of the K rays of a scan.

    distances: (K,) metres, inf for no hit. cosines: (K,). surface: (K, 5) reflectance, gloss,
    probability of a return, depth and evenness. owner: (K,) the object's number, -1 without a
    label. aimed: the number of rays that would hit each object without occlusion.
    """

    scan: LidarScan
    distances: F64
    cosines: F64
    surface: F64
    owner: Ints32
    aimed: tuple[int, ...]

    def share(self, number: int) -> float:
        """The share of the rays aimed at an object that hit it first; 1 without any."""
        first = np.count_nonzero(self.owner == number)
        return first / self.aimed[number] if self.aimed[number] else 1.0


def echoes_of(street: World) -> Echoes:
    """The first hits of the rays of an HDL-64E."""
    beams = hdl_64e()
    scan = scan_of(np.zeros((0, 4), np.float32), np.zeros(0, np.int32), beams)
    count = len(scan.rings)
    echoes = Echoes(
        scan, np.full(count, np.inf), np.zeros(count), np.zeros((count, 5)),
        np.full(count, -1, dtype=np.int32), (),
    )  # fmt: skip
    _meet(echoes, street.fixed, -1)
    aimed = tuple(_meet(echoes, body, number) for number, body in enumerate(street.bodies))
    return Echoes(scan, echoes.distances, echoes.cosines, echoes.surface, echoes.owner, aimed)


def _meet(echoes: Echoes, body: Body, number: int) -> int:
    """Update the rays that a body stops first; returns the number of rays that hit it."""
    met = hits(echoes.scan, body.vertices, body.faces)
    first = met.distances < echoes.distances[met.rays]
    rays = met.rays[first]
    table = np.array([_answer(material) for material in body.materials])
    echoes.distances[rays], echoes.cosines[rays] = met.distances[first], met.cosines[first]
    echoes.surface[rays], echoes.owner[rays] = table[body.material[met.faces[first]]], number
    return len(met.rays)


def _answer(material: StreetMaterial) -> tuple[float, ...]:
    surface = material.surface
    probability = surface.return_probability
    return surface.reflectance, surface.gloss, probability, material.deep, material.even


def sweep_points(echoes: Echoes, rng: np.random.Generator) -> F32:
    """(N, 4) float32 as in KITTI's files: ring after ring, x y z to the millimetre, intensity.

    Probability, strength and noise of returns are as for inserted meshes. A beam that hits leaves
    returns from within them.
    """
    beams = echoes.scan.beams
    within = (echoes.distances >= beams.nearest) & (echoes.distances <= beams.farthest)
    met = np.flatnonzero(within)
    chance = return_probability(
        echoes.surface[met], echoes.cosines[met], echoes.distances[met], beams.farthest
    )
    back = met[rng.random(len(met)) < chance]
    surface = echoes.surface[back]
    inside = surface[:, 3] * rng.exponential(0.5, len(back)).clip(0, 1)
    measured = echoes.distances[back] + inside + RANGE_NOISE * rng.standard_normal(len(back))
    places = echoes.scan.directions[back] * measured[:, None]
    places[:, 2] += beams.heights[echoes.scan.rings[back]]
    felt = np.where(surface[:, 4] > 0, 1.0, echoes.cosines[back])
    strength = intensities(surface, felt, echoes.distances[back], rng)
    return np.column_stack([np.round(places, MILLIMETRES).astype(np.float32), strength])
