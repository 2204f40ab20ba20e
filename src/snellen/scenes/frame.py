"""A camera+LiDAR frame as a fusion subject is given it, with what is known to be in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.vision.arrays import Image, Points
from snellen.vision.solids.coordinate_frames import CoordinateFrames


@dataclass(frozen=True)
class LabelledObject:
    """One thing known to be in a frame.

    row: as KITTI's labels give it. points: LiDAR returns from it. lidar_visible, image_visible: the
    share of the returns and of the pixels it would have with nothing new in front of it that are
    left, 0 to 1. inserted: its place among what was inserted, None for what was there before.
    """

    row: LabelRow
    points: int
    lidar_visible: float = 1.0
    image_visible: float = 1.0
    inserted: int | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """One input of a fusion subject.

    image: H x W x 3 uint8 RGB, None for a LiDAR-only frame. points: (N, 4) float32, x y z in metres
    in the LiDAR frame and intensity. known: what is in it, for planted subjects and for files on
    disk; a system under test is never shown it. None where nothing is known. measurements: taken
    while it was built.
    """

    image: Image | None
    points: Points
    calibration: Calibration
    known: tuple[LabelledObject, ...] | None = None
    measurements: Mapping[str, float] = field(default_factory=dict)

    @property
    def frames(self) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and image."""
        return self.calibration.frames()

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the image in pixels, (0, 0) without one."""
        return (0, 0) if self.image is None else (self.image.shape[0], self.image.shape[1])
