"""A camera+LiDAR frame, the input of a fusion subject, with its ground truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.vision.arrays import Image, Points
from snellen.vision.solids.coordinate_frames import CoordinateFrames


@dataclass(frozen=True)
class LabelledObject:
    """One labelled object of a frame.

    row: its KITTI label. points: number of LiDAR returns from it. lidar_visible, image_visible:
    the share of its returns and pixels, 0 to 1, that inserted objects leave visible. inserted: its
    index among the inserted objects, None for an object of the original frame.
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
    in the LiDAR frame and intensity. truth: the labelled objects, None if there are no labels; only
    planted subjects and exported files use them, the system under test never sees them.
    measurements: taken while the frame was built.
    """

    image: Image | None
    points: Points
    calibration: Calibration
    truth: tuple[LabelledObject, ...] | None = None
    measurements: Mapping[str, float] = field(default_factory=dict)

    @property
    def frames(self) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and image."""
        return self.calibration.frames()

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the image in pixels, (0, 0) without an image."""
        return (0, 0) if self.image is None else (self.image.shape[0], self.image.shape[1])
