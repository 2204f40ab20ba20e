"""What a decoder gives: boxes, labels and scores in network pixels, before suppression."""

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
    scores: (N,) float32 in [0, 1]. masks: how to get their masks, or None.
    """

    boxes: F32
    labels: Ints
    scores: F32
    masks: MaskMaps | None = None

    def __getitem__(self, index: Any) -> Candidates:
        """Those that an index array or boolean array selects."""
        masks = None if self.masks is None else self.masks[index]
        return Candidates(self.boxes[index], self.labels[index], self.scores[index], masks)


def _unchanged(outputs: Outputs, settings: DecoderSettings) -> DecoderSettings:  # noqa: ARG001
    return settings


@dataclass(frozen=True)
class Decoder:
    """How the outputs of one family of networks are read.

    name: the word for the `decoder` option. version: counts up when its answers change.
    recognises: whether outputs look like this family's. numbering: how it numbers its classes.
    decode: the candidates in one image's outputs. preprocessing: what the family expects of its
    input. nms: the usual suppression threshold, 1.0 where the network needs none. task: what it
    finds; of a label, the candidate is the whole input. settled: what one look at the outputs
    decides for all images to come.
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


def classes_above_floor(scores: F32, settings: DecoderSettings) -> tuple[Ints, ...]:
    """(rows, labels) of N x C scores that reach the floor: the best class of a row, or each."""
    return (every_class if settings.per_class else best_class)(scores, settings.floor)


def best_class(scores: F32, floor: float) -> tuple[Ints, ...]:
    """(rows, labels) of the best class of each row of N x C scores, where it reaches the floor.

    Not-a-number passes, so that whoever reads the scores can say so.
    """
    labels = scores.argmax(axis=1)
    rows = np.flatnonzero(~(scores[np.arange(len(scores)), labels] < floor))
    return rows, labels[rows]


def every_class(scores: F32, floor: float) -> tuple[Ints, ...]:
    """(rows, labels) of all entries of N x C scores that reach the floor."""
    return np.nonzero(~(scores < floor))


def corners(centres: F32, sides: F32) -> F32:
    """Boxes (N, 4) xyxy from centres (N, 2) and sides (N, 2), both x first."""
    return np.concatenate([centres - sides / 2, centres + sides / 2], axis=1, dtype=np.float32)


def sigmoid(values: F32) -> F32:
    """1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (np.tanh(0.5 * values) + 1), dtype=np.float32)


def softmax(values: F32) -> F32:
    """Shares that add up to 1 along the last axis."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def apply_activation(values: F32, activation: str) -> F32:
    """Class scores from what the network gave: `none`, `sigmoid` or `softmax`."""
    if activation == "none":
        return values
    return sigmoid(values) if activation == "sigmoid" else softmax(values)


def are_probabilities(values: F32) -> bool:
    """Whether no value leaves [0, 1]."""
    return bool(values.size == 0 or (values.min() >= 0 and values.max() <= 1))
