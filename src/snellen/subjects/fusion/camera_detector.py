"""What a camera's detector sees in the image of a frame, whole and in tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from snellen.errors import UserError
from snellen.subjects.answers.prediction_checks import detections_of
from snellen.subjects.fusion.priors import CLASSES
from snellen.subjects.model_file.nms import non_max_suppression
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Bools, Boxes, Image
from snellen.vision.boxes.box_geometry import overlap
from snellen.vision.detections import Detections

Corners = tuple[int, int, int, int]

NAMES: Mapping[str, Literal["Car", "Pedestrian", "Cyclist"]] = {
    "car": "Car",
    "person": "Pedestrian",
    "pedestrian": "Pedestrian",
    "cyclist": "Cyclist",
}
RIDDEN = {"bicycle", "motorcycle", "motorbike"}

SAME = 0.5
"""IoU from which on two boxes of a class are of the same thing."""

EDGE = 3.0
"""Pixels: a box that ends so near a tile's inner edge is of a thing that the tile cuts."""

RIDDEN_SCORE = 0.25
"""From which on a bicycle or a motorcycle is believed to be there."""

ASTRIDE = 0.3
"""The share of a bicycle's box that lies in the box of who rides it."""


class Camera:
    """A detector of images that answers in the classes of a fusion subject.

    names: from the detector's classes (in small letters) to ours. Someone on a bicycle or a
    motorcycle is a Cyclist, whose box is that of both. tiles: also look at square parts of a wide
    image, for things that are small in it.
    """

    def __init__(self, subject: Subject, names: Mapping[str, str], tiles: bool = True) -> None:
        if subject.task not in (Task.DETECTION, Task.SEGMENTATION):
            raise UserError(
                f"subject.camera: '{subject.name}' answers with {subject.task}, expected boxes in "
                "an image. Choose another, or set its task: detection."
            )
        known = [name.lower() for name in subject.classes]
        self._ours = np.array([_our_id(names.get(name)) for name in known])
        self._ridden = np.array([name in RIDDEN for name in known])
        if not (self._ours >= 0).any():
            raise UserError(
                f"subject.camera: none of the classes of '{subject.name}' is in subject.names "
                f"({', '.join(names)}). Name those that are cars, pedestrians or cyclists."
            )
        self.subject, self.tiles = subject, tiles

    def detect(self, images: Sequence[Image]) -> list[Detections]:
        """What is in each image, labels by our classes, best first."""
        places = [_tiles(image.shape[:2], self.tiles) for image in images]
        looks = [
            np.ascontiguousarray(image[y1:y2, x1:x2])
            for image, some in zip(images, places, strict=True)
            for x1, y1, x2, y2 in some
        ]
        answers = iter(detections_of(self.subject, looks))
        return [self._merged([(place, next(answers)) for place in some]) for some in places]

    def _merged(self, looks: list[tuple[Corners, Detections]]) -> Detections:
        whole = looks[0][0]
        found = [_without_cut(answer, place, whole) for place, answer in looks]
        boxes = np.concatenate([one.boxes for one in found])
        scores = np.concatenate([one.scores for one in found])
        labels = np.concatenate([one.labels for one in found])
        kept = non_max_suppression(boxes, scores, labels, SAME)
        boxes, scores, labels = boxes[kept], scores[kept], labels[kept]
        ridden, ours = self._ridden[labels] & (scores >= RIDDEN_SCORE), self._ours[labels]
        people = Detections(boxes[ours >= 0], ours[ours >= 0], scores[ours >= 0])
        return _with_cyclists(people, boxes[ridden])


def _our_id(name: str | None) -> int:
    return -1 if name is None else CLASSES.index(name)


def _tiles(size: tuple[int, ...], tiles: bool) -> list[Corners]:
    """The whole image, and the squares as high as it that cover it, each a third over the next.

    >>> _tiles((90, 210), True)
    [(0, 0, 210, 90), (0, 0, 90, 90), (60, 0, 150, 90), (120, 0, 210, 90)]
    """
    height, width = size
    whole = (0, 0, width, height)
    if not tiles or width < 1.5 * height:
        return [whole]
    count = int(np.ceil(1.5 * (width - height) / height)) + 1
    starts = np.rint(np.linspace(0, width - height, count)).astype(int)
    return [whole, *((x, 0, x + height, height) for x in starts.tolist())]


def _without_cut(detections: Detections, place: Corners, whole: Corners) -> Detections:
    """The detections of a look, in the image's pixels, without what the look cuts off."""
    x1, _, x2, _ = place
    boxes = detections.boxes + np.array([x1, place[1], x1, place[1]], dtype=np.float32)
    left = (x1 > whole[0]) & (boxes[:, 0] < x1 + EDGE)
    right = (x2 < whole[2]) & (boxes[:, 2] > x2 - EDGE)
    kept = ~(left | right)
    return Detections(boxes[kept], detections.labels[kept], detections.scores[kept])


def _with_cyclists(detections: Detections, ridden: Boxes) -> Detections:
    """The detections with those people as cyclists who sit on something ridden."""
    boxes, labels = detections.boxes.copy(), detections.labels.copy()
    people = labels == CLASSES.index("Pedestrian")
    if not len(ridden) or not people.any():
        return detections.ranked()
    within = overlap(ridden, boxes) * people * _below(ridden, boxes)
    for person in np.flatnonzero(within.max(axis=0) > ASTRIDE):
        mount = ridden[int(np.argmax(within[:, person]))]
        low, high = np.minimum(boxes[person], mount), np.maximum(boxes[person], mount)
        boxes[person] = [*low[:2], *high[2:]]
        labels[person] = CLASSES.index("Cyclist")
    return Detections(boxes, labels, detections.scores).ranked()


def _below(ridden: Boxes, boxes: Boxes) -> Bools:
    """(R, N) whether a ridden thing's middle is lower than that of each box."""
    middles = (ridden[:, 1] + ridden[:, 3])[:, None]
    return np.asarray(middles > (boxes[:, 1] + boxes[:, 3])[None])
