"""YOLO-NAS: boxes and class scores apart, or finished boxes after its built-in NMS."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder, classes_above_floor
from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import IMAGENET, Preprocessing
from snellen.vision.arrays import F32, AnyArray

FINISHED_PARTS = ("num", "boxes", "scores", "classes")


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from boxes (A, 4) xyxy in network pixels and scores (A, C) or (C, A)."""
    boxes, scores = _halves(outputs)
    kept, labels = classes_above_floor(scores, settings)
    return Candidates(boxes[kept], labels, scores[kept, labels])


def _halves(outputs: Outputs) -> tuple[F32, F32]:
    """Boxes (A, 4) and scores (A, C)."""
    first, second = outputs.tables()
    boxes, scores = (first, second) if first.shape[1] == 4 else (second, first)
    return boxes, scores if len(scores) == len(boxes) else scores.T


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    return Numbering(_halves(outputs)[1].shape[1])


def _is_pair(outputs: Outputs, settings: DecoderSettings, classes_axis: int) -> bool:
    """Whether the outputs are boxes and scores of all cells, with the classes on this axis."""
    tables = outputs.tables()
    if not len(tables) == len(outputs.arrays) == 2:
        return False
    boxes = [table for table in tables if table.shape[1] == 4 and len(table) != 4]
    if len(boxes) != 1:
        return False
    [scores] = [table for table in tables if table is not boxes[0]]
    expected = {cells(settings.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}
    return len(boxes[0]) in expected and scores.shape[1 - classes_axis] == len(boxes[0])


DECODER = Decoder(
    name="yolo-nas",
    version=1,
    recognises=lambda outputs, settings: _is_pair(outputs, settings, 1),
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=InputFit.CENTRE),
    nms=0.7,
)

# PicoDet and PP-YOLOE, exported with their boxes decoded but without NMS.
PADDLE_DECODED = replace(
    DECODER,
    name="paddle-decoded",
    recognises=lambda outputs, settings: _is_pair(outputs, settings, 0),
    preprocessing=IMAGENET,
    nms=0.6,
)


def _decode_finished(outputs: Outputs, settings: DecoderSettings) -> Candidates:  # noqa: ARG001
    """Candidates from a count, boxes (N, 4) xyxy in network pixels, scores (N,), classes (N,)."""
    count, boxes, scores, classes = _parts(outputs)
    some = slice(0, int(count.reshape(-1)[0]))
    return Candidates(
        boxes.reshape(-1, 4)[some].astype(np.float32),
        np.round(classes.reshape(-1)[some]).astype(np.int64),
        scores.reshape(-1)[some].astype(np.float32),
    )


def _parts(outputs: Outputs) -> list[AnyArray]:
    found = [outputs.named(part) for part in FINISHED_PARTS]
    if len(outputs.arrays) != len(found) or any(part is None for part in found):
        raise ValueError("expected outputs named num..., ...boxes, ...scores and ...classes")
    return [part for part in found if part is not None]


def _is_finished(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    """Whether the four outputs have these names; TensorFlow's say `detection_...`."""
    try:
        count, boxes, scores, classes = _parts(outputs)
    except ValueError:
        return False
    if any("detection_" in name.lower() for name in outputs.names):
        return False
    return count.size == 1 and boxes.size == 4 * scores.size == 4 * classes.size


FINISHED = replace(
    DECODER,
    name="yolo-nas-finished",
    recognises=_is_finished,
    numbering=lambda *_: Numbering(None),
    decode=_decode_finished,
    nms=1.0,
)


def _decode_flat(outputs: Outputs, settings: DecoderSettings) -> Candidates:  # noqa: ARG001
    """Candidates from (N, 7): image, x1, y1, x2, y2 in network pixels, score, class."""
    rows = outputs.arrays[0].reshape(-1, 7).astype(np.float32)
    return Candidates(rows[:, 1:5], np.round(rows[:, 6]).astype(np.int64), rows[:, 5])


def _is_flat(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    shapes = [array.shape for array in outputs.arrays]
    return len(shapes) == 1 and shapes[0][-1:] == (7,) and outputs.named("flat") is not None


FLAT = replace(FINISHED, name="yolo-nas-flat", recognises=_is_flat, decode=_decode_flat)
