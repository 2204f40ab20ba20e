"""YOLOv8 and v11: one column a cell, with box in pixels, class scores, and masks."""

from __future__ import annotations

from snellen.subjects.class_table import Numbering
from snellen.subjects.decoders.candidates import Candidates, Decoder, best_class, corners
from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import Floats, Known, Outputs
from snellen.subjects.decoders.prototypes import prototypes_in
from snellen.subjects.decoders.yolov5 import in_pixels
from snellen.subjects.letterbox import Fit
from snellen.subjects.mask_maps import MaskMaps
from snellen.subjects.preprocessing import Preprocessing


def decode(outputs: Outputs, known: Known) -> Candidates:
    """Candidates from (4 + C [+ K], A) or its transpose: x, y, w, h, class scores, masks."""
    rows = _rows(outputs, known)
    prototypes = prototypes_in(outputs, known)
    count = rows.shape[1] - 4 - (0 if prototypes is None else len(prototypes))
    scores = rows[:, 4 : 4 + count]
    kept, labels = best_class(scores, known.floor)
    boxes = in_pixels(rows[:, :4], known)[kept]
    masks = None if prototypes is None else MaskMaps.mixed(rows[kept, 4 + count :], prototypes)
    return Candidates(corners(boxes[:, :2], boxes[:, 2:]), labels, scores[kept, labels], masks)


def _rows(outputs: Outputs, known: Known) -> Floats:
    """The predictions with one row a cell."""
    table = outputs.tables()[0]
    return table if table.shape[0] in _cells(known) else table.T


def _cells(known: Known) -> set[int]:
    return {cells(known.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}


def _numbering(outputs: Outputs, known: Known) -> Numbering:
    prototypes = prototypes_in(outputs, known)
    taken = 4 + (0 if prototypes is None else len(prototypes))
    return Numbering(_rows(outputs, known).shape[1] - taken)


def _recognises(outputs: Outputs, known: Known) -> bool:
    tables = outputs.tables()
    if len(tables) != 1 or len(tables[0]) <= 4:
        return False
    if tables[0].shape[1] in _cells(known):
        return True
    return tables[0].shape[0] in _cells(known) and known.classes == tables[0].shape[1] - 4


DECODER = Decoder(
    name="yolov8",
    version=1,
    recognises=lambda outputs, known: (
        _recognises(outputs, known) and prototypes_in(outputs, known) is None
    ),
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=Fit.CENTRE),
    nms=0.7,
)

SEGMENTER = Decoder(
    name="yolov8-seg",
    version=1,
    recognises=lambda outputs, known: (
        _recognises(outputs, known) and prototypes_in(outputs, known) is not None
    ),
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=Fit.CENTRE),
    nms=0.7,
    masks=True,
)
