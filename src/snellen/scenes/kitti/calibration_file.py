"""KITTI's calibration files: the transforms between LiDAR, cameras and image."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64
from snellen.vision.solids.coordinate_frames import CoordinateFrames

_SHAPES = {
    **{f"P{camera}": (3, 4) for camera in range(4)},
    "R0_rect": (3, 3),
    "Tr_velo_to_cam": (3, 4),
    "Tr_imu_to_velo": (3, 4),
}


@dataclass(frozen=True, eq=False)
class Calibration:
    """The matrices of one frame, named as in KITTI's file.

    p0..p3: (3, 4) projections from the rectified frame of camera 0 to the pixels of each camera.
    r0_rect: (3, 3) rotation to the rectified frame. tr_velo_to_cam: (3, 4) LiDAR to camera 0.
    tr_imu_to_velo: (3, 4) inertial unit to LiDAR. source: the text they were read from.
    """

    p0: F64
    p1: F64
    p2: F64
    p3: F64
    r0_rect: F64
    tr_velo_to_cam: F64
    tr_imu_to_velo: F64
    source: str | None = field(default=None, repr=False)

    def frames(self, camera: int = 2) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and the pixels of one camera."""
        rotation = np.eye(4)
        rotation[:3, :3] = self.r0_rect
        motion = np.vstack([self.tr_velo_to_cam, [0, 0, 0, 1]])
        return CoordinateFrames(rotation @ motion, (self.p0, self.p1, self.p2, self.p3)[camera])

    def text(self) -> str:
        """The file's text: the original if nothing changed, else in KITTI's number format."""
        if self.source is not None and parse_calibration(self.source, "source") == self:
            return self.source
        rows = (
            f"{name}: {' '.join(f'{value:.12e}' for value in getattr(self, name.lower()).ravel())}"
            for name in _SHAPES
        )
        return "\n".join(rows) + "\n\n"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and all(
            np.array_equal(getattr(self, one.name), getattr(other, one.name))
            for one in fields(self)
            if one.name != "source"
        )

    __hash__ = None  # type: ignore[assignment]


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise UserError(
            f"{path}: the calibration cannot be read: {why}. Restore the file."
        ) from None
    return parse_calibration(text, str(path))


def parse_calibration(text: str, where: str) -> Calibration:
    """The calibration in a text; `where` begins each message."""
    rows = {}
    for line in text.splitlines():
        name, colon, values = line.partition(":")
        if colon:
            rows[name.strip()] = values.split()
    matrices = {name.lower(): _matrix(name, rows, where) for name in _SHAPES}
    found = Calibration(**matrices, source=text)
    if not _has_inverse(found):
        raise UserError(
            f"{where}: the rows 'R0_rect' and 'Tr_velo_to_cam' have no inverse, so points of the "
            "camera cannot be placed in the LiDAR frame. Correct the rows."
        )
    return found


def _has_inverse(found: Calibration) -> bool:
    with np.errstate(all="ignore"):
        try:
            return bool(np.isfinite(found.frames().lidar_from_camera).all())
        except np.linalg.LinAlgError:
            return False


def _matrix(name: str, rows: dict[str, list[str]], where: str) -> F64:
    shape = _SHAPES[name]
    count = shape[0] * shape[1]
    if name not in rows:
        raise UserError(
            f"{where}: the row '{name}' is missing, expected {', '.join(_SHAPES)}. Complete the "
            "file."
        )
    if len(rows[name]) != count:
        raise UserError(
            f"{where}: the row '{name}' has {len(rows[name])} numbers, expected {count}. "
            "Correct the row."
        )
    try:
        values = np.array([float(value) for value in rows[name]])
    except ValueError as error:
        raise UserError(
            f"{where}: the row '{name}' has a value that is not a number: {error}. Correct the row."
        ) from None
    if not np.isfinite(values).all():
        raise UserError(
            f"{where}: the row '{name}' has a value that is not finite. Correct the row."
        )
    return values.reshape(shape)
