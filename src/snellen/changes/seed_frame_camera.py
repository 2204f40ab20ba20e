"""Things drawn into a frame's image in front of everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.changes.recipe import Image
from snellen.changes.seed_frame import SeedFrame
from snellen.objects.meshes.mesh import Mesh
from snellen.vision.rendering.picture import picture

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Trace:
    """What is seen of one thing."""

    amodal: Box | None
    visible: Box | None
    pixels: int
    visible_pixels: int
    full_pixels: int


@dataclass(frozen=True, eq=False)
class CameraChange:
    """The image with the things in it, and what is seen of them."""

    image: Image
    things: tuple[Trace, ...]
    covered: npt.NDArray[np.bool_]
    depth: npt.NDArray[np.float64]


def inserted_in_image(
    image: Image,
    seed: SeedFrame,
    things: Sequence[tuple[Mesh, tuple[float, float, float, float]]],
    rng: np.random.Generator,  # noqa: ARG001
) -> CameraChange:
    """The image with the things in front of everything."""
    depth = np.full(seed.size, np.inf)
    owner = np.full(seed.size, -1)
    shown = [picture(mesh, pose, seed.frames, seed.size) for mesh, pose in things]
    for place in sorted(range(len(things)), key=lambda i: -things[i][1][0]):
        one = shown[place]
        image = one.over(image)
        h, w = one.depth.shape
        window = np.s_[one.top : one.top + h, one.left : one.left + w]
        nearer = one.depth < depth[window]
        depth[window][nearer] = one.depth[nearer]
        owner[window][nearer] = place
    traces = []
    for place, one in enumerate(shown):
        mask = np.zeros(seed.size, bool)
        h, w = one.depth.shape
        mask[one.top : one.top + h, one.left : one.left + w] = np.isfinite(one.depth)
        seen = owner == place
        n = int(mask.sum())
        traces.append(Trace(_box(mask), _box(seen), n, int(seen.sum()), n))
    return CameraChange(image, tuple(traces), np.isfinite(depth), depth)


def _box(mask: npt.NDArray[np.bool_]) -> Box | None:
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return None
    return (float(columns.min()), float(rows.min()), columns.max() + 1.0, rows.max() + 1.0)
