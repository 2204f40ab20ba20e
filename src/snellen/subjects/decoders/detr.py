"""DETR and its variants: a fixed set of queries, each with class logits and a box; no NMS."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders import plain_outputs
from snellen.subjects.decoders.candidates import (
    Candidates,
    Decoder,
    apply_activation,
    are_probabilities,
    classes_above_floor,
    corners,
    every_class,
)
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs, last_axes, rank
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import IMAGENET, Preprocessing
from snellen.vision.arrays import F32

QUERIES = {100, 300, 900}
COCO_IDS = 91


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from logits (N, C) and boxes (N, 4): centre x, centre y, w, h as fractions.

    With softmax the last class is "no object". A single output (N, 4 + C) holds both.
    """
    logits, boxes = _halves(outputs)
    activation = _activation(logits, settings)
    scores = apply_activation(logits, activation)
    if activation == "softmax":
        kept, labels = classes_above_floor(scores[:, :-1], settings)
    else:
        kept, labels = every_class(scores, settings.floor)
    height, width = settings.size
    pixels = boxes[kept] * np.array([width, height, width, height], dtype=np.float32)
    return Candidates(corners(pixels[:, :2], pixels[:, 2:]), labels, scores[kept, labels])


def _halves(outputs: Outputs) -> tuple[F32, F32]:
    named = outputs.named("logits"), outputs.named("boxes")
    if named[0] is not None and named[1] is not None:
        return last_axes(named[0], 2), last_axes(named[1], 2)
    tables = outputs.tables()
    if len(tables) == 1:
        return tables[0][:, 4:], tables[0][:, :4]
    logits, boxes = sorted(tables, key=lambda table: table.shape[1] == 4)
    return logits, boxes


def _activation(logits: F32, settings: DecoderSettings) -> str:
    """The activation of the logits; if not given, softmax for 100 queries as in the first DETR."""
    if settings.activation:
        return settings.activation
    if are_probabilities(logits):
        return "none"
    if settings.classes is not None and logits.shape[1] - settings.classes in (0, 1):
        return "sigmoid" if logits.shape[1] == settings.classes else "softmax"
    return "softmax" if len(logits) == 100 else "sigmoid"


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:
    """COCO's own ids (1 to 90) for 91 classes, else ids from 0."""
    logits, _ = _halves(outputs)
    count = logits.shape[1] - (_activation(logits, settings) == "softmax")
    return Numbering(count - 1, first=1) if count == COCO_IDS else Numbering(count)


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    tables = outputs.tables()
    logits, boxes = outputs.named("logits"), outputs.named("boxes")
    if logits is not None and boxes is not None:
        return rank(logits) == rank(boxes) == 2 and boxes.shape[-1] == 4
    if len(outputs.arrays) == 1 and len(tables) == 1:
        return len(tables[0]) == 300 and tables[0].shape[1] > 6
    lengths = {len(table) for table in tables}
    return (
        len(tables) == len(outputs.arrays) == 2
        and len(lengths) == 1
        and lengths <= QUERIES
        and sum(table.shape[1] == 4 for table in tables) == 1
    )


def _is_rt(outputs: Outputs, settings: DecoderSettings) -> bool:
    logits, _ = _halves(outputs)
    return len(logits) == 300 and logits.shape[1] in (80, settings.classes)


DECODER = Decoder(
    name="detr",
    version=1,
    recognises=lambda outputs, settings: (
        _recognises(outputs, settings) and not _is_rt(outputs, settings)
    ),
    numbering=_numbering,
    decode=decode,
    preprocessing=IMAGENET,
    nms=1.0,
)

RT_DETR = replace(
    DECODER,
    name="rt-detr",
    recognises=lambda outputs, settings: (
        _recognises(outputs, settings) and _is_rt(outputs, settings)
    ),
    preprocessing=Preprocessing(),
)


def _is_finished(outputs: Outputs, settings: DecoderSettings) -> bool:
    """Whether there are 300 boxes with a batch axis, as no exporter of torchvision writes them."""
    batched = any(array.shape[-2:] == (300, 4) and array.ndim == 3 for array in outputs.arrays)
    return batched and plain_outputs.DECODER.recognises(outputs, settings)


RT_FINISHED = replace(
    plain_outputs.DECODER,
    name="rt-detr-finished",
    recognises=_is_finished,
    numbering=lambda *_: Numbering(None),
)
