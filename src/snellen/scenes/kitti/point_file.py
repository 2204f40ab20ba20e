"""KITTI's point clouds: rows of x, y, z, intensity as little-endian float32."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import Points

ROW = 16


def read_points(path: Path) -> Points:
    """(N, 4) float32: x forward, y left, z up in metres in the LiDAR frame, and intensity."""
    data = points_bytes(path)
    if len(data) % ROW:
        raise UserError(
            f"{path}: found {len(data)} bytes, expected a multiple of {ROW} (x y z intensity as "
            "float32): the file is truncated or not a point cloud. Download it again."
        )
    points = np.frombuffer(data, dtype="<f4").reshape(-1, 4).astype(np.float32)
    if not np.isfinite(points).all():
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise UserError(f"{path}: point {row} has a value that is not finite. Download it again.")
    return points


def points_bytes(path: Path) -> bytes:
    """The file's bytes."""
    try:
        return path.read_bytes()
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise UserError(
            f"{path}: the point cloud cannot be read: {why}. Restore the file."
        ) from None
