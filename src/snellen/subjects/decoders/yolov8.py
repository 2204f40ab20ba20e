"""YOLOv8 and v11: one column per cell, with box in pixels, class scores, and masks."""

from __future__ import annotations

from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.yolo_rows import YoloRows
from snellen.vision.arrays import F32


def _rows(outputs: Outputs, settings: DecoderSettings) -> F32:
    """(A, 4 + C [+ K]), transposed if necessary: x, y, w, h, class scores, masks."""
    table = outputs.tables()[0]
    return table if table.shape[0] in _cells(settings) else table.T


def _cells(settings: DecoderSettings) -> set[int]:
    return {cells(settings.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:
    tables = outputs.tables()
    if len(tables) != 1 or len(tables[0]) <= 4:
        return False
    if tables[0].shape[1] in _cells(settings):
        return True
    return tables[0].shape[0] in _cells(settings) and settings.classes == tables[0].shape[1] - 4


ROWS = YoloRows(_rows, 4, _recognises)
DECODER = ROWS.detector("yolov8", nms=0.7)
SEGMENTER = ROWS.segmenter("yolov8-seg", nms=0.7)
