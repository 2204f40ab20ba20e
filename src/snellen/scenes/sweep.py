"""The LiDAR half of a camera+LiDAR frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sweep:
    """Paths of one frame's point cloud, calibration and 3D labels; read when needed."""

    points: Path
    calibration: Path
    labels: Path | None = None
