"""One thing in a camera+LiDAR frame as both sensors have it, real or inserted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from experiments.multitest.realism import local_density, range_band
from experiments.multitest.realism_patches import image_patches, range_patches
from snellen.changes.insert3d.modality_consistency import Box, modality_consistency, returns_box
from snellen.changes.insert3d.seed_frame import SeedFrame, seed_frame
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.scene import Scene
from snellen.vision.solids.coordinate_frames import CoordinateFrames

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

CAR = "Car"
LEAST_HEIGHT, LEAST_POINTS = 25.0, 5
"""Pixels and returns from which on a thing's picture and cloud say something of it."""


@dataclass(frozen=True, eq=False)
class Thing:
    """What was measured of one thing.

    box: x1 y1 x2 y2 in pixels around what the image shows of it, or None. returns: (A, 4) from it.
    consistency: the published measure (MC). gap: |LiDAR-visible - image-visible|, None where it was
    not measured. image, ranges: features of its patches.
    """

    box: Box | None
    returns: Points
    consistency: float
    gap: float | None
    image: Floats
    ranges: Floats

    @property
    def shown(self) -> bool:
        """Whether a sensor shows so much of it that it could be found."""
        high = self.box is not None and self.box[3] - self.box[1] >= LEAST_HEIGHT
        return high or len(self.returns) >= LEAST_POINTS

    @cached_property
    def density(self) -> float:
        """Neighbours of its returns, as at 10 m."""
        return local_density(self.returns)

    @property
    def band(self) -> int | None:
        """The range that it is in."""
        if len(self.returns) < LEAST_POINTS:
            return None
        return range_band(float(np.linalg.norm(self.returns[:, :3].mean(axis=0))))


def measured(
    image: npt.NDArray[np.uint8],
    points: Points,
    box: Box | None,
    returns: Points,
    frames: CoordinateFrames,
    gap: float | None = None,
) -> Thing:
    """A thing in a frame, measured. points: (N, 4) the whole sweep with its returns in it."""
    seen = returns_box(returns, frames, (image.shape[0], image.shape[1])) if len(returns) else None
    large = box is not None and box[3] - box[1] >= LEAST_HEIGHT
    patches = image_patches(image, box if large and box is not None else (0, 0, 0, 0))
    ranges = range_patches(points, returns[:, :3] if len(returns) >= LEAST_POINTS else ())
    return Thing(box, returns, modality_consistency(box, seen), gap, patches, ranges)


def real_cars(scene: Scene) -> list[Thing]:
    """The labelled cars of a scene that are large enough in both sensors."""
    seed = seed_frame(scene)
    assert seed.image is not None
    return [
        measured(seed.image, seed.points, row.box, seed.points[own], seed.frames)
        for row, own in labelled_cars(seed)
        if row.occluded <= 1
    ]


def labelled_cars(seed: SeedFrame) -> Iterator[tuple[LabelRow, npt.NDArray[np.int64]]]:
    """The rows of cars that are large enough in both sensors, with their points."""
    for row, own in zip(seed.rows or (), seed.own_points, strict=True):
        high = row.box[3] - row.box[1]
        if row.type == CAR and len(own) >= LEAST_POINTS and high >= LEAST_HEIGHT:
            yield row, own
