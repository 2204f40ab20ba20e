"""Meshes inserted into the image of a frame, with occlusion, light, shadows and noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from snellen.changes.insert3d.camera_canvas import Canvas
from snellen.changes.insert3d.camera_seed import CameraSeed, camera_seed
from snellen.changes.insert3d.camera_shadows import ground_shadow
from snellen.changes.insert3d.camera_visibility import full_area, unoccluded_samples
from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.rendering.mesh_renderer import shaded_samples
from snellen.vision.rendering.path_tracer import path_traced_samples
from snellen.vision.rendering.zbuffer import Fragments

__all__ = ["CameraChange", "CameraSeed", "CameraTrace", "camera_seed", "insert_in_image"]

Pose = tuple[float, float, float, float]
Box = tuple[float, float, float, float]
Quality = Literal["fast", "hq"]

SEEN = 0.1
"""Share of a pixel from which it counts as showing the mesh."""


@dataclass(frozen=True)
class CameraTrace:
    """What the camera sees of one inserted mesh, in pixels.

    amodal: xyxy of its part inside the image, as if nothing were in front of it; visible: of its
    visible part; None if empty. pixels, visible_pixels: areas of the two; full_pixels: area of the
    whole mesh, including parts outside the image.
    """

    amodal: Box | None
    visible: Box | None
    pixels: float
    visible_pixels: float
    full_pixels: float


@dataclass(frozen=True, eq=False)
class CameraChange:
    """An image with meshes.

    image: (H, W, 3) uint8. traces: of the meshes in the order given. covered: (H, W) pixels at
    least half covered by a mesh. depth: (H, W) of the mesh in metres, inf elsewhere.
    """

    image: Image
    traces: tuple[CameraTrace, ...]
    covered: Bools
    depth: F32


def insert_in_image(
    image: Image,
    seed: CameraSeed,
    meshes: Sequence[tuple[Mesh, Pose]],
    rng: np.random.Generator,
    *,
    quality: Quality = "fast",
) -> CameraChange:
    """The image (H, W, 3) with the meshes, each at x, y, z (of the ground), yaw.

    Nearer meshes occlude farther ones, sample by sample; real objects occlude meshes behind them,
    by the depth of the seed. Shadows fall only on the ground. rng: for the noise on the meshes.
    quality: "hq" renders the meshes by path tracing (mitsuba), which takes seconds.
    """
    if image.shape != (*seed.shape, 3):
        raise UserError(
            f"image: shape {image.shape}, but the frame was prepared for {(*seed.shape, 3)}. "
            "Prepare it again from this image."
        )
    shadows = [ground_shadow(image, seed, mesh, pose) for mesh, pose in meshes]
    drawings = [
        shaded_samples(
            mesh,
            pose,
            seed.frames,
            seed.shape,
            light=seed.lit.light.sunlit(cast.around),
            sharing=True,
        )
        for (mesh, pose), cast in zip(meshes, shadows, strict=True)
    ]
    if quality == "hq":
        drawings = [
            path_traced_samples(
                drawn, mesh, pose, seed.frames, seed.shape, seed.lit.light.sunlit(cast.around)
            )
            for drawn, (mesh, pose), cast in zip(drawings, meshes, shadows, strict=True)
        ]
    canvas = Canvas(image, seed)
    for cast in shadows:
        canvas.darken(cast)
    traces = []
    for place, (mesh, pose) in enumerate(meshes):
        others = [d.fragments for k, d in enumerate(drawings) if k != place]
        kept = unoccluded_samples(drawings[place].fragments, others)
        whole, visible = canvas.draw(drawings[place], kept, rng)
        traces.append(_trace(whole, visible, drawings[place].fragments, mesh, pose, seed))
    return CameraChange(canvas.image(), tuple(traces), canvas.covered, canvas.depth)


def _trace(
    whole: F32, visible: F32, where: Fragments, mesh: Mesh, pose: Pose, seed: CameraSeed
) -> CameraTrace:
    pixels = full = float(whole.sum())
    height, width = seed.shape
    inside = where.left > 0 and where.left + whole.shape[1] < width
    if not (inside and where.top > 0 and where.top + whole.shape[0] < height):
        full = max(full_area(mesh.placed(*pose), mesh.faces, seed.frames, seed.shape), pixels)
    amodal, box = (seen_box(share, where.left, where.top) for share in (whole, visible))
    return CameraTrace(amodal, box, pixels, float(visible.sum()), full)


def seen_box(share: F32, left: int, top: int) -> Box | None:
    """Xyxy, half-open, of the visible pixels in a window of the image at left, top, or None."""
    seen = share > SEEN
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return None
    return (
        float(left + columns[0]), float(top + rows[0]),
        float(left + columns[-1] + 1), float(top + rows[-1] + 1),
    )  # fmt: skip
