"""SSD before post-processing: box encodings relative to anchors, and class scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.errors import UserError
from snellen.subjects.decoders.candidates import (
    Candidates,
    Decoder,
    apply_activation,
    are_probabilities,
    classes_above_floor,
)
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.decoders.ssd_anchors import ssd_anchors
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import FROM_MINUS_ONE_TO_ONE
from snellen.vision.arrays import F32

SCALES = np.array([10, 10, 5, 5], dtype=np.float32)


def decode(outputs: Outputs, settings: DecoderSettings, x_first: bool = False) -> Candidates:
    """Candidates from encodings (A, 4) and scores (A, 1 + C), background first.

    An encoding is y, x, log height, log width relative to its anchor, in TensorFlow's order;
    `x_first` reads encodings and anchors as x, y, w, h, as in PyTorch's SSDs.
    """
    encodings, raw = _halves(outputs)
    anchors = _anchors(outputs, settings, len(encodings))
    default = "softmax" if x_first else "sigmoid"
    activation = settings.activation or ("none" if are_probabilities(raw) else default)
    scores = apply_activation(raw, activation)[:, 1:]
    kept, labels = classes_above_floor(scores, settings)
    boxes = anchored_boxes(encodings[kept] / SCALES, anchors[kept])
    boxes = boxes if x_first else boxes[:, [1, 0, 3, 2]]
    height, width = settings.size
    pixels = boxes * np.array([width, height, width, height], dtype=np.float32)
    return Candidates(pixels, labels + 1, scores[kept, labels])


def anchored_boxes(encodings: F32, anchors: F32) -> F32:
    """Corners (N, 4), in the axis order of the encodings, as fractions of the input."""
    centres = encodings[:, :2] * anchors[:, 2:] + anchors[:, :2]
    sides = np.exp(encodings[:, 2:]) * anchors[:, 2:]
    return np.concatenate([centres - sides / 2, centres + sides / 2], axis=1)


def _halves(outputs: Outputs) -> tuple[F32, F32]:
    """Encodings (A, 4) and class scores (A, 1 + C)."""
    tables = [table for name, table in _named_tables(outputs) if "anchor" not in name]
    tables.sort(key=lambda table: table.shape[1] != 4)
    encodings, scores = tables
    return encodings, scores


def _named_tables(outputs: Outputs) -> list[tuple[str, F32]]:
    tables = outputs.tables()
    return list(zip((name.lower() for name in outputs.names), tables, strict=True))


def _anchors(outputs: Outputs, settings: DecoderSettings, count: int) -> F32:
    """Anchors (A, 4): from the settings, else from the outputs, else generated."""
    inside = outputs.named("anchor")
    generated = inside.reshape(-1, 4) if inside is not None else ssd_anchors(settings.size)
    return given_anchors(settings, generated, count)


def given_anchors(settings: DecoderSettings, generated: F32, count: int) -> F32:
    """Anchors (A, 4) of the settings, else the generated ones, checked to be `count`."""
    anchors = settings.anchors if settings.anchors is not None else generated
    if len(anchors) != count:
        raise UserError(
            f"subject.anchors: found {len(anchors)} anchors, but the model's outputs have {count} "
            "rows. Give the model's own anchors in a file of four numbers per row, such as "
            "`anchors: anchors.npy`."
        )
    return anchors


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:
    tables = outputs.tables()
    if len(tables) != len(outputs.arrays) or len(tables) not in (2, 3):
        return False
    named = outputs.named("anchor") is not None
    if len(tables) - named != 2 or {len(table) for table in tables} != {len(tables[0])}:
        return False
    count = len(tables[0])
    given = settings.anchors is not None and len(settings.anchors) == count
    has_anchors = given or named or len(ssd_anchors(settings.size)) == count
    return has_anchors and any(table.shape[1] == 4 for table in tables)


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    return Numbering(_halves(outputs)[1].shape[1] - 1, first=1)


DECODER = Decoder(
    name="ssd",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=FROM_MINUS_ONE_TO_ONE,
    nms=0.6,
)

X_FIRST = replace(
    DECODER,
    name="ssd-xywh",
    decode=lambda outputs, settings: decode(outputs, settings, x_first=True),
    nms=0.45,
)
