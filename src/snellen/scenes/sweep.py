"""The LiDAR half of a camera+LiDAR frame: points, calibration and 3D labels."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from snellen.scenes.kitti.calibration_file import Calibration, read_calibration
from snellen.scenes.kitti.label_file import LabelRow, read_labels
from snellen.scenes.kitti.point_file import points_bytes, read_points
from snellen.vision.arrays import Points


class Sweep(Protocol):
    """The LiDAR half of one frame, in files (cheap to send to a worker) or in memory."""

    def points(self) -> Points:
        """(N, 4) float32: x forward, y left, z up in metres in the LiDAR frame, and intensity."""

    def calibration(self) -> Calibration:
        """How LiDAR, cameras and image lie to each other."""

    def labels(self) -> tuple[LabelRow, ...] | None:
        """The rows of KITTI's label file in order, or None if there are no labels."""

    def digest(self) -> str:
        """A hash of points and calibration: equal digests mean equal sweeps."""


@dataclass(frozen=True)
class SweepFiles:
    """A sweep in KITTI's files, read on demand. bad_lines: lines of the labels to skip, from 1."""

    points_file: Path
    calibration_file: Path
    labels_file: Path | None = None
    bad_lines: tuple[int, ...] = ()

    def points(self) -> Points:
        """(N, 4) float32: x forward, y left, z up in metres in the LiDAR frame, and intensity."""
        return read_points(self.points_file)

    def calibration(self) -> Calibration:
        """How LiDAR, cameras and image lie to each other."""
        return read_calibration(self.calibration_file)

    def labels(self) -> tuple[LabelRow, ...] | None:
        """The rows of the label file in order, or None without a label file."""
        return None if self.labels_file is None else read_labels(self.labels_file, self.bad_lines)

    def digest(self) -> str:
        """BLAKE2 of the bytes of points and calibration."""
        text = self.calibration().text()
        return _digest(points_bytes(self.points_file), text)


@dataclass(frozen=True, eq=False)
class SweepArrays:
    """A sweep in memory, such as one with inserted objects."""

    cloud: Points
    calibrated: Calibration
    rows: tuple[LabelRow, ...] | None = None

    def points(self) -> Points:
        """(N, 4) float32: x forward, y left, z up in metres in the LiDAR frame, and intensity."""
        return self.cloud

    def calibration(self) -> Calibration:
        """How LiDAR, cameras and image lie to each other."""
        return self.calibrated

    def labels(self) -> tuple[LabelRow, ...] | None:
        """The rows of the labels, or None if there are no labels."""
        return self.rows

    def digest(self) -> str:
        """BLAKE2 of points and calibration."""
        return _digest(np.asarray(self.cloud, dtype="<f4").tobytes(), self.calibrated.text())


def _digest(points: bytes, calibration: str) -> str:
    state = hashlib.blake2b(points, digest_size=16)
    state.update(calibration.encode())
    return state.hexdigest()
