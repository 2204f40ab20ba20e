"""Networks with suppression inside and one output of six columns, as YOLOv10's."""

from __future__ import annotations

import numpy as np

from snellen.subjects.class_table import Numbering
from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import Known, Outputs
from snellen.subjects.letterbox import Fit
from snellen.subjects.preprocessing import Preprocessing


def decode(outputs: Outputs, known: Known) -> Candidates:  # noqa: ARG001
    """Candidates from (N, 6): x1, y1, x2, y2 in network pixels, score, class."""
    rows = outputs.arrays[0].reshape(-1, 6).astype(np.float32)
    return Candidates(rows[:, :4], np.round(rows[:, 5]).astype(np.int64), rows[:, 4])


def _recognises(outputs: Outputs, known: Known) -> bool:  # noqa: ARG001
    """Whether the only output has six columns; six numbers in all are a classifier's."""
    shapes = [array.shape for array in outputs.arrays]
    return len(shapes) == 1 and shapes[0][-1:] == (6,) and shapes[0] not in ((6,), (1, 6))


def _numbering(outputs: Outputs, known: Known) -> Numbering:  # noqa: ARG001
    return Numbering(None)


DECODER = Decoder(
    name="end-to-end",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=Fit.CENTRE),
    nms=1.0,
)
