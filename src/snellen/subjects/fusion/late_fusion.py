"""Late fusion: LiDAR and camera detect separately; agreement raises the score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from snellen.scenes.frame import Frame
from snellen.subjects.fusion.fusion_subject import (
    CameraOptions,
    FusionSubject,
    images_of,
    open_camera,
)
from snellen.subjects.fusion.lidar_candidates import best_per_part, candidates_in, visible_parts
from snellen.subjects.fusion.obstacles import obstacles_in
from snellen.subjects.fusion.score_fusion import fused_scores
from snellen.subjects.registry import Adapter
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D


class LateFusionOptions(CameraOptions):
    """Options of the late-fusion subject."""

    kind: Literal["late-fusion"] = "late-fusion"


def open_late(options: LateFusionOptions, folder: Path) -> FusionSubject:
    """The late-fusion subject, with its camera's detector loaded."""
    camera = open_camera(options, folder)

    def detect(frames: Sequence[Frame]) -> list[Detections3D]:
        detections = camera.detect(images_of(frames))
        pairs = zip(detections, frames, strict=True)
        return [late_detections(one, frame, options.sensor_height) for one, frame in pairs]

    return FusionSubject("late-fusion", detect, options, camera)


def late_detections(detections: Detections, frame: Frame, sensor_height: float) -> Detections3D:
    """The LiDAR candidates, scored by both sensors."""
    candidates = candidates_in(visible_parts(obstacles_in(frame, sensor_height)), frame)
    return best_per_part(candidates, fused_scores(candidates, detections))


ADAPTER = Adapter(LateFusionOptions, open_late, page="subjects-fusion", runs=())
