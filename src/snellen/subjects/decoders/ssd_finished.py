"""SSD after post-processing: boxes, classes, scores and their number, as in TensorFlow."""

from __future__ import annotations

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import FROM_MINUS_ONE_TO_ONE
from snellen.vision.arrays import AnyArray


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from boxes (N, 4): y1, x1, y2, x2 fractions, classes (N,), scores (N,), count."""
    boxes, classes, scores, count = _parts(outputs)
    some = slice(0, int(count.reshape(-1)[0]))
    height, width = settings.size
    shares = boxes.reshape(-1, 4)[some][:, [1, 0, 3, 2]]
    pixels = shares * np.array([width, height, width, height], dtype=np.float32)
    labels = np.round(classes.reshape(-1)[some]).astype(np.int64)
    return Candidates(
        pixels.astype(np.float32), labels, scores.reshape(-1)[some].astype(np.float32)
    )


def _parts(outputs: Outputs) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
    """Boxes, classes, scores, count: by name, else by TensorFlow's two output orders."""
    named = (
        outputs.named("detection_boxes"),
        outputs.named("detection_classes"),
        outputs.named("detection_scores"),
        outputs.named("num_detections"),
    )
    if all(part is not None for part in named):
        return named  # type: ignore[return-value]
    first, second, third, fourth = outputs.arrays
    if first.ndim > 1 and first.shape[-1] == 4:
        return first, second, third, fourth
    return second, fourth, first, third


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    if outputs.named("detection_boxes") is not None and len(outputs.arrays) >= 4:
        return outputs.named("detection_scores") is not None
    if len(outputs.arrays) != 4:
        return False
    boxes, classes, scores, count = _parts(outputs)
    rows = boxes.size // 4
    is_boxes = boxes.ndim > 1 and boxes.shape[-1] == 4
    return is_boxes and classes.size == scores.size == rows and count.size == 1


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    named = outputs.named("detection_classes") is not None
    return Numbering(None, first=1 if named else 0)


DECODER = Decoder(
    name="ssd-finished",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=FROM_MINUS_ONE_TO_ONE,
    nms=1.0,
)
