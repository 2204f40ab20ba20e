"""What the fusion subjects from parts share: their options, their traits, and how one is asked."""

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
from snellen.subjects.subject import Image, Task
from snellen.subjects.user_code_options import Share
from snellen.vision.detections3d import Detections3D
from snellen.vision.lidar.ground import SENSOR_HEIGHT, ground_library

VERSION = "1"  # Raise it whenever the same frame gives another answer.

FusionClass: TypeAlias = Literal["Car", "Pedestrian", "Cyclist"]
Detect: TypeAlias = Callable[[Sequence[Frame]], list[Detections3D]]


class FusionSubjectOptions(Options):
    """Options of a subject from parts."""

    name: str | None = Field(default=None, description="for reports")
    score: Share = Field(default=0.5, description="the operating threshold")
    floor: Share = Field(default=0.05, description="the lowest score that is kept")
    batch: int = Field(default=4, ge=1, description="frames a call")
    sensor_height: float = Field(
        default=SENSOR_HEIGHT, gt=0, description="metres from the ground to the LiDAR"
    )


class CameraOptions(FusionSubjectOptions):
    """Options of a subject with a camera's detector."""

    camera: dict[str, Any] = Field(description="the detector of images: a subject's options")
    names: dict[str, FusionClass] = Field(
        default_factory=lambda: dict(NAMES),
        description="what the detector's classes, in small letters, are here",
    )
    tiles: bool = Field(default=True, description="also look at square parts of a wide image")


class FusionSubject:
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
        decided = options.model_dump(exclude={"name", "score", "floor", "batch", "camera"})
        self.fingerprint = fingerprint_of(
            version=VERSION,
            floor=self._floor,
            camera=None if eye is None else eye.fingerprint,
            **decided,
        )

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        """What is in each frame, best first."""
        return [found.above(self._floor) for found in self._detect(images)]

    def restart(self) -> None:
        """Restart the camera's detector, if it can be."""
        restart = getattr(self._camera.subject, "restart", None) if self._camera else None
        if restart is not None:
            restart()

    def close(self) -> None:
        """Let go of what the camera's detector holds."""
        if self._camera is not None:
            self._camera.subject.close()


def open_camera(options: CameraOptions, folder: Path) -> Camera:
    """The camera that the options describe, its detector loaded."""
    subject = open_subject(options.camera, folder, "subject.camera")
    return Camera(subject, options.names, options.tiles)


def images_of(frames: Sequence[Frame]) -> list[Image]:
    """The image of each frame; one without is an error."""
    images = [frame.image for frame in frames if frame.image is not None]
    if len(images) < len(frames):
        raise UserError(
            "subject.kind: a frame without an image was found, which a camera cannot look at. "
            "Use scenes with images: required, or a subject of kind lidar-only."
        )
    return images
