"""Finished boxes of PaddleDetection: PicoDet, PP-YOLOE and RT-DETR with their post-processing."""

from __future__ import annotations

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import IMAGENET
from snellen.vision.arrays import AnyArray


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:  # noqa: ARG001
    """Candidates from (N, 6): class, score, x1, y1, x2, y2 in network pixels, and their number.

    Rows of class -1 are empty.
    """
    rows, count = _parts(outputs)
    rows = rows[: int(count.reshape(-1)[0])].astype(np.float32)
    rows = rows[rows[:, 0] >= 0]
    return Candidates(rows[:, 2:], np.round(rows[:, 0]).astype(np.int64), rows[:, 1])


def _parts(outputs: Outputs) -> tuple[AnyArray, AnyArray]:
    """Rows (N, 6) and their number (1,)."""
    rows, count = sorted(outputs.arrays, key=lambda array: array.shape[-1:] != (6,))
    return rows.reshape(-1, 6), count


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    if len(outputs.arrays) != 2 or not any(one.shape[-1:] == (6,) for one in outputs.arrays):
        return False
    rows, count = sorted(outputs.arrays, key=lambda array: array.shape[-1:] != (6,))
    return rows.ndim == 2 and count.size == 1 and np.issubdtype(count.dtype, np.integer)


DECODER = Decoder(
    name="paddle-finished",
    version=1,
    recognises=_recognises,
    numbering=lambda *_: Numbering(None),
    decode=decode,
    preprocessing=IMAGENET,
    nms=1.0,
)
