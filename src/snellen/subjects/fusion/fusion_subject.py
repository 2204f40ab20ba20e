"""Shared parts of the rule-based fusion subjects: options, traits and prediction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import Field

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.fusion.camera_detector import NAMES, Camera
from snellen.subjects.fusion.priors import CLASSES
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import ShownSubject, Task
from snellen.subjects.user_code.user_code_options import Share
from snellen.vision.arrays import Image
from snellen.vision.detections3d import Detections3D
from snellen.vision.lidar.ground import SENSOR_HEIGHT, ground_library

VERSION = "1"  # Increment it whenever the same frame gives a different answer.

FusionClass: TypeAlias = Literal["Car", "Pedestrian", "Cyclist"]
Detect: TypeAlias = Callable[[Sequence[Frame]], list[Detections3D]]


class FusionSubjectOptions(Options):
    """Options of a rule-based fusion subject."""

    name: str | None = Field(default=None, description="name for reports")
    score: Share = Field(default=0.5, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    batch: int = Field(default=4, ge=1, description="frames per call")
    sensor_height: float = Field(
        default=SENSOR_HEIGHT, gt=0, description="height of the LiDAR above the ground in metres"
    )


class CameraOptions(FusionSubjectOptions):
    """Options of a subject with an image detector."""

    camera: dict[str, Any] = Field(description="options of the image detector, a subject")
    names: dict[str, FusionClass] = Field(
        default_factory=lambda: dict(NAMES),
        description="our class by the detector's class in lower case",
    )
    tiles: bool = Field(default=True, description="also run on square tiles of a wide image")


class FusionSubject(ShownSubject):
    """Camera+LiDAR frames in, cars, pedestrians and cyclists out."""

    def __init__(
        self, kind: str, detect: Detect, options: FusionSubjectOptions, camera: Camera | None = None
    ) -> None:
        ground_library()  # a missing extra is an error now, not in every scene
        self._detect, self._camera = detect, camera
        self._floor = min(options.floor, options.score)
        eye = camera.subject if camera is not None else None
        self.name = options.name or (kind if eye is None else f"{kind} with {eye.name}")
        self.task = Task.DETECTION_3D
        self.classes = CLASSES
        self.score, self.batch = options.score, options.batch
        self.deterministic = True if eye is None else eye.deterministic
        self.tolerance = 0.0 if eye is None else eye.tolerance
        parts = options.model_dump(exclude={"name", "score", "floor", "batch", "camera"})
        self.fingerprint = fingerprint_of(
            version=VERSION,
            floor=self._floor,
            camera=None if eye is None else eye.fingerprint,
            **parts,
        )

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        """The detections in each frame, best first."""
        return [found.above(self._floor) for found in self._detect(images)]

    def restart(self) -> None:
        """Restart the camera's detector, if it supports that."""
        restart = getattr(self._camera.subject, "restart", None) if self._camera else None
        if restart is not None:
            restart()

    def close(self) -> None:
        """Close the camera's detector."""
        if self._camera is not None:
            self._camera.subject.close()


def open_camera(options: CameraOptions, folder: Path) -> Camera:
    """The camera of the options, with its detector loaded."""
    subject = open_subject(options.camera, folder, "subject.camera")
    return Camera(subject, options.names, options.tiles)


def images_of(frames: Sequence[Frame]) -> list[Image]:
    """The image of each frame; a frame without one is an error."""
    images = [frame.image for frame in frames if frame.image is not None]
    if len(images) < len(frames):
        raise UserError(
            "subject.kind: found a frame without an image, but this subject needs a camera. "
            "Use scenes with images: required, or a subject of kind lidar-only."
        )
    return images
