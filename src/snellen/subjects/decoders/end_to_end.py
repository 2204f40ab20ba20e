"""Networks with built-in NMS and one output of six columns, such as YOLOv10."""

from __future__ import annotations

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:  # noqa: ARG001
    """Candidates from (N, 6): x1, y1, x2, y2 in network pixels, score, class."""
    rows = outputs.arrays[0].reshape(-1, 6).astype(np.float32)
    return Candidates(rows[:, :4], np.round(rows[:, 5]).astype(np.int64), rows[:, 4])


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    """Whether the only output has six columns; a single row of six is a classifier's."""
    shapes = [array.shape for array in outputs.arrays]
    return len(shapes) == 1 and shapes[0][-1:] == (6,) and shapes[0] not in ((6,), (1, 6))


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    return Numbering(None)


DECODER = Decoder(
    name="end-to-end",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=InputFit.CENTRE),
    nms=1.0,
)
