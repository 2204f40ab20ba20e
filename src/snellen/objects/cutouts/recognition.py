"""Whether a subject recognises a cut-out alone: a bad cut is no longer what it was."""

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
LEAST_IOU = 0.7
GREY = 124
ROOM = 0.6
"""Surroundings on each side in a close-up, as a share of the cut-out's longer side."""


@dataclass(frozen=True, eq=False)
class CutoutInContext:
    """A cut-out and the image it comes from, or a part of it. label: the subject's own id."""

    image: Image
    cutout: Bytes
    window: Window
    label: int


Ground: TypeAlias = Callable[[Bytes], Bytes]


def recognition_scores(
    subject: Subject, pieces: Sequence[tuple[Bytes, Piece]], enough: float
) -> list[float | None]:
    """The subject's score of each piece (given with its image) alone, or None for a strange label.

    A piece is shown in close-up and, if that is not enough, at its own place and size; each time on
    neutral grey and on its own surroundings blurred beyond recognition, of which the lesser score
    counts. A score counts under the piece's label, where the box agrees with the cut-out's. Nothing
    more is asked of a piece once it has scored `enough`, or cannot any more.
    """
    known = {plain_name(name): label for label, name in enumerate(subject.classes)}
    labels = [known.get(plain_name(piece.entry.label)) for _, piece in pieces]
    scores: list[float | None] = [None if label is None else 0.0 for label in labels]
    for view in (close_up, in_place):
        still = [k for k, score in enumerate(scores) if score is not None and score < enough]
        shown = [view(pieces[k][0], pieces[k][1], _known(labels[k])) for k in still]
        for k, score in zip(still, _least_scores(subject, shown, enough), strict=True):
            scores[k] = max(scores[k] or 0.0, score)
    return scores


def _known(label: int | None) -> int:
    assert label is not None
    return label


def in_place(image: Image, piece: Piece, label: int) -> CutoutInContext:
    """A piece where it was in its image."""
    return CutoutInContext(image, _pixels(piece), piece.window, label)


def close_up(image: Image, piece: Piece, label: int) -> CutoutInContext:
    """A piece in the middle of its own surroundings."""
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
        raise ValueError("only what was cut out can be recognised alone")
    return piece.cutout.pixels


def _least_scores(subject: Subject, shown: Sequence[CutoutInContext], enough: float) -> list[float]:
    """The lesser of the scores on two grounds; the second is asked for if the first is enough."""
    first = _scores(subject, shown, _grey)
    passed = [k for k, score in enumerate(first) if score >= enough]
    second = _scores(subject, [shown[k] for k in passed], _blurred)
    for k, score in zip(passed, second, strict=True):
        first[k] = min(first[k], score)
    return first


def _scores(subject: Subject, shown: Sequence[CutoutInContext], ground: Ground) -> list[float]:
    pictures = (_pasted(ground(one.image), one) for one in shown)
    answers = _answers(subject, pictures)
    return [_score(answer, one) for answer, one in zip(answers, shown, strict=True)]


def _answers(subject: Subject, pictures: Iterable[Bytes]) -> Iterator[Prediction]:
    source = iter(pictures)
    while some := list(islice(source, max(1, subject.batch))):
        yield from subject.predict(some)


def _grey(image: Image) -> Bytes:
    return np.full_like(image, GREY)


def _blurred(image: Image) -> Bytes:
    """The image without anything that could be recognised."""
    import cv2

    tiny = cv2.resize(image, (8, 8), interpolation=cv2.INTER_AREA)
    out: Bytes = cv2.resize(tiny, image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return out


def _pasted(ground: Bytes, one: CutoutInContext) -> Bytes:
    x1, y1, x2, y2 = one.window
    view = ground[y1:y2, x1:x2]
    alpha = one.cutout[..., 3:].astype(np.float32) / 255
    view[:] = np.rint(alpha * one.cutout[..., :3] + (1 - alpha) * view).astype(np.uint8)
    return ground


def _score(answer: Prediction, one: CutoutInContext) -> float:
    if not isinstance(answer, Detections):
        raise UserError("subject: answers labels; recognising a cut-out needs boxes.")
    found = answer.rounded()
    found = found[found.labels == one.label]
    if not len(found):
        return 0.0
    close = iou(found.boxes, [one.window])[:, 0] >= LEAST_IOU
    return round(float(found.scores[close].max(initial=0.0)), 4)
