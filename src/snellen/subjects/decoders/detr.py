"""DETR and its kin: a fixed set of queries, each with class logits and a box; no suppression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders.candidates import (
    Candidates,
    Decoder,
    activated,
    are_probabilities,
    corners,
    every_class,
    reaching,
)
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs, last
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import IMAGENET, Preprocessing
from snellen.vision.arrays import F32

QUERIES = {100, 300, 900}
COCO_IDS = 91


def decode(outputs: Outputs, known: DecoderSettings) -> Candidates:
    """Candidates from logits (N, C) and boxes (N, 4) as centre x, centre y, w, h shares.

    With softmax the last class is "no object". One output (N, 4 + C) holds both halves.
    """
    logits, boxes = _halves(outputs)
    activation = _activation(logits, known)
    scores = activated(logits, activation)
    if activation == "softmax":
        kept, labels = reaching(scores[:, :-1], known)
    else:
        kept, labels = every_class(scores, known.floor)
    height, width = known.size
    pixels = boxes[kept] * np.array([width, height, width, height], dtype=np.float32)
    return Candidates(corners(pixels[:, :2], pixels[:, 2:]), labels, scores[kept, labels])


def _halves(outputs: Outputs) -> tuple[F32, F32]:
    named = outputs.named("logits"), outputs.named("boxes")
    if named[0] is not None and named[1] is not None:
        return last(named[0], 2), last(named[1], 2)
    tables = outputs.tables()
    if len(tables) == 1:
        return tables[0][:, 4:], tables[0][:, :4]
    logits, boxes = sorted(tables, key=lambda table: table.shape[1] == 4)
    return logits, boxes


def _activation(logits: F32, known: DecoderSettings) -> str:
    """What makes scores of the logits; where nobody says, the first DETRs had 100 queries."""
    if known.activation:
        return known.activation
    if are_probabilities(logits):
        return "none"
    if known.classes is not None and logits.shape[1] - known.classes in (0, 1):
        return "sigmoid" if logits.shape[1] == known.classes else "softmax"
    return "softmax" if len(logits) == 100 else "sigmoid"


def _numbering(outputs: Outputs, known: DecoderSettings) -> Numbering:
    """COCO's own ids (1 to 90) where there are 91 of them, else ids from 0."""
    logits, _ = _halves(outputs)
    count = logits.shape[1] - (_activation(logits, known) == "softmax")
    return Numbering(count - 1, first=1) if count == COCO_IDS else Numbering(count)


def _recognises(outputs: Outputs, known: DecoderSettings) -> bool:  # noqa: ARG001
    tables = outputs.tables()
    if outputs.named("logits") is not None and outputs.named("boxes") is not None:
        return True
    if len(outputs.arrays) == 1 and len(tables) == 1:
        return len(tables[0]) == 300 and tables[0].shape[1] > 6
    lengths = {len(table) for table in tables}
    return (
        len(tables) == len(outputs.arrays) == 2
        and len(lengths) == 1
        and lengths <= QUERIES
        and sum(table.shape[1] == 4 for table in tables) == 1
    )


def _is_rt(outputs: Outputs, known: DecoderSettings) -> bool:
    logits, _ = _halves(outputs)
    return len(logits) == 300 and logits.shape[1] in (80, known.classes)


DECODER = Decoder(
    name="detr",
    version=1,
    recognises=lambda outputs, known: _recognises(outputs, known) and not _is_rt(outputs, known),
    numbering=_numbering,
    decode=decode,
    preprocessing=IMAGENET,
    nms=1.0,
)

RT_DETR = replace(
    DECODER,
    name="rt-detr",
    recognises=lambda outputs, known: _recognises(outputs, known) and _is_rt(outputs, known),
    preprocessing=Preprocessing(),
)
