"""Background for the silhouette of a mesh: what is there anyway, turned by a fraction of a degree.

It is taken from the same rows of the image and the same rings of the sweep at a bearing nearby, by
one angle in both, so that they show the same background: ground for ground, wall for wall. Every
pixel and every return changes, nothing new is to be seen, and at the edge of the silhouette lines
are broken by a few pixels. (Background from farther away shows the outline of the mesh, and so an
object.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.frame_change import PlacedMesh
from snellen.changes.insert3d.protected_regions import ProtectedRegions
from snellen.changes.insert3d.seed_frame import SeedFrame
from snellen.changes.insert3d.silhouettes import PixelSilhouette, RaySilhouette
from snellen.vision.arrays import F64, Bools, Ints, Ints32
from snellen.vision.lidar.scan import LidarScan
from snellen.vision.solids.coordinate_frames import LidarPoints

ANGLES = np.radians(0.3), np.radians(1.0)
"""The smallest and the largest turn: 4 to 13 pixels of KITTI's camera, 2 to 6 beams."""
CHOICES = 8
"""Turns to either side that are tried."""
AS_GOOD = 0.05
"""The turn is drawn from those whose usable share is within this of the best."""
SPARSE = 5
"""Every how many-th pixel is looked at to choose a turn."""
FULL_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class Filling:
    """Where the background of one mesh comes from.

    columns: (P,) the column whose pixel, in the same row, fills each pixel of the silhouette; -1
    for pixels that stay as they were. rays: (Q,) the same for its rays.
    """

    columns: Ints
    rays: Ints


@dataclass(frozen=True, eq=False)
class BackgroundFill:
    """A frame, and what of it must stay as it was."""

    seed: SeedFrame
    kept: ProtectedRegions

    def filling(
        self,
        placed: PlacedMesh,
        pixels: PixelSilhouette | None,
        rays: RaySilhouette | None,
        rng: np.random.Generator,
    ) -> Filling:
        """The background of a mesh; nothing that stands in front of it is taken for background.

        pixels, rays: its silhouette; None for a sensor that does not change.
        """
        turns = np.linspace(*ANGLES, CHOICES)
        angles = np.concatenate([turns, -turns])
        usable = [self._usable_share(placed, pixels, rays, angle) for angle in angles.tolist()]
        angle = float(rng.choice(angles[np.array(usable) >= max(usable) - AS_GOOD]))
        none = np.zeros(0, dtype=np.int64)
        return Filling(
            none if pixels is None else self._columns(pixels, self._shift(placed, angle)),
            none if rays is None else self._rays(rays, angle),
        )

    def _usable_share(
        self,
        placed: PlacedMesh,
        pixels: PixelSilhouette | None,
        rays: RaySilhouette | None,
        angle: float,
    ) -> float:
        shares = []
        if pixels is not None and len(pixels.rows):
            some = PixelSilhouette(
                pixels.rows[::SPARSE], pixels.columns[::SPARSE],
                pixels.alpha[::SPARSE], pixels.depth[::SPARSE],
            )  # fmt: skip
            shares.append(_share(self._columns(some, self._shift(placed, angle)) >= 0))
        if rays is not None and len(rays.rays):
            shares.append(_share(self._rays(rays, angle) >= 0))
        return min(shares, default=1.0)

    def _shift(self, placed: PlacedMesh, angle: float) -> int | None:
        """Columns by which the camera sees the turn at the mesh; None where it does not look."""
        x, y, z = placed.box[:3]
        cos, sin = np.cos(angle), np.sin(angle)
        there = [x * cos - y * sin, x * sin + y * cos, z]
        ends = self.seed.frames.lidar_to_image(LidarPoints(np.array([[x, y, z], there])))
        if ends[:, 2].min() <= 0.1:
            return None
        return int(np.rint(np.clip(ends[1, 0] - ends[0, 0], -1e6, 1e6)))

    def _columns(self, pixels: PixelSilhouette, shift: int | None) -> Ints:
        width, none = self.seed.size[1], np.full(len(pixels.rows), -1)
        if shift is None:
            return none
        source = pixels.columns + shift
        inside = (source >= 0) & (source < width)
        there = pixels.rows, np.clip(source, 0, width - 1)
        clear = self.seed.camera.depth.standing[there] >= pixels.depth
        kept = self.kept.pixels
        fine = inside & clear & ~kept[there] & ~kept[pixels.rows, pixels.columns]
        return np.where(fine, source, none)

    def _rays(self, rays: RaySilhouette, angle: float) -> Ints:
        scan = self.seed.scan
        source = ray_at(scan, scan.rings[rays.rays], scan.azimuths[rays.rays] + angle)
        clear = scan.reach[source] >= rays.distances
        fine = clear & ~self._kept_rays(source) & ~self._kept_rays(rays.rays)
        return np.where(fine, source, -1)

    def _kept_rays(self, rays: Ints) -> Bools:
        points = self.seed.scan.points[rays]
        return np.asarray(self.kept.points[points] & (points >= 0))


def ray_at(scan: LidarScan, rings: Ints32, azimuths: F64) -> Ints:
    """(Q,) the ray of a ring (Q,) that is nearest in azimuth (Q,), radians."""
    keys = scan.rings * (2 * FULL_TURN) + scan.azimuths
    ends = np.searchsorted(scan.rings, np.arange(int(scan.rings.max(initial=0)) + 2))
    wanted = np.mod(azimuths, FULL_TURN)
    above = np.searchsorted(keys, rings * (2 * FULL_TURN) + wanted)
    first, last = ends[rings], ends[rings + 1] - 1
    high = np.where(above > last, first, above)
    low = np.where(above - 1 < first, last, above - 1)
    apart = [np.abs(np.angle(np.exp(1j * (scan.azimuths[one] - wanted)))) for one in (low, high)]
    return np.asarray(np.where(apart[0] <= apart[1], low, high))


def _share(flags: Bools) -> float:
    return float(flags.mean()) if len(flags) else 1.0
