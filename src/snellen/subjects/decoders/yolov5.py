"""YOLOv5 and v7: one row per anchor, with box in pixels, objectness, class scores, and masks."""

from __future__ import annotations

from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.yolo_rows import YoloRows
from snellen.vision.arrays import F32

ANCHORS = 3


def _rows(outputs: Outputs, settings: DecoderSettings) -> F32:  # noqa: ARG001
    """(A, 5 + C) or (A, 5 + C + K): x, y, w, h, objectness, classes, masks."""
    return outputs.tables()[0]


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:
    tables = outputs.tables()
    expected = {ANCHORS * cells(settings.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}
    return len(tables) == 1 and tables[0].shape[0] in expected and tables[0].shape[1] > 5


ROWS = YoloRows(_rows, 5, _recognises)
DECODER = ROWS.detector("yolov5", nms=0.45)
SEGMENTER = ROWS.segmenter("yolov5-seg", nms=0.45)
