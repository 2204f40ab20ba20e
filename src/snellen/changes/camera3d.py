"""Things put into a frame's picture so that they look as if they had stood there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.changes.camera3d_bodies import hidden, in_front, leaves_picture, whole_area
from snellen.changes.camera3d_ground import Shade, ground_ratio, shade
from snellen.changes.camera3d_seed import CameraSeed, camera_seed
from snellen.objects.meshes.mesh import Mesh
from snellen.vision.rendering.picture import Drawing, averaged, drawing

__all__ = ["CameraChange", "CameraSeed", "SeenThing", "camera_seed", "inserted_in_image"]

Image = npt.NDArray[np.uint8]
Share = npt.NDArray[np.float32]
Pose = tuple[float, float, float, float]
Box = tuple[float, float, float, float]

SEEN = 0.1
BORDER = 4


@dataclass(frozen=True)
class SeenThing:
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
    things: tuple[SeenThing, ...]
    covered: npt.NDArray[np.bool_]
    depth: npt.NDArray[np.float32]


def inserted_in_image(
    image: Image,
    seed: CameraSeed,
    things: Sequence[tuple[Mesh, Pose]],
    rng: np.random.Generator,
) -> CameraChange:
    """The image (H, W, 3) with the things in it, each at x, y, z (of the ground), yaw.

    Nearer things hide farther ones, sample by sample; real things hide what stands behind them, by
    the depth of the seed. Shadows fall on the ground alone. rng: of the noise on the bodies.
    """
    canvas = _Canvas(image, seed)
    shades = [shade(image, seed, mesh, pose) for mesh, pose in things]
    drawings = [
        drawing(mesh, pose, seed.frames, seed.shape, light=seed.lit.light.sunlit(cast.share))
        for (mesh, pose), cast in zip(things, shades, strict=True)
    ]
    seen = []
    for place, (mesh, pose) in enumerate(things):
        canvas.darken(shades[place])
        others = [d.fragments for k, d in enumerate(drawings) if k != place]
        kept = in_front(drawings[place].fragments, others)
        pixels, amodal, left, visible = canvas.draw(drawings[place], kept, rng)
        full = pixels
        if leaves_picture(placed := mesh.placed(*pose), seed.frames, seed.shape):
            full = max(whole_area(placed, mesh.faces, seed.frames, seed.shape), pixels)
        seen.append(SeenThing(amodal, visible, pixels, left, full))
    return CameraChange(canvas.image(), tuple(seen), canvas.body[..., 3] >= 0.5, canvas.depth)


class _Canvas:
    """The picture while things are put in; each pixel is made once, at the end."""

    def __init__(self, image: Image, seed: CameraSeed) -> None:
        self.before, self.seed = image, seed
        self.sky = np.ones(seed.shape, dtype=np.float32)
        self.sun = np.ones(seed.shape, dtype=np.float32)
        self.body = np.zeros((*seed.shape, 4), dtype=np.float32)
        self.grain = np.zeros((*seed.shape, 3), dtype=np.float32)
        self.depth = np.full(seed.shape, np.inf, dtype=np.float32)
        self.windows: list[tuple[slice, slice]] = []

    def darken(self, cast: Shade) -> None:
        left, top, right, bottom = cast.window
        there = slice(top, bottom), slice(left, right)
        self.sky[there] *= cast.sky
        self.sun[there] = np.minimum(self.sun[there], cast.sun)
        self.windows.append(there)

    def draw(
        self, drawn: Drawing, kept: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[float, Box | None, float, Box | None]:
        """Adds a body; gives area and box, as if nothing stood before it and as it is seen."""
        fragments = drawn.fragments
        lens = float(self.seed.frames.projection[0, 0])
        covered = fragments.coverage
        depth = fragments.pixel_depth
        before = hidden(depth, fragments.left, fragments.top, self.seed.depth, lens)
        rgba = averaged(drawn.colours, fragments, kept, self.seed.lit.sensor.gamma)
        shown = rgba[..., 3] * (1 - before)
        self._add(rgba, before, fragments.left, fragments.top, rng)
        self._deepen(depth, shown, fragments.left, fragments.top)
        corner = fragments.left, fragments.top
        return (
            float(covered.sum()), _box(covered, *corner), float(shown.sum()), _box(shown, *corner)
        )  # fmt: skip

    def _add(self, rgba: Share, before: Share, left: int, top: int, rng: np.random.Generator
             ) -> None:  # fmt: skip
        import cv2

        if not rgba.size:
            return
        height, width = self.seed.shape
        above, left_of = min(BORDER, top), min(BORDER, left)
        below = min(BORDER, height - top - rgba.shape[0])
        right_of = min(BORDER, width - left - rgba.shape[1])
        body = cv2.copyMakeBorder(rgba, above, below, left_of, right_of, cv2.BORDER_CONSTANT)
        blur = self.seed.lit.sensor.blur
        if blur > 0.05:
            body = cv2.GaussianBlur(body, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
        edge = cv2.copyMakeBorder(before, above, below, left_of, right_of, cv2.BORDER_REPLICATE)
        body *= 1 - edge[..., None]
        rows = slice(top - above, top - above + body.shape[0])
        columns = slice(left - left_of, left - left_of + body.shape[1])
        grain = rng.standard_normal((*body.shape[:2], 3), dtype=np.float32)
        self.body[rows, columns] += body
        self.grain[rows, columns] += grain * body[..., 3:]
        self.windows.append((rows, columns))

    def _deepen(self, depth: npt.NDArray[np.float64], shown: Share, left: int, top: int) -> None:
        part = self.depth[top : top + depth.shape[0], left : left + depth.shape[1]]
        nearer = (shown >= 0.5) & (depth < part)
        part[nearer] = depth[nearer]

    def image(self) -> Image:
        result = self.before.copy()
        for window in self.windows:
            result[window] = self._pixels(window)
        return result

    def _pixels(self, window: tuple[slice, slice]) -> Image:
        part = self.before[window]
        ratio = ground_ratio(part, self.sky[window], self.sun[window], self.seed)
        body, alpha = self.body[window], np.minimum(self.body[window][..., 3:], 1)
        colour = 255 * body[..., :3]
        plain = np.asarray(colour / np.maximum(alpha, np.float32(1e-3)), dtype=np.float32)
        spread = self.seed.lit.sensor.noise(plain)
        value = part * ratio * (1 - alpha) + colour + spread * self.grain[window]
        return np.asarray(np.clip(value + np.float32(0.5), 0, 255), dtype=np.uint8)


def _box(share: Share, left: int, top: int) -> Box | None:
    """Xyxy of the pixels that are seen, in the picture's coordinates."""
    seen = share > SEEN
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return None
    return (
        float(left + columns[0]), float(top + rows[0]),
        float(left + columns[-1] + 1), float(top + rows[-1] + 1),
    )  # fmt: skip
