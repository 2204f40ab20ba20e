"""EfficientDet-Lite before post-processing: box encodings relative to anchors, and class scores."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.subjects.decoders.candidates import (
    Candidates,
    Decoder,
    apply_activation,
    are_probabilities,
    classes_above_floor,
)
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.ssd import anchored_boxes, given_anchors
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.vision.arrays import F32

STRIDES = (8, 16, 32, 64, 128)
ANCHOR_SCALE = 3.0
OCTAVES = (0.0, 1 / 3, 2 / 3)
RATIOS = (1.0, 2.0, 0.5)
COCO_IDS = 90


@lru_cache(maxsize=8)
def efficientdet_anchors(size: tuple[int, int]) -> F32:
    """Anchors (A, 4) as centre y, centre x, height, width, in fractions of the input.

    Nine per cell: three sizes, each with width to height 1, 2 and 1/2.

    >>> efficientdet_anchors((320, 320)).shape
    (19206, 4)
    """
    parts = []
    for stride in STRIDES:
        rows, columns = (-(-side // stride) for side in size)
        y, x = np.divmod(np.arange(rows * columns), columns)
        centres = np.stack([(y + 0.5) / rows, (x + 0.5) / columns], axis=1)
        sides = np.array(_sides(rows, columns))
        parts.append(
            np.concatenate(
                [np.repeat(centres, len(sides), axis=0), np.tile(sides, (len(centres), 1))], axis=1
            )
        )
    out = np.concatenate(parts).astype(np.float32)
    out.flags.writeable = False
    return out


def _sides(rows: int, columns: int) -> list[tuple[float, float]]:
    """(height, width) of the anchors of one cell, as fractions."""
    scales = [ANCHOR_SCALE * 2**octave for octave in OCTAVES]
    return [
        (scale / rows / ratio**0.5, scale / columns * ratio**0.5)
        for scale in scales
        for ratio in RATIOS
    ]


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from encodings (A, 4): y, x, log height, log width, and scores (A, C)."""
    encodings, raw = _halves(outputs)
    anchors = given_anchors(settings, efficientdet_anchors(settings.size), len(encodings))
    activation = settings.activation or ("none" if are_probabilities(raw) else "sigmoid")
    scores = apply_activation(raw, activation)
    kept, labels = classes_above_floor(scores, settings)
    boxes = anchored_boxes(encodings[kept], anchors[kept])[:, [1, 0, 3, 2]]
    height, width = settings.size
    pixels = boxes * np.array([width, height, width, height], dtype=np.float32)
    ids = labels + _numbering(outputs, settings).first
    return Candidates(pixels, ids, scores[kept, labels])


def _halves(outputs: Outputs) -> tuple[F32, F32]:
    """Encodings (A, 4) and class scores (A, C)."""
    first, second = outputs.tables()
    return (first, second) if first.shape[1] == 4 else (second, first)


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:
    tables = outputs.tables()
    if not len(tables) == len(outputs.arrays) == 2 or len(tables[0]) != len(tables[1]):
        return False
    boxes = [table for table in tables if table.shape[1] == 4]
    return len(boxes) == 1 and len(tables[0]) == len(efficientdet_anchors(settings.size))


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    """COCO's own ids (1 to 90) for 90 classes, else ids from 0."""
    count = _halves(outputs)[1].shape[1]
    return Numbering(count, first=1) if count == COCO_IDS else Numbering(count)


DECODER = Decoder(
    name="efficientdet",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(
        fit=InputFit.CORNER, scale=1.0, mean=(127.0,) * 3, std=(128.0,) * 3, pad=127
    ),
    nms=0.5,
)
