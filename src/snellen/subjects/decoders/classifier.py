"""Multi-label classifiers: one score per class for the whole image."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder, are_probabilities
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.preprocessing import IMAGENET
from snellen.subjects.multilabel_classifier import Activation, label_scores
from snellen.subjects.subject import Task
from snellen.vision.arrays import F32


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """One candidate per class, by id, from one output of C numbers."""
    scores = label_scores(_vector(outputs), settings.activation or Activation.SIGMOID)
    height, width = settings.size
    whole = np.array([0, 0, width, height], dtype=np.float32)
    return Candidates(np.tile(whole, (len(scores), 1)), np.arange(len(scores)), scores)


def _vector(outputs: Outputs) -> F32:
    """The (C,) numbers of the only output."""
    [array] = outputs.arrays
    if not _recognises(outputs):
        raise ValueError("expected one output with one number for each of at least two classes")
    return array.reshape(-1)


def _recognises(outputs: Outputs, settings: DecoderSettings | None = None) -> bool:  # noqa: ARG001
    """Whether the only output has one axis longer than 1."""
    shapes = [array.shape for array in outputs.arrays]
    return len(shapes) == 1 and 2 <= outputs.arrays[0].size == max(shapes[0])


def _resolve_activation(outputs: Outputs, settings: DecoderSettings) -> DecoderSettings:
    """The settings with the activation fixed for all images, as small logits look like scores.

    Outputs from 0 to 1 are taken as scores: if they are logits, later ones leave that range and are
    refused, while a second sigmoid on scores would go unnoticed.
    """
    if settings.activation is not None:
        return settings
    scored = are_probabilities(_vector(outputs))
    return replace(settings, activation=str(Activation.NONE if scored else Activation.SIGMOID))


DECODER = Decoder(
    name="labels",
    version=1,
    recognises=_recognises,
    numbering=lambda outputs, _: Numbering(len(_vector(outputs))),
    decode=decode,
    preprocessing=IMAGENET,
    nms=1.0,
    task=Task.LABELS,
    resolve=_resolve_activation,
)
