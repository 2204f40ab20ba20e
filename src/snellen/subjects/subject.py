"""The subject: the vision system under test, a black box."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from snellen.scenes.frame import Frame
from snellen.subjects.passes import Pass
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.label_vector import LabelVector

Input: TypeAlias = Image | Frame | Pass
Prediction: TypeAlias = Detections | LabelVector | Detections3D


class InputKind(StrEnum):
    """What a subject is given: an image, or a camera+LiDAR frame."""

    IMAGE = "image"
    FRAME = "frame"


class Task(StrEnum):
    """What a subject predicts."""

    DETECTION = "detection"
    SEGMENTATION = "segmentation"
    LABELS = "labels"
    DETECTION_3D = "detection-3d"

    @property
    def input_kind(self) -> InputKind:
        """What subjects of this task are given."""
        return InputKind.FRAME if self == Task.DETECTION_3D else InputKind.IMAGE


@runtime_checkable
class Subject(Protocol):
    """A vision system: a batch of inputs in, one prediction per input out.

    name: for reports. task: what it predicts. classes: names by 0-based id.
    fingerprint: changes whenever an answer could change (weights, settings, code).
    score: the operating threshold; predictions below it are kept down to the adapter's floor, so
    that a relation can distinguish an object just below the threshold from one that vanished.
    batch: the preferred number of inputs per call. deterministic: the same input always gives the
    same answer. tolerance: how far a score may differ between batch sizes, 0 for not at all.
    """

    name: str
    task: Task
    classes: tuple[str, ...]
    fingerprint: str
    score: float
    batch: int
    deterministic: bool
    tolerance: float

    def predict(self, images: Sequence[Any]) -> Sequence[Prediction]:
        """One prediction per image (H x W x 3 uint8 RGB), boxes in that image's pixels.

        A subject of task `detection-3d` gets a `Frame` in place of each image; a subject that
        `Draws` may get a `Pass`.
        """

    def close(self) -> None:
        """Release processes, sessions and files. Called once, at the end."""


class ShownSubject:
    """The base of subjects that `repr` shows by name, task, classes and threshold."""

    name: str
    task: Task
    classes: tuple[str, ...]
    score: float

    def __repr__(self) -> str:
        return (
            f"<Subject {self.name}: {self.task}, {len(self.classes)} classes, score {self.score:g}>"
        )
