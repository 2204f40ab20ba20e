"""Whether a subject recognises a cut-out alone; a badly cut one is not recognisable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np

from snellen.errors import UserError
from snellen.objects.cutouts.alpha import Window
from snellen.objects.cutouts.scene_cutouts import Piece
from snellen.objects.label_names import plain_name
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.arrays import Bytes, Image
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

NOT_RECOGNISED = "not recognised alone"
MIN_IOU = 0.7
GREY = 124
ROOM = 0.6
"""Margin on each side in a close-up, as a share of the longer side of the cut-out."""


@dataclass(frozen=True, eq=False)
class CutoutInContext:
    """A cut-out and its image, or a part of it. label: the class id of the subject."""

    image: Image
    cutout: Bytes
    window: Window
    label: int


@dataclass(frozen=True)
class Recognition:
    """The best score of a cut-out alone, None if no subject was asked, and whether it is enough."""

    score: float | None
    passed: bool


Background: TypeAlias = Callable[[Image], Image]
"""Makes the background from the image of a cut-out."""


def recognitions(
    subjects: Sequence[Subject], pieces: Sequence[tuple[Image, Piece]], least: float
) -> list[Recognition]:
    """Whether one of the subjects recognises each piece alone; asks the next about the rest.

    least: the minimum score, or the threshold of the subject if that is higher. A label that the
    first subject does not know counts as recognised.
    """
    found = [Recognition(0.0, False) for _ in pieces]
    for subject in subjects:
        enough = max(subject.score, least)
        still = [k for k, one in enumerate(found) if not one.passed]
        scores = recognition_scores(subject, [pieces[k] for k in still], enough)
        for k, score in zip(still, scores, strict=True):
            if score is None:
                found[k] = Recognition(None, True) if subject is subjects[0] else found[k]
            else:
                best = max(found[k].score or 0.0, score)
                found[k] = Recognition(best, score >= enough)
    return found


def recognition_scores(
    subject: Subject, pieces: Sequence[tuple[Image, Piece]], enough: float
) -> list[float | None]:
    """The subject's score of each piece (given with its image) alone, or None for an unknown label.

    A piece is shown in close-up and, if its score is not `enough`, at its original place and size;
    each time on neutral grey and on its surroundings blurred beyond recognition, of which the lower
    score counts. A detection counts if it has the label of the piece and its box agrees. A piece is
    not shown again once its score is `enough` or cannot become so.
    """
    known = {plain_name(name): label for label, name in enumerate(subject.classes)}
    labels = [known.get(plain_name(piece.entry.label)) for _, piece in pieces]
    scores: list[float | None] = [None if label is None else 0.0 for label in labels]
    for view in (close_up, in_place):
        still = [k for k, score in enumerate(scores) if score is not None and score < enough]
        shown = [view(pieces[k][0], pieces[k][1], _not_none(labels[k])) for k in still]
        for k, score in zip(still, _lower_scores(subject, shown, enough), strict=True):
            scores[k] = max(scores[k] or 0.0, score)
    return scores


def _not_none(label: int | None) -> int:
    assert label is not None
    return label


def in_place(image: Image, piece: Piece, label: int) -> CutoutInContext:
    """A piece at its place in its image."""
    return CutoutInContext(image, _pixels(piece), piece.window, label)


def close_up(image: Image, piece: Piece, label: int) -> CutoutInContext:
    """A piece in the middle of its surroundings."""
    import cv2

    x1, y1, x2, y2 = piece.window
    room = max(8, round(ROOM * max(x2 - x1, y2 - y1)))
    height, width = image.shape[:2]
    part = image[max(0, y1 - room) : y2 + room, max(0, x1 - room) : x2 + room]
    top, bottom, left, right = (max(0, room - n) for n in (y1, height - y2, x1, width - x2))
    patch = cv2.copyMakeBorder(part, top, bottom, left, right, cv2.BORDER_REFLECT_101)
    return CutoutInContext(
        patch, _pixels(piece), (room, room, room + x2 - x1, room + y2 - y1), label
    )


def _pixels(piece: Piece) -> Bytes:
    if piece.cutout is None:
        raise ValueError("only a piece with a cut-out can be shown alone")
    return piece.cutout.pixels


def _lower_scores(subject: Subject, shown: Sequence[CutoutInContext], enough: float) -> list[float]:
    """The lower score of two backgrounds; the second is used only if the first score is enough."""
    first = _scores(subject, shown, _grey)
    passed = [k for k, score in enumerate(first) if score >= enough]
    second = _scores(subject, [shown[k] for k in passed], _blurred)
    for k, score in zip(passed, second, strict=True):
        first[k] = min(first[k], score)
    return first


def _scores(
    subject: Subject, shown: Sequence[CutoutInContext], background: Background
) -> list[float]:
    images = (_pasted(background(one.image), one) for one in shown)
    predictions = _predictions(subject, images)
    return [_score(prediction, one) for prediction, one in zip(predictions, shown, strict=True)]


def _predictions(subject: Subject, images: Iterable[Image]) -> Iterator[Prediction]:
    source = iter(images)
    while some := list(islice(source, max(1, subject.batch))):
        yield from subject.predict(some)


def _grey(image: Image) -> Image:
    return np.full_like(image, GREY)


def _blurred(image: Image) -> Image:
    """The image blurred beyond recognition."""
    import cv2

    tiny = cv2.resize(image, (8, 8), interpolation=cv2.INTER_AREA)
    out: Image = cv2.resize(tiny, image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return out


def _pasted(background: Image, one: CutoutInContext) -> Image:
    x1, y1, x2, y2 = one.window
    view = background[y1:y2, x1:x2]
    alpha = one.cutout[..., 3:].astype(np.float32) / 255
    view[:] = np.rint(alpha * one.cutout[..., :3] + (1 - alpha) * view).astype(np.uint8)
    return background


def _score(prediction: Prediction, one: CutoutInContext) -> float:
    if not isinstance(prediction, Detections):
        raise UserError("subject: returns labels, but recognition of a cut-out needs boxes.")
    detections = prediction.rounded()
    detections = detections[detections.labels == one.label]
    if not len(detections):
        return 0.0
    close = iou(detections.boxes, [one.window])[:, 0] >= MIN_IOU
    return round(float(detections.scores[close].max(initial=0.0)), 4)
