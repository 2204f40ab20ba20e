"""An image under construction: shadows and meshes are collected, pixels are composed at the end."""

from __future__ import annotations

import numpy as np

from snellen.changes.insert3d.camera_seed import CameraSeed
from snellen.changes.insert3d.camera_shadows import GroundShadow
from snellen.changes.insert3d.camera_visibility import occluded_share
from snellen.vision.arrays import F32, F64, Bools, Image
from snellen.vision.rendering.mesh_renderer import ShadedSamples, pixel_colours

BORDER = 4


class Canvas:
    """Shadows and meshes over an image (H, W, 3), added in any order.

    covered: (H, W) pixels at least half covered by a mesh. depth: (H, W) of the mesh in metres, inf
    elsewhere.
    """

    def __init__(self, image: Image, seed: CameraSeed) -> None:
        self._before, self._seed = image, seed
        self._taken = np.zeros((*seed.shape, 3), dtype=np.float32)
        self._body = np.zeros((*seed.shape, 4), dtype=np.float32)
        self._grain = np.zeros((*seed.shape, 3), dtype=np.float32)
        self._windows: list[tuple[int, int, int, int]] = []
        self.covered = np.zeros(seed.shape, dtype=np.bool_)
        self.depth = np.full(seed.shape, np.inf, dtype=np.float32)

    @property
    def alpha(self) -> F32:
        """(H, W) the share of each pixel that meshes cover, with the blur at their edges."""
        return self._body[..., 3]

    def darken(self, cast: GroundShadow) -> None:
        """Add a shadow; two meshes block the sky twice, the sun once."""
        left, top, right, bottom = cast.window
        part = self._taken[top:bottom, left:right]
        part[..., 0] += (1 - part[..., 0]) * cast.sky
        part[..., 1] = np.maximum(part[..., 1], cast.sun)
        part[..., 2] = cast.lit
        self._windows.append(cast.window)

    def draw(self, drawn: ShadedSamples, kept: Bools, rng: np.random.Generator) -> tuple[F32, F32]:
        """Add the kept samples of a mesh, except where real objects occlude it.

        Returns two shares of each pixel in its window: covered if nothing were in front of it, and
        visible.
        """
        mesh, seed = drawn.fragments, self._seed
        whole, depth = mesh.coverage, mesh.pixel_depth
        focal_length = float(seed.frames.projection[0, 0])
        occluded = occluded_share(depth, mesh.left, mesh.top, seed.depth, focal_length)
        rgba = pixel_colours(drawn.colours, mesh, kept, seed.lit.sensor.gamma)
        visible = np.asarray(rgba[..., 3] * (1 - occluded), dtype=np.float32)
        if rgba.size:
            self._add(rgba, occluded, mesh.left, mesh.top, rng)
        self._update_depth(depth, visible, mesh.left, mesh.top)
        return whole, visible

    def image(self) -> Image:
        """The image with all that was added; other pixels are unchanged bit for bit."""
        from snellen.changes.insert3d.camera_canvas_kernels import compose_window

        lit, after = self._seed.lit, self._before.copy()
        ground = np.stack([lit.sky, lit.sun])
        camera = np.array([lit.sensor.gamma, lit.sensor.floor, lit.sensor.gain])
        for window in self._windows:
            compose_window(
                self._before, self._taken, self._body, self._grain, ground, camera,
                np.array(window), after,
            )  # fmt: skip
        return after

    def _add(self, rgba: F32, occluded: F32, left: int, top: int, rng: np.random.Generator) -> None:
        """Add a mesh with the blur, black level and noise of the camera."""
        import cv2

        height, width = self._seed.shape
        above, aside = min(BORDER, top), min(BORDER, left)
        below = min(BORDER, height - top - rgba.shape[0])
        beyond = min(BORDER, width - left - rgba.shape[1])
        black = np.float32(self._seed.lit.black)
        rgba[..., :3] += black * (rgba[..., 3:] - rgba[..., :3])
        body = cv2.copyMakeBorder(rgba, above, below, aside, beyond, cv2.BORDER_CONSTANT)
        blur = self._seed.lit.sensor.blur
        if blur > 0.05:
            body = cv2.GaussianBlur(body, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
        if occluded.any():
            edge = cv2.copyMakeBorder(occluded, above, below, aside, beyond, cv2.BORDER_REPLICATE)
            body *= 1 - edge[..., None]
        rows = slice(top - above, top - above + body.shape[0])
        columns = slice(left - aside, left - aside + body.shape[1])
        grain = rng.standard_normal((*body.shape[:2], 3), dtype=np.float32)
        self._body[rows, columns] += body
        self._grain[rows, columns] += grain * body[..., 3:]
        self._windows.append((columns.start, rows.start, columns.stop, rows.stop))

    def _update_depth(self, depth: F64, visible: F32, left: int, top: int) -> None:
        window = slice(top, top + depth.shape[0]), slice(left, left + depth.shape[1])
        nearer = (visible >= 0.5) & (depth < self.depth[window])
        self.depth[window][nearer] = depth[nearer]
        self.covered[window] |= visible >= 0.5
