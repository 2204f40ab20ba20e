"""Networks with decoded outputs: boxes, labels, scores and masks, as in torchvision."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.mask_maps import MaskMaps
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.subjects.subject import Task
from snellen.vision.arrays import AnyArray


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:  # noqa: ARG001
    """Candidates from boxes (N, 4) xyxy in network pixels, labels (N,), scores (N,), masks.

    With five columns, the fifth holds the scores. Masks are optional: (N, 1, h, w) or (N, h, w)
    probabilities over the entire input.
    """
    boxes, labels, scores = _parts(outputs)
    masks = _masks(outputs)
    return Candidates(
        boxes.astype(np.float32),
        np.round(labels).astype(np.int64),
        scores.astype(np.float32),
        None if masks is None else MaskMaps.from_probabilities(masks),
    )


def _parts(outputs: Outputs) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Boxes (N, 4), labels (N,), scores (N,)."""
    [wide] = [array for array in outputs.arrays if _is_boxes(array)]
    boxes = wide.reshape(-1, wide.shape[-1])
    pairs = zip(outputs.names, outputs.arrays, strict=True)
    lists = [(name, array.reshape(-1)) for name, array in pairs if _is_list(array)]
    if boxes.shape[1] == 5:
        return boxes[:, :4], lists[0][1], boxes[:, 4]
    labels, scores = _labels_and_scores(lists)
    return boxes, labels, scores


def _labels_and_scores(lists: list[tuple[str, AnyArray]]) -> tuple[AnyArray, AnyArray]:
    """Labels and scores, identified by integer type, else by name, else by order."""
    (first_name, first), (second_name, second) = lists
    if np.issubdtype(second.dtype, np.integer) and not np.issubdtype(first.dtype, np.integer):
        return second, first
    scores_first = any(part in first_name.lower() for part in ("score", "conf"))
    labels_second = any(part in second_name.lower() for part in ("label", "class"))
    swapped = not np.issubdtype(first.dtype, np.integer) and (scores_first or labels_second)
    return (second, first) if swapped else (first, second)


def _masks(outputs: Outputs) -> AnyArray | None:
    found = [array for array in outputs.arrays if array.ndim >= 3 and not _is_boxes(array)]
    if not found:
        return None
    shape = found[0].shape  # -1 would be ambiguous for maps of no pixels
    return found[0].reshape(prod(shape[:-2]), *shape[-2:]).astype(np.float32)


def _is_boxes(array: AnyArray) -> bool:
    return (
        array.ndim in (2, 3) and array.shape[-1] in (4, 5) and (array.ndim == 2 or len(array) == 1)
    )


def _is_list(array: AnyArray) -> bool:
    return array.ndim == 1 or (array.ndim == 2 and len(array) == 1 and not _is_boxes(array))


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:  # noqa: ARG001
    boxes = [array for array in outputs.arrays if _is_boxes(array)]
    lists = [array for array in outputs.arrays if _is_list(array)]
    if len(boxes) != 1 or len(boxes) + len(lists) + (_masks(outputs) is not None) != len(
        outputs.arrays
    ):
        return False
    return len(lists) == (2 if boxes[0].shape[-1] == 4 else 1)


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    [wide] = [array for array in outputs.arrays if _is_boxes(array)]
    return Numbering(None, first=1 if wide.shape[-1] == 4 else 0)


DECODER = Decoder(
    name="plain",
    version=1,
    recognises=lambda outputs, settings: _recognises(outputs, settings) and _masks(outputs) is None,
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(),
    nms=1.0,
)

SEGMENTER = replace(
    DECODER,
    name="plain-seg",
    recognises=lambda outputs, settings: (
        _recognises(outputs, settings) and _masks(outputs) is not None
    ),
    task=Task.SEGMENTATION,
)
