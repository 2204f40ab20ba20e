"""The LiDAR's sweep of a street."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.changes.insert3d.cloud_insertion import RANGE_NOISE
from snellen.changes.insert3d.lidar_surfaces import intensities, return_probability
from snellen.starter.streets.body import Body
from snellen.starter.streets.street_materials import StreetMaterial
from snellen.starter.streets.world import World
from snellen.vision.lidar.presets import hdl_64e
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.scan import LidarScan, scan_of

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

MILLIMETRES = 3


@dataclass(frozen=True, eq=False)
class Echoes:
    """What each of the K rays of a scan meets first.

    distances: (K,) metres, inf for nothing. cosines: (K,). look: (K, 5) reflectance, gloss,
    chance, depth and evenness of what it meets. owner: (K,) the thing's number, -1 for what has no
    label. aimed: how many rays would meet each thing if it stood alone.
    """

    scan: LidarScan
    distances: Floats
    cosines: Floats
    look: Floats
    owner: npt.NDArray[np.int32]
    aimed: tuple[int, ...]

    def share(self, number: int) -> float:
        """The share of the rays aimed at a thing that meet it first; 1 without any."""
        first = np.count_nonzero(self.owner == number)
        return first / self.aimed[number] if self.aimed[number] else 1.0


def echoes(street: World) -> Echoes:
    """What the rays of an HDL-64E meet."""
    beams = hdl_64e()
    scan = scan_of(np.zeros((0, 4), np.float32), np.zeros(0, np.int32), beams)
    count = len(scan.rings)
    found = Echoes(
        scan, np.full(count, np.inf), np.zeros(count), np.zeros((count, 5)),
        np.full(count, -1, dtype=np.int32), (),
    )  # fmt: skip
    _meet(found, street.fixed, -1)
    aimed = tuple(_meet(found, body, number) for number, body in enumerate(street.bodies))
    return Echoes(scan, found.distances, found.cosines, found.look, found.owner, aimed)


def _meet(found: Echoes, body: Body, number: int) -> int:
    """Takes over the rays that a body stops, and says how many meet it at all."""
    met = hits(found.scan, body.vertices, body.faces)
    first = met.distances < found.distances[met.rays]
    rays = met.rays[first]
    table = np.array([_answer(look) for look in body.looks])
    found.distances[rays], found.cosines[rays] = met.distances[first], met.cosines[first]
    found.look[rays], found.owner[rays] = table[body.look[met.faces[first]]], number
    return len(met.rays)


def _answer(look: StreetMaterial) -> tuple[float, ...]:
    surface = look.surface
    return surface.reflectance, surface.gloss, surface.return_probability, look.deep, look.even


def sweep_points(found: Echoes, rng: np.random.Generator) -> Points:
    """(N, 4) float32 as in KITTI's files: ring after ring, x y z to the millimetre, intensity.

    What comes back, how strong and how exact is as for inserted things. A beam that meets leaves
    comes back from within them.
    """
    beams = found.scan.beams
    within = (found.distances >= beams.nearest) & (found.distances <= beams.farthest)
    met = np.flatnonzero(within)
    chance = return_probability(
        found.look[met], found.cosines[met], found.distances[met], beams.farthest
    )
    back = met[rng.random(len(met)) < chance]
    look = found.look[back]
    inside = look[:, 3] * rng.exponential(0.5, len(back)).clip(0, 1)
    measured = found.distances[back] + inside + RANGE_NOISE * rng.standard_normal(len(back))
    places = found.scan.directions[back] * measured[:, None]
    places[:, 2] += beams.heights[found.scan.rings[back]]
    felt = np.where(look[:, 4] > 0, 1.0, found.cosines[back])
    strength = intensities(look, felt, found.distances[back], rng)
    return np.column_stack([np.round(places, MILLIMETRES).astype(np.float32), strength])
