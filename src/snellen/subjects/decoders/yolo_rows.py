"""Shared parts of YOLOv5 and v8: one row per box, with scores and mask coefficients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder, classes_above_floor, corners
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.mask_maps import MaskMaps
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.subjects.subject import Task
from snellen.vision.arrays import F32


@dataclass(frozen=True)
class YoloRows:
    """How the rows of a family are found and read.

    rows: the outputs with one row per box: x, y, w, h, the objectness if any, the scores of C
    classes, and one mask coefficient per prototype. first: the column of the first class.
    recognises: whether outputs have such rows, with or without prototypes.
    """

    rows: Callable[[Outputs, DecoderSettings], F32]
    first: int
    recognises: Callable[[Outputs, DecoderSettings], bool]

    def decode(self, outputs: Outputs, settings: DecoderSettings) -> Candidates:
        """The candidates, with masks if there are prototypes."""
        rows, prototypes = self.rows(outputs, settings), _prototypes(outputs, settings)
        end = rows.shape[1] - _length(prototypes)
        scores = rows[:, self.first : end]
        scores = rows[:, 4:5] * scores if self.first == 5 else scores
        kept, labels = classes_above_floor(scores, settings)
        boxes = in_pixels(rows[:, :4], settings)[kept]
        masks = (
            None if prototypes is None else MaskMaps.from_coefficients(rows[kept, end:], prototypes)
        )
        return Candidates(corners(boxes[:, :2], boxes[:, 2:]), labels, scores[kept, labels], masks)

    def numbering(self, outputs: Outputs, settings: DecoderSettings) -> Numbering:
        """Ids from 0, as many as a row has columns left."""
        weights = _length(_prototypes(outputs, settings))
        return Numbering(self.rows(outputs, settings).shape[1] - self.first - weights)

    def detector(self, name: str, nms: float) -> Decoder:
        """The decoder of outputs without prototypes."""
        return Decoder(
            name=name,
            version=1,
            recognises=lambda outputs, settings: (
                self.recognises(outputs, settings) and _prototypes(outputs, settings) is None
            ),
            numbering=self.numbering,
            decode=self.decode,
            preprocessing=Preprocessing(fit=InputFit.CENTRE),
            nms=nms,
        )

    def segmenter(self, name: str, nms: float) -> Decoder:
        """The decoder of outputs with prototypes."""
        return replace(
            self.detector(name, nms),
            recognises=lambda outputs, settings: (
                self.recognises(outputs, settings) and _prototypes(outputs, settings) is not None
            ),
            task=Task.SEGMENTATION,
        )


def _prototypes(outputs: Outputs, settings: DecoderSettings) -> F32 | None:
    """The mask prototypes (K, h, w) among the outputs, channels first or last; None if absent.

    They cover the input at a quarter of its resolution.
    """
    quarter = (settings.size[0] // 4, settings.size[1] // 4)
    for volume in outputs.volumes():
        if volume.shape[1:] == quarter:
            return np.asarray(volume, dtype=np.float32)
        if volume.shape[:2] == quarter:
            return np.ascontiguousarray(volume.transpose(2, 0, 1), dtype=np.float32)
    return None


def _length(prototypes: F32 | None) -> int:
    return 0 if prototypes is None else len(prototypes)


def in_pixels(boxes: F32, settings: DecoderSettings) -> F32:
    """The boxes x, y, w, h in pixels; some exporters give fractions of the size.

    Cell centres reach the far edge of the input, so the largest value distinguishes the two.
    """
    if len(boxes) and np.abs(boxes[:, :2]).max() <= 2:
        height, width = settings.size
        return np.asarray(boxes * np.array([width, height, width, height]), dtype=np.float32)
    return boxes
