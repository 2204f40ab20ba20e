"""A picture while things are put in; each pixel is made once, at the end."""

from __future__ import annotations

import numpy as np

from snellen.changes.insert3d.camera_seed import CameraSeed
from snellen.changes.insert3d.camera_shadows import GroundShadow
from snellen.changes.insert3d.camera_visibility import hidden
from snellen.vision.arrays import F32, F64, Bools, Image
from snellen.vision.rendering.mesh_renderer import ShadedSamples, pixel_colours

BORDER = 4


class Canvas:
    """Shadows and bodies over a picture (H, W, 3), gathered in any order.

    covered: (H, W) pixels that show the body of a thing, at least half of each. depth: (H, W)
    float32 metres of the body there, inf elsewhere.
    """

    def __init__(self, image: Image, seed: CameraSeed) -> None:
        self._before, self._seed = image, seed
        self._taken = np.zeros((*seed.shape, 3), dtype=np.float32)
        self._body = np.zeros((*seed.shape, 4), dtype=np.float32)
        self._grain = np.zeros((*seed.shape, 3), dtype=np.float32)
        self._windows: list[tuple[int, int, int, int]] = []
        self.covered = np.zeros(seed.shape, dtype=np.bool_)
        self.depth = np.full(seed.shape, np.inf, dtype=np.float32)

    def darken(self, cast: GroundShadow) -> None:
        """Takes from the ground what a thing takes; two things hide twice the sky, one sun."""
        left, top, right, bottom = cast.window
        part = self._taken[top:bottom, left:right]
        part[..., 0] += (1 - part[..., 0]) * cast.sky
        part[..., 1] = np.maximum(part[..., 1], cast.sun)
        part[..., 2] = cast.lit
        self._windows.append(cast.window)

    def draw(self, drawn: ShadedSamples, kept: Bools, rng: np.random.Generator) -> tuple[F32, F32]:
        """Adds the kept samples of a body, real things before it left out.

        Gives the share of each pixel in its window that it covers, were nothing before it, and that
        it is seen in.
        """
        seen, seed = drawn.fragments, self._seed
        whole, depth = seen.coverage, seen.pixel_depth
        before = hidden(depth, seen.left, seen.top, seed.depth, float(seed.frames.projection[0, 0]))
        rgba = pixel_colours(drawn.colours, seen, kept, seed.lit.sensor.gamma)
        shown = np.asarray(rgba[..., 3] * (1 - before), dtype=np.float32)
        if rgba.size:
            self._add(rgba, before, seen.left, seen.top, rng)
        self._deepen(depth, shown, seen.left, seen.top)
        return whole, shown

    def image(self) -> Image:
        """The picture with all that was put in, other pixels as they were to the bit."""
        from snellen.changes.insert3d.camera_canvas_kernels import composed

        lit, after = self._seed.lit, self._before.copy()
        ground = np.stack([lit.sky, lit.sun])
        camera = np.array([lit.sensor.gamma, lit.sensor.floor, lit.sensor.gain])
        for window in self._windows:
            composed(
                self._before, self._taken, self._body, self._grain, ground, camera,
                np.array(window), after,
            )  # fmt: skip
        return after

    def _add(self, rgba: F32, before: F32, left: int, top: int, rng: np.random.Generator) -> None:
        """Adds a body with the camera's blur and black, and noise; before: what hides it."""
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
        if before.any():
            edge = cv2.copyMakeBorder(before, above, below, aside, beyond, cv2.BORDER_REPLICATE)
            body *= 1 - edge[..., None]
        rows = slice(top - above, top - above + body.shape[0])
        columns = slice(left - aside, left - aside + body.shape[1])
        grain = rng.standard_normal((*body.shape[:2], 3), dtype=np.float32)
        self._body[rows, columns] += body
        self._grain[rows, columns] += grain * body[..., 3:]
        self._windows.append((columns.start, rows.start, columns.stop, rows.stop))

    def _deepen(self, depth: F64, shown: F32, left: int, top: int) -> None:
        there = slice(top, top + depth.shape[0]), slice(left, left + depth.shape[1])
        nearer = (shown >= 0.5) & (depth < self.depth[there])
        self.depth[there][nearer] = depth[nearer]
        self.covered[there] |= shown >= 0.5
