"""`kind: lidar-only`: ground removal, clustering and box fitting on LiDAR points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from snellen.scenes.frame import Frame
from snellen.subjects.fusion.fusion_subject import FusionSubject, FusionSubjectOptions
from snellen.subjects.fusion.lidar_candidates import best_per_part, candidates_in, visible_parts
from snellen.subjects.fusion.obstacles import obstacles_in
from snellen.subjects.registry import Adapter
from snellen.vision.detections3d import Detections3D


class LidarOnlyOptions(FusionSubjectOptions):
    """Options of the LiDAR-only subject."""

    kind: Literal["lidar-only"] = "lidar-only"


def open_lidar_only(options: LidarOnlyOptions, folder: Path) -> FusionSubject:  # noqa: ARG001
    """The LiDAR-only subject."""

    def detect(frames: Sequence[Frame]) -> list[Detections3D]:
        return [lidar_detections(frame, options.sensor_height) for frame in frames]

    return FusionSubject("lidar-only", detect, options)


def lidar_detections(frame: Frame, sensor_height: float) -> Detections3D:
    """The LiDAR's detections in the camera's view, scored by belief."""
    candidates = candidates_in(visible_parts(obstacles_in(frame, sensor_height)), frame)
    return best_per_part(candidates, candidates.scores)


ADAPTER = Adapter(LidarOnlyOptions, open_lidar_only, page="subjects-fusion", runs=())
