"""The silhouette of a mesh in a frame: the pixels that it changes, and the rays that hit it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.camera_canvas import BORDER, Canvas
from snellen.changes.insert3d.camera_insertion import CameraChange
from snellen.changes.insert3d.camera_seed import CameraSeed
from snellen.changes.insert3d.camera_shadows import GroundShadow, ground_shadow
from snellen.changes.insert3d.camera_visibility import unoccluded_samples
from snellen.changes.insert3d.frame_change import PlacedMesh
from snellen.vision.arrays import F32, F64, Image, Ints
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.scan import LidarScan
from snellen.vision.rendering.mesh_renderer import ShadedSamples
from snellen.vision.rendering.zbuffer import Fragments, zbuffer
from snellen.vision.solids.coordinate_frames import LidarPoints


@dataclass(frozen=True, eq=False)
class PixelSilhouette:
    """The pixels of one mesh and of its shadow.

    rows, columns: (P,). alpha: (P,) how much of each changes, 0 to 1. depth: (P,) of the mesh in
    metres, inf in its shadow.
    """

    rows: Ints
    columns: Ints
    alpha: F32
    depth: F32


@dataclass(frozen=True, eq=False)
class RaySilhouette:
    """The rays (Q,) of a scan that hit one mesh first, and their distances (Q,) in metres."""

    rays: Ints
    distances: F64


def pixel_silhouettes(
    image: Image, seed: CameraSeed, meshes: Sequence[PlacedMesh]
) -> tuple[list[PixelSilhouette], CameraChange]:
    """The pixels that an insertion of each mesh changes, and what all of them cover.

    Exactly those of `insert_in_image`, with its occlusion, its blur at the edges and its shadows.
    The image of the change is the one given.
    """
    drawn = [_fragments(placed, seed) for placed in meshes]
    made = []
    covered = np.zeros(seed.shape, dtype=np.bool_)
    depth = np.full(seed.shape, np.inf, dtype=np.float32)
    for place, own in enumerate(drawn):
        others = [one for k, one in enumerate(drawn) if k != place]
        canvas = Canvas(image, seed)
        blank = np.zeros((len(own.owners), 3))
        canvas.draw(
            ShadedSamples(own, blank, blank, blank),
            unoccluded_samples(own, others),
            np.random.default_rng(0),
        )
        placed = meshes[place]
        made.append(_pixels(canvas, ground_shadow(image, seed, placed.mesh, placed.pose)))
        covered |= canvas.covered
        depth = np.minimum(depth, canvas.depth)
    return made, CameraChange(image, (), covered, depth)


def ray_silhouettes(scan: LidarScan, meshes: Sequence[PlacedMesh]) -> list[RaySilhouette]:
    """The rays whose return an insertion of each mesh removes or replaces."""
    nearest = scan.reach.copy()
    owner = np.full(len(nearest), -1)
    for place, placed in enumerate(meshes):
        met = hits(scan, placed.mesh.placed(*placed.pose), placed.mesh.faces)
        first = met.distances < nearest[met.rays]
        nearest[met.rays[first]], owner[met.rays[first]] = met.distances[first], place
    rays = [np.flatnonzero(owner == place) for place in range(len(meshes))]
    return [RaySilhouette(own, nearest[own]) for own in rays]


def _fragments(placed: PlacedMesh, seed: CameraSeed) -> Fragments:
    mesh = placed.mesh
    return zbuffer(
        seed.frames.lidar_to_camera(LidarPoints(mesh.placed(*placed.pose))),
        mesh.faces,
        seed.frames.projection,
        seed.shape,
        closed=mesh.closed_share == 1.0,
        sharing=True,
    )


def _pixels(canvas: Canvas, cast: GroundShadow) -> PixelSilhouette:
    """The pixels of the only mesh on a canvas; at its soft edge, the depth is that beside it."""
    import cv2

    alpha = np.minimum(canvas.alpha, np.float32(1))
    left, top, right, bottom = cast.window
    dark = alpha[top:bottom, left:right]
    np.maximum(dark, np.minimum(cast.sky + cast.sun, 1), out=dark)
    rows, columns = np.nonzero(alpha > 0)
    around = cv2.erode(canvas.depth, np.ones((2 * BORDER + 1, 2 * BORDER + 1), np.uint8))
    return PixelSilhouette(rows, columns, alpha[rows, columns], around[rows, columns])
