"""Things put into a frame's picture so that they look as if they had stood there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from snellen.changes.insert3d.camera_canvas import Canvas
from snellen.changes.insert3d.camera_seed import CameraSeed, camera_seed
from snellen.changes.insert3d.camera_shadows import ground_shadow
from snellen.changes.insert3d.camera_visibility import in_front, whole_area
from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.rendering.mesh_renderer import shaded_samples
from snellen.vision.rendering.path_tracer import path_traced_samples
from snellen.vision.rendering.zbuffer import Fragments

__all__ = ["CameraChange", "CameraSeed", "CameraTrace", "camera_seed", "inserted_in_image"]

Pose = tuple[float, float, float, float]
Box = tuple[float, float, float, float]
Quality = Literal["fast", "hq"]

SEEN = 0.1


@dataclass(frozen=True)
class CameraTrace:
    """What the camera sees of one inserted thing, in pixels.

    amodal: xyxy of all of it that lies in the picture, as if nothing stood before it; visible: of
    what is seen; None where there is none. pixels: the area of the first, visible_pixels: of the
    second, full_pixels: of the thing with what lies beyond the picture.
    """

    amodal: Box | None
    visible: Box | None
    pixels: float
    visible_pixels: float
    full_pixels: float


@dataclass(frozen=True, eq=False)
class CameraChange:
    """A picture with things in it.

    image: (H, W, 3) uint8. things: in the order given. covered: (H, W) pixels that show the body of
    one, at least half of each. depth: (H, W) float32 metres of the body there, inf elsewhere.
    """

    image: Image
    things: tuple[CameraTrace, ...]
    covered: Bools
    depth: F32


def inserted_in_image(
    image: Image,
    seed: CameraSeed,
    things: Sequence[tuple[Mesh, Pose]],
    rng: np.random.Generator,
    *,
    quality: Quality = "fast",
) -> CameraChange:
    """The image (H, W, 3) with the things in it, each at x, y, z (of the ground), yaw.

    Nearer things hide farther ones, sample by sample; real things hide what stands behind them, by
    the depth of the seed. Shadows fall on the ground alone. rng: of the noise on the bodies.
    quality: "hq" takes the bodies' colours from path tracing (mitsuba), which takes seconds.
    """
    if image.shape != (*seed.shape, 3):
        raise UserError(
            f"image: shape {image.shape}, but the frame was made ready for {(*seed.shape, 3)}. "
            "Make it ready again from this image."
        )
    shades = [ground_shadow(image, seed, mesh, pose) for mesh, pose in things]
    drawings = [
        shaded_samples(
            mesh,
            pose,
            seed.frames,
            seed.shape,
            light=seed.lit.light.sunlit(cast.around),
            sharing=True,
        )
        for (mesh, pose), cast in zip(things, shades, strict=True)
    ]
    if quality == "hq":
        drawings = [
            path_traced_samples(
                drawn, mesh, pose, seed.frames, seed.shape, seed.lit.light.sunlit(cast.around)
            )
            for drawn, (mesh, pose), cast in zip(drawings, things, shades, strict=True)
        ]
    canvas = Canvas(image, seed)
    for cast in shades:
        canvas.darken(cast)
    seen = []
    for place, (mesh, pose) in enumerate(things):
        others = [d.fragments for k, d in enumerate(drawings) if k != place]
        kept = in_front(drawings[place].fragments, others)
        whole, shown = canvas.draw(drawings[place], kept, rng)
        seen.append(_seen(whole, shown, drawings[place].fragments, mesh, pose, seed))
    return CameraChange(canvas.image(), tuple(seen), canvas.covered, canvas.depth)


def _seen(
    whole: F32, shown: F32, where: Fragments, mesh: Mesh, pose: Pose, seed: CameraSeed
) -> CameraTrace:
    pixels = full = float(whole.sum())
    height, width = seed.shape
    inside = where.left > 0 and where.left + whole.shape[1] < width
    if not (inside and where.top > 0 and where.top + whole.shape[0] < height):
        full = max(whole_area(mesh.placed(*pose), mesh.faces, seed.frames, seed.shape), pixels)
    amodal, visible = (seen_box(share, where.left, where.top) for share in (whole, shown))
    return CameraTrace(amodal, visible, pixels, float(shown.sum()), full)


def seen_box(share: F32, left: int, top: int) -> Box | None:
    """Xyxy, half-open, of the pixels that are seen in a window of the picture at left, top."""
    seen = share > SEEN
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return None
    return (
        float(left + columns[0]), float(top + rows[0]),
        float(left + columns[-1] + 1), float(top + rows[-1] + 1),
    )  # fmt: skip
