"""YOLOv5 (and v7): one row an anchor, with box in pixels, objectness, class scores, and masks."""

from __future__ import annotations

import numpy as np

from snellen.subjects.class_table import Numbering
from snellen.subjects.decoders.candidates import Candidates, Decoder, best_class, corners
from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import Floats, Known, Outputs
from snellen.subjects.decoders.prototypes import prototypes_in
from snellen.subjects.letterbox import Fit
from snellen.subjects.mask_maps import MaskMaps
from snellen.subjects.preprocessing import Preprocessing

ANCHORS = 3


def decode(outputs: Outputs, known: Known) -> Candidates:
    """Candidates from (A, 5 + C) or (A, 5 + C + K): x, y, w, h, objectness, classes, masks."""
    rows = outputs.tables()[0]
    prototypes = prototypes_in(outputs, known)
    count = rows.shape[1] - 5 - (0 if prototypes is None else len(prototypes))
    scores = rows[:, 4:5] * rows[:, 5 : 5 + count]
    kept, labels = best_class(scores, known.floor)
    boxes = in_pixels(rows[:, :4], known)[kept]
    masks = None if prototypes is None else MaskMaps.mixed(rows[kept, 5 + count :], prototypes)
    return Candidates(corners(boxes[:, :2], boxes[:, 2:]), labels, scores[kept, labels], masks)


def in_pixels(boxes: Floats, known: Known) -> Floats:
    """All of a network's boxes x, y, w, h in pixels, where some exporters divide by the size.

    The cells' centres reach the far edge of the input, so the largest value tells.
    """
    if len(boxes) and np.abs(boxes[:, :2]).max() <= 2:
        height, width = known.size
        return np.asarray(boxes * np.array([width, height, width, height]), dtype=np.float32)
    return boxes


def numbering(outputs: Outputs, known: Known) -> Numbering:
    """Classes counted by what is left of a row, ids from 0."""
    prototypes = prototypes_in(outputs, known)
    taken = 5 + (0 if prototypes is None else len(prototypes))
    return Numbering(outputs.tables()[0].shape[1] - taken)


def _recognises(outputs: Outputs, known: Known) -> bool:
    tables = outputs.tables()
    expected = {ANCHORS * cells(known.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}
    return len(tables) == 1 and tables[0].shape[0] in expected and tables[0].shape[1] > 5


DECODER = Decoder(
    name="yolov5",
    version=1,
    recognises=lambda outputs, known: (
        _recognises(outputs, known) and prototypes_in(outputs, known) is None
    ),
    numbering=numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=Fit.CENTRE),
    nms=0.45,
)

SEGMENTER = Decoder(
    name="yolov5-seg",
    version=1,
    recognises=lambda outputs, known: (
        _recognises(outputs, known) and prototypes_in(outputs, known) is not None
    ),
    numbering=numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=Fit.CENTRE),
    nms=0.45,
    masks=True,
)
