"""Whether a subject recognises a cut-out alone: what it does not see cannot be asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from snellen.errors import UserError
from snellen.objects.alpha import Window
from snellen.objects.cutout import Pixels
from snellen.objects.cutting import Piece
from snellen.objects.names import plain_name
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.boxes import iou
from snellen.vision.detections import Detections

NOT_RECOGNISED = "not recognised alone"
GREY = 124
ROOM = 0.6
"""Surroundings on each side, as a share of the cut-out's longer side."""
LEAST_IOU = 0.7


def asked_again(subject: Subject, pieces: Sequence[tuple[Pixels, Piece]]) -> Iterator[float | None]:
    """For each piece (with its image) the lesser of the subject's scores on two grounds.

    The grounds are neutral grey and the piece's own surroundings, blurred beyond recognition. A
    score counts under the piece's own label, where the box agrees with the cut-out's. None for a
    label that is not among the subject's.
    """
    known = {plain_name(name): label for label, name in enumerate(subject.classes)}
    labels = [known.get(plain_name(piece.entry.label)) for _, piece in pieces]
    asked = [pair for pair, label in zip(pieces, labels, strict=True) if label is not None]
    answers = _answers(subject, (ground for pair in asked for ground in _grounds(*pair)))
    for label in labels:
        if label is None:
            yield None
            continue
        scores = [_score(answer, label, box) for answer, box in islice(answers, 2)]
        yield min(scores)


def _answers(
    subject: Subject, grounds: Iterator[tuple[Pixels, Window]]
) -> Iterator[tuple[Prediction, Window]]:
    while some := list(islice(grounds, max(1, subject.batch))):
        answers = subject.predict([image for image, _ in some])
        yield from zip(answers, (box for _, box in some), strict=True)


def _grounds(image: Pixels, piece: Piece) -> Iterator[tuple[Pixels, Window]]:
    """The cut-out on grey and on its blurred surroundings, and its box there."""
    import cv2

    if piece.cutout is None:
        raise ValueError("only what was cut out can be recognised alone")
    x1, y1, x2, y2 = piece.window
    room = max(8, round(ROOM * max(x2 - x1, y2 - y1)))
    patch = cv2.copyMakeBorder(image, room, room, room, room, cv2.BORDER_REFLECT_101)
    patch = patch[y1 : y2 + 2 * room, x1 : x2 + 2 * room]
    box = (room, room, room + x2 - x1, room + y2 - y1)
    for ground in (np.full_like(patch, GREY), cv2.GaussianBlur(patch, (0, 0), room / 2)):
        yield _pasted(ground, piece.cutout.pixels, box), box


def _pasted(ground: Pixels, cutout: Pixels, box: Window) -> Pixels:
    x1, y1, x2, y2 = box
    view = ground[y1:y2, x1:x2]
    alpha = cutout[..., 3:].astype(np.float32) / 255
    view[:] = np.rint(alpha * cutout[..., :3] + (1 - alpha) * view).astype(np.uint8)
    return ground


def _score(answer: Prediction, label: int, box: Window) -> float:
    if not isinstance(answer, Detections):
        raise UserError("subject: answers labels; recognising a cut-out needs boxes.")
    found = answer.rounded()
    found = found[found.labels == label]
    if not len(found):
        return 0.0
    close = iou(found.boxes, [box])[:, 0] >= LEAST_IOU
    return round(float(found.scores[close].max(initial=0.0)), 4)
