"""The result of a decoder: boxes, labels and scores in network pixels, before NMS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.mask_maps import MaskMaps
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.subjects.subject import Task
from snellen.vision.arrays import F32, Ints


@dataclass(frozen=True, eq=False)
class Candidates:
    """N boxes that a network proposes for one image.

    boxes: (N, 4) float32 xyxy in network pixels. labels: (N,) int64, the network's own class ids.
    scores: (N,) float32 in [0, 1]. masks: their mask maps, or None.
    """

    boxes: F32
    labels: Ints
    scores: F32
    masks: MaskMaps | None = None

    def __getitem__(self, index: Any) -> Candidates:
        """The candidates that an index array or boolean array selects."""
        masks = None if self.masks is None else self.masks[index]
        return Candidates(self.boxes[index], self.labels[index], self.scores[index], masks)


def _unchanged(outputs: Outputs, settings: DecoderSettings) -> DecoderSettings:  # noqa: ARG001
    return settings


@dataclass(frozen=True)
class Decoder:
    """How the outputs of one family of networks are read.

    name: the value of the `decoder` option. version: incremented when its answers change.
    recognises: whether outputs look like this family's. numbering: how it numbers its classes.
    decode: the candidates in one image's outputs. preprocessing: the family's default. nms: the
    default NMS IoU threshold, 1.0 if the network needs no NMS. task: what it predicts; the box of a
    label is the whole input. resolve: the settings for all images, after one look at the outputs.
    cell_offset: the family's reference point in a cell, None if boxes do not refer to cells.
    """

    name: str
    version: int
    recognises: Callable[[Outputs, DecoderSettings], bool]
    numbering: Callable[[Outputs, DecoderSettings], Numbering]
    decode: Callable[[Outputs, DecoderSettings], Candidates]
    preprocessing: Preprocessing
    nms: float
    task: Task = Task.DETECTION
    resolve: Callable[[Outputs, DecoderSettings], DecoderSettings] = _unchanged
    cell_offset: float | None = None


def classes_above_floor(scores: F32, settings: DecoderSettings) -> tuple[Ints, ...]:
    """(rows, labels) of N x C scores at or above the floor: the best class per row, or all."""
    return (every_class if settings.per_class else best_class)(scores, settings.floor)


def best_class(scores: F32, floor: float) -> tuple[Ints, ...]:
    """(rows, labels) of the best class of each row of N x C scores, if at or above the floor.

    NaN passes, so that the caller can report it.
    """
    labels = scores.argmax(axis=1)
    rows = np.flatnonzero(~(scores[np.arange(len(scores)), labels] < floor))
    return rows, labels[rows]


def every_class(scores: F32, floor: float) -> tuple[Ints, ...]:
    """(rows, labels) of all entries of N x C scores at or above the floor."""
    return np.nonzero(~(scores < floor))


def corners(centres: F32, sides: F32) -> F32:
    """Boxes (N, 4) xyxy from centres (N, 2) and sizes (N, 2), both x first."""
    return np.concatenate([centres - sides / 2, centres + sides / 2], axis=1, dtype=np.float32)


def sigmoid(values: F32) -> F32:
    """The logistic function, without overflow."""
    return np.asarray(0.5 * (np.tanh(0.5 * values) + 1), dtype=np.float32)


def softmax(values: F32) -> F32:
    """The softmax along the last axis."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def apply_activation(values: F32, activation: str) -> F32:
    """Class scores from raw values: `none`, `sigmoid` or `softmax`."""
    if activation == "none":
        return values
    return sigmoid(values) if activation == "sigmoid" else softmax(values)


def are_probabilities(values: F32) -> bool:
    """Whether all values are in [0, 1]."""
    return bool(values.size == 0 or (values.min() >= 0 and values.max() <= 1))
