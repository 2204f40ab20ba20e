"""A subject that is always right on generated scenes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from snellen.scenes.synthetic.generator import CLASSES
from snellen.subjects.planted.object_reader import read_objects
from snellen.subjects.subject import ShownSubject, Task
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections

VERSION = "1"  # Increment it whenever the same pixels give a different answer.


@dataclass(repr=False)
class PerfectSubject(ShownSubject):
    """Reads the ground truth of generated scenes off their pixels; every score is `confidence`.

    classes: as in the scenes. task: detection, or segmentation for masks as well. sleep: additional
    seconds per image.

    >>> from snellen.scenes.synthetic.generator import synthetic_scenes
    >>> scene = synthetic_scenes()[0]
    >>> [seen] = PerfectSubject().predict([scene.pixels()])
    >>> len(seen) == len(scene.annotations)
    True
    """

    classes: tuple[str, ...] = CLASSES
    task: Task = Task.DETECTION
    score: float = 0.5
    confidence: float = 0.9
    batch: int = 8
    sleep: float = 0.0
    name: str = "perfect"
    deterministic: bool = True
    tolerance: float = 0.0

    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.classes)
        self.fingerprint = f"perfect-{VERSION}-{self.task}-{count}-{self.confidence}"

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """The ground truth of each image."""
        if self.sleep > 0:
            time.sleep(self.sleep * len(images))
        masks = self.task == Task.SEGMENTATION
        count = len(self.classes)
        return [read_objects(image, count, score=self.confidence, masks=masks) for image in images]

    def close(self) -> None:
        """Nothing to release."""
