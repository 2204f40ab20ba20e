"""A classifier that is always right on generated scenes and on compositions of their objects."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.scenes.synthetic.generator import CLASSES
from snellen.subjects.planted.label_reader import read_labels
from snellen.subjects.subject import ShownSubject, Task
from snellen.vision.arrays import Image
from snellen.vision.label_vector import LabelVector

VERSION = "1"  # Increment it whenever the same pixels give a different answer.


@dataclass(repr=False)
class PerfectClassifier(ShownSubject):
    """Reads the classes of an image off its pixels: score `confidence` if present, else 0.

    It does not need outlines, so objects may partly cover each other. classes: as in the scenes.
    sleep: additional seconds per image.

    >>> from snellen.scenes.synthetic.generator import synthetic_scenes
    >>> [seen] = PerfectClassifier().predict([synthetic_scenes()[0].pixels()])
    >>> [CLASSES[label] for label in np.flatnonzero(seen.present(0.5))]
    ['tomato', 'lemon']
    """

    classes: tuple[str, ...] = CLASSES
    score: float = 0.5
    confidence: float = 0.9
    batch: int = 8
    sleep: float = 0.0
    name: str = "perfect, as classifier"
    deterministic: bool = True
    tolerance: float = 0.0
    task: Task = Task.LABELS

    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        self.fingerprint = f"perfect-labels-{VERSION}-{len(self.classes)}-{self.confidence}"

    def predict(self, images: Sequence[Image]) -> Sequence[LabelVector]:
        """One score vector per image."""
        if self.sleep > 0:
            time.sleep(self.sleep * len(images))
        return [self._read(image) for image in images]

    def close(self) -> None:
        """Nothing to release."""

    def _read(self, image: Image) -> LabelVector:
        shown = read_labels(image, len(self.classes))
        return LabelVector(np.where(shown, self.confidence, 0).astype(np.float32))
