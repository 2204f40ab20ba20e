"""Weak fusion: the camera's detector gives the class, the LiDAR the 3D box."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from snellen.scenes.frame import Frame
from snellen.subjects.fusion.frustums import solids_behind
from snellen.subjects.fusion.fusion_subject import (
    CameraOptions,
    FusionSubject,
    images_of,
    open_camera,
)
from snellen.subjects.fusion.obstacles import obstacles_in
from snellen.subjects.registry import Adapter
from snellen.vision.detections3d import Detections3D


class WeakFusionOptions(CameraOptions):
    """Options of the weak-fusion subject."""

    kind: Literal["weak-fusion"] = "weak-fusion"
    score: float = 0.3


def open_weak(options: WeakFusionOptions, folder: Path) -> FusionSubject:
    """The weak-fusion subject, with its camera's detector loaded."""
    camera = open_camera(options, folder)

    def detect(frames: Sequence[Frame]) -> list[Detections3D]:
        detections = camera.detect(images_of(frames))
        return [
            solids_behind(one, obstacles_in(frame, options.sensor_height), frame)
            for one, frame in zip(detections, frames, strict=True)
        ]

    return FusionSubject("weak-fusion", detect, options, camera)


ADAPTER = Adapter(WeakFusionOptions, open_weak, page="subjects-fusion", runs=())
