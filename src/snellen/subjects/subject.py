"""The subject: the vision system under test, a black box."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from snellen.vision.detections import Detections
from snellen.vision.labelvector import LabelVector

Image: TypeAlias = npt.NDArray[np.uint8]
Prediction: TypeAlias = Detections | LabelVector


class Task(StrEnum):
    """What a subject answers."""

    DETECTION = "detection"
    SEGMENTATION = "segmentation"
    LABELS = "labels"


@runtime_checkable
class Subject(Protocol):
    """A vision system: a batch of inputs in, one prediction each out.

    name: for people. task: what it answers. classes: names by 0-based id.
    fingerprint: changes whenever an answer could change (weights, settings, code that decides).
    score: the operating threshold; predictions below it are kept down to the adapter's floor, so
    that a relation can tell an object that fell just under the threshold from one that vanished.
    batch: the preferred number of inputs a call. deterministic: the same input gives the same
    answer every time. tolerance: how far a score may differ between batch sizes, 0 for not at all.
    """

    name: str
    task: Task
    classes: tuple[str, ...]
    fingerprint: str
    score: float
    batch: int
    deterministic: bool
    tolerance: float

    def predict(self, images: Sequence[Image]) -> Sequence[Prediction]:
        """One prediction for each image (H x W x 3 uint8 RGB), boxes in that image's pixels."""

    def close(self) -> None:
        """Let go of processes, sessions and files. Called once, at the end."""
