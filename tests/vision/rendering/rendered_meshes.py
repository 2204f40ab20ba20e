"""One mesh as the camera sees it, for tests of the renderer."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.vision.arrays import F32, F64
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import RenderableMesh, pixel_colours, shaded_samples
from snellen.vision.rendering.zbuffer import Fragments
from snellen.vision.solids.coordinate_frames import CoordinateFrames


@dataclass(frozen=True, eq=False)
class RenderedMesh:
    """A mesh in a window of the image.

    left, top: the window's first pixel. rgba: (h, w, 4) sRGB multiplied by alpha, in [0, 1]. depth:
    (h, w) metres, inf where nothing is. places: (S, 3) metres of each sample in the mesh's frame.
    """

    left: int
    top: int
    rgba: F32
    depth: F64
    fragments: Fragments
    places: F64


def rendered_mesh(
    mesh: RenderableMesh,
    pose: tuple[float, float, float, float],
    frames: CoordinateFrames,
    shape: tuple[int, int],
    light: Light | None = None,
) -> RenderedMesh:
    """The mesh at a pose x, y, z (of the ground), yaw in the LiDAR frame."""
    drawn = shaded_samples(mesh, pose, frames, shape, light=light)
    seen = drawn.fragments
    rgba = pixel_colours(drawn.colours, seen)
    return RenderedMesh(seen.left, seen.top, rgba, seen.pixel_depth, seen, drawn.places)
