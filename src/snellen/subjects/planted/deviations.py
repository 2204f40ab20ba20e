"""Faults that change an answer: an object lost, a phantom, a wrong label, a shifted box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from snellen.subjects.answers.prediction_checks import detections_of
from snellen.subjects.planted.box_places import beside, shifted
from snellen.subjects.planted.chance import chance, content
from snellen.subjects.planted.victims import Victims, candidates
from snellen.subjects.subject import Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import F32, Bools, Image, Ints
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks


class Fault(StrEnum):
    """How an answer deviates for each victim.

    loses: the victim is missing. phantom: there is an object of the victim's size beside it, with
    the next class as its label, where nothing is. relabels: the victim has the next class (the last
    one has the first). shifts: the victim's box is moved by a share of its side.
    """

    LOSES = "loses"
    PHANTOM = "phantom"
    RELABELS = "relabels"
    SHIFTS = "shifts"


@dataclass(frozen=True)
class DeviationContext:
    """What a deviation may look at: the number of classes, the image's size, how far to shift."""

    classes: int
    size: tuple[int, int]
    shift: float


class DeviatingSubject(Wrapper):
    """A subject with one fault, a function of the pixels and the seed alone.

    rate: the share of the possible victims that are struck. distance: see `Victims`, in pixels.
    shift: the share of its side by which a box is shifted; IoU is then (1 - shift) / (1 + shift).
    """

    def __init__(
        self,
        subject: Subject,
        fault: Fault,
        *,
        victims: Victims = Victims.NEIGHBOURS,
        distance: float = 10.0,
        rate: float = 1.0,
        seed: int = 0,
        shift: float = 0.5,
    ) -> None:
        super().__init__(subject, fault, victims, distance, rate, seed, shift)
        self.fault, self.victims, self.distance = fault, victims, distance
        self.rate, self.seed, self.shift = rate, seed, shift

    def predict(self, images: Sequence[Image]) -> Sequence[Detections]:
        """The wrapped subject's answers, with the fault."""
        answers = detections_of(self.subject, images)
        return [self._deviate(image, answer) for image, answer in zip(images, answers, strict=True)]

    def struck(self, image: Image, seen: Detections) -> Bools:
        """Which of the detections the fault strikes, shape (N,)."""
        flags = candidates(self.victims, image, seen, self.distance)
        if self.rate >= 1 or not flags.any():
            return flags
        digest = content(image)
        drawn = [
            chance(self.seed, self.fault.value, digest, int(label), box.tolist())
            for label, box in zip(seen.labels, seen.boxes, strict=True)
        ]
        return np.asarray(flags & (np.array(drawn) < self.rate))

    def _deviate(self, image: Image, seen: Detections) -> Detections:
        struck = self.struck(image, seen)
        if not struck.any():
            return seen
        setting = DeviationContext(len(self.classes), (image.shape[0], image.shape[1]), self.shift)
        return DEVIATIONS[self.fault](seen, struck, setting)


def lose(seen: Detections, struck: Bools, setting: DeviationContext) -> Detections:  # noqa: ARG001
    """The detections without those that are struck."""
    return seen[~struck]


def relabel(seen: Detections, struck: Bools, setting: DeviationContext) -> Detections:
    """The detections, those that are struck with the next class."""
    labels = np.where(struck, (seen.labels + 1) % setting.classes, seen.labels)
    return replace(seen, labels=labels)


def add_phantoms(seen: Detections, struck: Bools, setting: DeviationContext) -> Detections:
    """The detections and a phantom beside each that is struck and has room beside it."""
    out = seen
    for index in np.flatnonzero(struck):
        box = beside(seen.boxes[index], out.boxes, setting.size)
        if box is not None:
            label = (seen.labels[index] + 1) % setting.classes
            out = _with(out, box, int(label), float(seen.scores[index]))
    return out


def shift_boxes(seen: Detections, struck: Bools, setting: DeviationContext) -> Detections:
    """The detections, the boxes and masks of those that are struck moved."""
    boxes = seen.boxes.copy()
    for index in np.flatnonzero(struck):
        others = np.delete(seen.boxes, index, axis=0)
        place = shifted(seen.boxes[index], setting.shift, others, setting.size)
        boxes[index] = seen.boxes[index] if place is None else place
    moves = np.rint(boxes[:, :2] - seen.boxes[:, :2]).astype(np.int64)
    return replace(seen, boxes=boxes, masks=_moved(seen.masks, moves))


def _with(seen: Detections, box: F32, label: int, score: float) -> Detections:
    masks = seen.masks
    if masks is not None:
        x1, y1, x2, y2 = np.rint(box).astype(np.int64)
        filled = np.zeros((1, *masks.size), dtype=bool)
        filled[0, y1:y2, x1:x2] = True
        masks = Masks(masks.size, (*masks.runs, *Masks.from_array(filled).runs))
    return Detections(
        np.vstack([seen.boxes, box]),
        np.append(seen.labels, label),
        np.append(seen.scores, np.float32(score)),
        masks,
    )


def _moved(masks: Masks | None, moves: Ints) -> Masks | None:
    if masks is None:
        return None
    pairs = zip(masks.to_array(), moves, strict=True)
    rolled = [np.roll(mask, (int(dy), int(dx)), axis=(0, 1)) for mask, (dx, dy) in pairs]
    return Masks.from_array(np.array(rolled).reshape(-1, *masks.size))


DEVIATIONS: dict[Fault, Callable[[Detections, Bools, DeviationContext], Detections]] = {
    Fault.LOSES: lose,
    Fault.PHANTOM: add_phantoms,
    Fault.RELABELS: relabel,
    Fault.SHIFTS: shift_boxes,
}
