"""A scene prepared for robustness: base instances, and boxes that nothing may cover."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from snellen.methods.free_places import Box
from snellen.methods.paste.paste_controls import SceneObstacles
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Bools, Boxes, Ints
from snellen.vision.boxes.box_geometry import area, iou
from snellen.vision.detections import Detections

OWN = 0.5
"""The IoU threshold at which an annotation of its label is the base instance itself."""
SMALLEST = 8.0
"""The minimum side of a base instance, in pixels."""


@dataclass(frozen=True)
class BaseInstance:
    """A base instance. index: in the scene's detections. label: the subject's id; name: its name.

    box: x1 y1 x2 y2 in pixels.
    """

    index: int
    label: int
    name: str
    score: float
    box: Box

    @property
    def diagonal(self) -> float:
        """Of its box, in pixels."""
        return float(np.hypot(self.box[2] - self.box[0], self.box[3] - self.box[1]))

    @property
    def area(self) -> float:
        """Of its box, in square pixels."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])

    @property
    def centre(self) -> tuple[float, float]:
        """Of its box, x and y."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, eq=False)
class RobustnessScene:
    """A scene and the subject's answer about it.

    score: the subject's score threshold. classes: the subject's. known: the class names of the
    scene's annotations.
    """

    scene: Scene
    before: Detections
    score: float
    classes: tuple[str, ...]
    known: tuple[str, ...]

    @cached_property
    def objects(self) -> Detections:
        """The detections above the threshold, in the order of the answer."""
        return self.before[self.indices]

    @cached_property
    def indices(self) -> Ints:
        """The indices of `objects` among the detections."""
        found = (self.before.scores >= np.float32(self.score)) & (area(self.before.boxes) > 0)
        return np.flatnonzero(found)

    @cached_property
    def obstacles(self) -> Boxes:
        """Boxes of the detected and annotated objects, (N, 4) xyxy."""
        if self.scene.annotations is None:
            return self.objects.boxes
        return np.concatenate([self.objects.boxes, self.scene.annotations.boxes])

    @property
    def around(self) -> SceneObstacles:
        """The scene with what a patch must not be taken from."""
        return SceneObstacles(self.scene, self.objects.boxes, self.obstacles)

    @cached_property
    def truth_labels(self) -> Ints:
        """The subject's class id of each annotation, -1 where it has no such class."""
        truth = self.scene.annotations
        ids = {plain_name(name): label for label, name in enumerate(self.classes)}
        names = [] if truth is None else [self.known[label] for label in truth.labels.tolist()]
        return np.array([ids.get(plain_name(name), -1) for name in names], dtype=np.int64)

    def bases(self, lowest: float, most: int, rng: Generator) -> list[BaseInstance]:
        """At most `most` base instances with this score or more, drawn, in the answer's order."""
        boxes = self.before.boxes.astype(np.float64)
        large = (boxes[:, 2:] - boxes[:, :2] >= SMALLEST).all(axis=1)
        sure = large & (self.before.scores >= np.float32(max(lowest, self.score)))
        places = np.flatnonzero(sure)
        if len(places) > most:
            places = np.sort(rng.choice(places, size=most, replace=False))
        return [self.base(int(place)) for place in places]

    def base(self, index: int) -> BaseInstance:
        """The detection at an index as a base instance."""
        label = int(self.before.labels[index])
        x1, y1, x2, y2 = self.before.boxes[index].tolist()
        score = round(float(self.before.scores[index]), 4)
        return BaseInstance(index, label, self.classes[label], score, (x1, y1, x2, y2))

    def own(self, base: BaseInstance) -> Bools:
        """Which obstacles are the base instance itself: its box and its annotations."""
        mine = np.zeros(len(self.obstacles), dtype=bool)
        mine[: len(self.indices)] = self.indices == base.index
        truth = self.scene.annotations
        if truth is not None and len(truth):
            alike = iou(truth.boxes, [base.box])[:, 0] >= OWN
            mine[len(self.indices) :] = alike & np.isin(self.truth_labels, (base.label, -1))
        return mine

    def truth_iou(self, box: npt.ArrayLike, label: int) -> float | None:
        """The best IoU of a box with an annotation of its label; None where unknown.

        None too where the annotations lack this label, or where its centre is in a crowd or an
        ignored object: the truth there is unknown.
        """
        truth = self.scene.annotations
        names = {plain_name(name) for name in self.known}
        if truth is None or plain_name(self.classes[label]) not in names:
            return None
        counted = ~(truth.crowd | truth.ignore)
        corners = np.asarray(box, dtype=np.float64)
        x, y = (corners[:2] + corners[2:]) / 2
        alike = iou(truth.boxes[counted & (self.truth_labels == label)], [corners])
        best = float(alike.max(initial=0.0))
        unknown = truth.boxes[~counted]
        over = (unknown[:, 0] <= x) & (x < unknown[:, 2]) & (unknown[:, 1] <= y)
        doubtful = bool((over & (y < unknown[:, 3])).any())
        return None if doubtful and best < OWN else round(best, 4)

    def mask(self, base: BaseInstance) -> Bools | None:
        """The base instance's own pixels, (H, W), from the subject or else from annotations."""
        if self.before.masks is not None:
            return np.asarray(self.before.masks[[base.index]].to_array()[0])
        truth = self.scene.annotations
        if truth is None or truth.masks is None:
            return None
        alike = iou(truth.boxes, [base.box])[:, 0] * (self.truth_labels == base.label)
        if not len(alike) or alike.max() < OWN:
            return None
        return np.asarray(truth.masks[[int(alike.argmax())]].to_array()[0])
