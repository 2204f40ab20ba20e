"""The camera's detector, run on the whole image of a frame and on tiles."""

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
"""NMS IoU threshold for boxes of the whole image and of tiles."""

EDGE = 3.0
"""Pixels: a box that ends this close to a tile's inner edge belongs to an object cut by it."""

RIDDEN_SCORE = 0.25
"""Minimum score of a bicycle or motorcycle."""

ASTRIDE = 0.3
"""Minimum share of a bicycle's box inside the box of its rider."""


class Camera:
    """An image detector that answers in the classes of a fusion subject.

    names: from the detector's classes (lower case) to ours. A person on a bicycle or motorcycle is
    a Cyclist, with the box around both. tiles: also run on square tiles of a wide image, to find
    small objects.
    """

    def __init__(self, subject: Subject, names: Mapping[str, str], tiles: bool = True) -> None:
        if subject.task not in (Task.DETECTION, Task.SEGMENTATION):
            raise UserError(
                f"subject.camera: '{subject.name}' has the task {subject.task}, expected detection "
                "or segmentation. Choose another subject, or set its task."
            )
        classes = [name.lower() for name in subject.classes]
        self._ours = np.array([_our_id(names.get(name)) for name in classes])
        self._ridden = np.array([name in RIDDEN for name in classes])
        if not (self._ours >= 0).any():
            raise UserError(
                f"subject.names: found {', '.join(names)}, none of which is a class of "
                f"'{subject.name}'. Name its classes that are cars, pedestrians or cyclists."
            )
        self.subject, self.tiles = subject, tiles

    def detect(self, images: Sequence[Image]) -> list[Detections]:
        """The detections in each image, with our class ids, best first."""
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
    """The whole image, and square tiles of its height that overlap by a third.

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
    """The detections of a tile in image pixels, without objects cut by the tile."""
    x1, _, x2, _ = place
    boxes = detections.boxes + np.array([x1, place[1], x1, place[1]], dtype=np.float32)
    left = (x1 > whole[0]) & (boxes[:, 0] < x1 + EDGE)
    right = (x2 < whole[2]) & (boxes[:, 2] > x2 - EDGE)
    kept = ~(left | right)
    return Detections(boxes[kept], detections.labels[kept], detections.scores[kept])


def _with_cyclists(detections: Detections, ridden: Boxes) -> Detections:
    """The detections, with people on something ridden relabelled as cyclists."""
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
    """(R, N) whether a ridden object's centre is below that of each box."""
    middles = (ridden[:, 1] + ridden[:, 3])[:, None]
    return np.asarray(middles > (boxes[:, 1] + boxes[:, 3])[None])
