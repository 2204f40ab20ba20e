"""Faults that change an answer: a lost object, a phantom, a wrong label, a shifted box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from snellen.subjects.answers.prediction_checks import detections_of
from snellen.subjects.planted.box_places import beside, shifted
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.planted.victims import Victims, candidates
from snellen.subjects.subject import Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import F32, Bools, Image, Ints
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks


class Deviation(StrEnum):
    """How an answer deviates for each victim.

    loses: the victim is missing. phantom: an object of the victim's size and the next class appears
    beside it, where nothing is. relabels: the victim has the next class (the last becomes the
    first). shifts: the victim's box is moved by a share of its side.
    """

    LOSES = "loses"
    PHANTOM = "phantom"
    RELABELS = "relabels"
    SHIFTS = "shifts"


@dataclass(frozen=True)
class DeviationContext:
    """Inputs of a deviation: number of classes, (height, width) of the image, share to shift."""

    classes: int
    size: tuple[int, int]
    shift: float


class DeviatingSubject(Wrapper):
    """A subject with one fault, which depends only on the pixels and the seed.

    rate: the share of the possible victims that are struck. distance: see `Victims`, in pixels.
    shift: the share of its side by which a box is moved; the IoU is then (1 - shift) / (1 + shift).
    """

    def __init__(
        self,
        subject: Subject,
        fault: Deviation,
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
        """The wrapped subject's answers with the fault."""
        answers = detections_of(self.subject, images)
        return [self._deviate(image, answer) for image, answer in zip(images, answers, strict=True)]

    def struck(self, image: Image, detections: Detections) -> Bools:
        """Which of the detections the fault strikes, shape (N,)."""
        flags = candidates(self.victims, image, detections, self.distance)
        if self.rate >= 1 or not flags.any():
            return flags
        digest = image_digest(image)
        drawn = [
            chance(self.seed, self.fault.value, digest, int(label), box.tolist())
            for label, box in zip(detections.labels, detections.boxes, strict=True)
        ]
        return np.asarray(flags & (np.array(drawn) < self.rate))

    def _deviate(self, image: Image, detections: Detections) -> Detections:
        struck = self.struck(image, detections)
        if not struck.any():
            return detections
        context = DeviationContext(len(self.classes), (image.shape[0], image.shape[1]), self.shift)
        return DEVIATIONS[self.fault](detections, struck, context)


def lose(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:  # noqa: ARG001
    """The detections without the struck ones."""
    return detections[~struck]


def relabel(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:
    """The detections, with the next class for the struck ones."""
    labels = np.where(struck, (detections.labels + 1) % context.classes, detections.labels)
    return replace(detections, labels=labels)


def add_phantoms(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:
    """The detections, and a phantom beside each struck one that has room."""
    out = detections
    for index in np.flatnonzero(struck):
        box = beside(detections.boxes[index], out.boxes, context.size)
        if box is not None:
            label = (detections.labels[index] + 1) % context.classes
            out = _with(out, box, int(label), float(detections.scores[index]))
    return out


def shift_boxes(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:
    """The detections, with boxes and masks of the struck ones moved."""
    boxes = detections.boxes.copy()
    for index in np.flatnonzero(struck):
        others = np.delete(detections.boxes, index, axis=0)
        place = shifted(detections.boxes[index], context.shift, others, context.size)
        boxes[index] = detections.boxes[index] if place is None else place
    moves = np.rint(boxes[:, :2] - detections.boxes[:, :2]).astype(np.int64)
    return replace(detections, boxes=boxes, masks=_moved(detections.masks, moves))


def _with(detections: Detections, box: F32, label: int, score: float) -> Detections:
    masks = detections.masks
    if masks is not None:
        x1, y1, x2, y2 = np.rint(box).astype(np.int64)
        filled = np.zeros((1, *masks.size), dtype=bool)
        filled[0, y1:y2, x1:x2] = True
        masks = Masks(masks.size, (*masks.runs, *Masks.from_array(filled).runs))
    return Detections(
        np.vstack([detections.boxes, box]),
        np.append(detections.labels, label),
        np.append(detections.scores, np.float32(score)),
        masks,
    )


def _moved(masks: Masks | None, moves: Ints) -> Masks | None:
    if masks is None:
        return None
    pairs = zip(masks.to_array(), moves, strict=True)
    rolled = [np.roll(mask, (int(dy), int(dx)), axis=(0, 1)) for mask, (dx, dy) in pairs]
    return Masks.from_array(np.array(rolled).reshape(-1, *masks.size))


DEVIATIONS: dict[Deviation, Callable[[Detections, Bools, DeviationContext], Detections]] = {
    Deviation.LOSES: lose,
    Deviation.PHANTOM: add_phantoms,
    Deviation.RELABELS: relabel,
    Deviation.SHIFTS: shift_boxes,
}
