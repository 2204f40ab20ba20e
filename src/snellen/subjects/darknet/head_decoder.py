"""The decoder of Darknet's `[yolo]` layers, from the outputs of the heads to boxes."""

from __future__ import annotations

from functools import partial

import numpy as np

from snellen.subjects.darknet.cfg_file import Yolo
from snellen.subjects.decoders.candidates import Candidates, Decoder, corners, every_class, sigmoid
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs, last_axes
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.vision.arrays import F32

PREPROCESSING = Preprocessing()
NMS = 0.45


def head_decoder(heads: tuple[Yolo, ...]) -> Decoder:
    """The decoder for a network with these heads, in the order of its outputs."""
    return Decoder(
        name="darknet",
        version=1,
        recognises=lambda outputs, _: len(outputs.arrays) == len(heads),
        numbering=lambda *_: Numbering(heads[0].classes),
        decode=partial(decode, heads=heads),
        preprocessing=PREPROCESSING,
        nms=NMS,
    )


def decode(outputs: Outputs, settings: DecoderSettings, heads: tuple[Yolo, ...]) -> Candidates:
    """Candidates from one (A * (5 + C), h, w) output per head, for every class above the floor."""
    pairs = zip(outputs.arrays, heads, strict=True)
    parts = [_head(last_axes(array, 3), head, settings) for array, head in pairs]
    return Candidates(
        np.concatenate([part.boxes for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.scores for part in parts]),
    )


def _head(values: F32, head: Yolo, settings: DecoderSettings) -> Candidates:
    """The candidates of one head.

    A class score is at most the box's objectness, so boxes with an objectness below the floor are
    skipped.
    """
    rows, columns = values.shape[1:]
    cells = values.reshape(len(head.anchors), 5 + head.classes, rows, columns)
    objectness = cells[:, 4] if head.new_coords else sigmoid(cells[:, 4])
    anchor, y, x = np.nonzero(~(objectness < settings.floor))
    picked = cells[anchor, :, y, x]
    classes = picked[:, 5:] if head.new_coords else sigmoid(picked[:, 5:])
    scores = classes * objectness[anchor, y, x][:, None]
    kept, labels = every_class(scores, settings.floor)
    place = np.stack([x, y], axis=1)[kept]
    boxes = _boxes(picked[kept], place, anchor[kept], head, settings, (rows, columns))
    return Candidates(boxes, labels, scores[kept, labels])


def _boxes(
    picked: F32,
    place: np.ndarray,
    anchor: np.ndarray,
    head: Yolo,
    settings: DecoderSettings,
    grid: tuple[int, int],
) -> F32:
    """Boxes (N, 4) xyxy in network pixels, of the cells at (x, y) `place` of a head's grid."""
    step = np.array([settings.size[1] / grid[1], settings.size[0] / grid[0]], dtype=np.float32)
    shift = picked[:, :2] if head.new_coords else sigmoid(picked[:, :2])
    centres = (shift * head.scale - (head.scale - 1) / 2 + place) * step
    growth = (picked[:, 2:4] * 2) ** 2 if head.new_coords else np.exp(picked[:, 2:4])
    sides = growth * np.array(head.anchors, dtype=np.float32)[anchor]
    return corners(centres.astype(np.float32), sides.astype(np.float32))
