"""YOLOX: one row per cell, with offset, log-size, objectness and class scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder, classes_above_floor, corners
from snellen.subjects.decoders.grids import THREE_LEVELS, cells, grid
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.yolov5 import ROWS
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from (A, 5 + C): x, y offset and log w, log h in units of cells, scores."""
    [rows] = outputs.tables()
    places, strides = grid(settings.size, THREE_LEVELS)
    scores = rows[:, 4:5] * rows[:, 5:]
    kept, labels = classes_above_floor(scores, settings)
    rows, strides = rows[kept], strides[kept]
    centres = (rows[:, :2] + places[kept] + np.float32(settings.cell_offset)) * strides
    boxes = corners(centres, np.exp(rows[:, 2:4]) * strides)
    return Candidates(boxes, labels, scores[kept, labels])


def _is_grid(outputs: Outputs, settings: DecoderSettings) -> bool:
    shapes = [table.shape for table in outputs.tables()]
    expected = cells(settings.size, THREE_LEVELS)
    return (
        len(outputs.arrays) == 1 and len(shapes) == 1 and shapes[0][0] == expected != shapes[0][1]
    )


def _in_pixels(outputs: Outputs, settings: DecoderSettings) -> bool:
    """Whether boxes are already decoded: cell offsets are small, pixels reach the input size."""
    return bool(np.abs(outputs.tables()[0][:, :2]).max() > max(settings.size) / 4)


DECODER = Decoder(
    name="yolox",
    version=1,
    recognises=lambda outputs, settings: (
        _is_grid(outputs, settings) and not _in_pixels(outputs, settings)
    ),
    numbering=ROWS.numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=InputFit.CORNER, channels="bgr", scale=1.0),
    nms=0.45,
    cell_offset=0.0,
)

DECODED = replace(
    DECODER,
    name="yolox-decoded",
    recognises=lambda outputs, settings: (
        _is_grid(outputs, settings) and _in_pixels(outputs, settings)
    ),
    decode=ROWS.decode,
    cell_offset=None,
)
