"""A subject made of a network, a decoder, preprocessing and NMS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from snellen.errors import SubjectError
from snellen.subjects.answers.value_checks import bounded_scores
from snellen.subjects.decoders.candidates import Candidates, Decoder
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import ClassTable
from snellen.subjects.model_file.letterbox import Letterbox, letterbox_of
from snellen.subjects.model_file.network import Network
from snellen.subjects.model_file.nms import non_max_suppression
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.subjects.subject import Prediction, ShownSubject, Task
from snellen.vision.arrays import AnyArray, Bools, Boxes, Image
from snellen.vision.detections import BOX_DECIMALS, Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks

VERSION = 2
"""Incremented when answers change for a reason outside the decoders."""

BATCH_TOLERANCE = 1e-4
"""How far a score may differ between batch sizes, if the network runs several images at once."""


@dataclass(frozen=True)
class OutputReader:
    """How a network's outputs become predictions.

    size: (height, width) of the input, or None to pass each image in its own size. raw: whether
    the network takes unscaled pixels. nms: NMS IoU threshold. limit: maximum number of boxes.
    """

    decoder: Decoder
    settings: DecoderSettings
    table: ClassTable
    preprocessing: Preprocessing
    size: tuple[int, int] | None
    raw: bool
    nms: float
    limit: int

    def letterbox(self, image: Image) -> Letterbox:
        """The image's placement in the input."""
        own = (image.shape[0], image.shape[1])
        return letterbox_of(own, self.size or own, self.preprocessing.fit)

    def prediction(self, outputs: Outputs, letterbox: Letterbox) -> Prediction:
        """One image's prediction: detections in image pixels, best first, or label scores."""
        settings = replace(self.settings, size=letterbox.network)
        found = self.decoder.decode(outputs, settings)
        if np.isnan(found.scores).any() or np.isnan(found.boxes).any():
            raise SubjectError(f"the model's outputs contain NaN: {outputs}")
        if self.decoder.task is Task.LABELS:
            return self._label_vector(found)
        return self._detections(found, letterbox)

    def _label_vector(self, found: Candidates) -> LabelVector:
        """The score of each class, without a floor."""
        used = self.table.labels(found.labels) >= 0
        try:
            return LabelVector(bounded_scores(found.scores[used].astype(np.float64)))
        except SubjectError as error:
            raise SubjectError(f"{error} For a model file, set `activation`.") from None

    def _detections(self, found: Candidates, letterbox: Letterbox) -> Detections:
        found = found[found.scores >= np.float32(self.settings.floor)]
        labels = self.table.labels(found.labels)
        found = replace(found, labels=labels)[labels >= 0]
        stay = non_max_suppression(found.boxes, found.scores, found.labels, self.nms, self.limit)
        return self._in_image(found[stay], letterbox)

    def _in_image(self, found: Candidates, letterbox: Letterbox) -> Detections:
        boxes = letterbox.clipped(letterbox.to_image(found.boxes))
        inside = _have_area(boxes)
        boxes, found = boxes[inside], found[inside]
        masks: Masks | None = None
        if self.decoder.task is Task.SEGMENTATION:
            masks = (
                found.masks.to_masks(boxes, letterbox)
                if found.masks
                else Masks.empty(letterbox.image)
            )
        scores = np.clip(found.scores, 0, 1)
        return Detections(boxes, found.labels, scores, masks)


ReadWith: TypeAlias = Callable[[Mapping[str, Any]], OutputReader]
"""The reader of the same network with options changed; a `UserError` if they do not fit."""


def _have_area(boxes: Boxes) -> Bools:
    """Which boxes (N, 4) xyxy have an area after rounding as in the engine."""
    rounded = np.round(boxes.astype(np.float64), BOX_DECIMALS).astype(np.float32)
    return np.asarray((rounded[:, 2] > rounded[:, 0]) & (rounded[:, 3] > rounded[:, 1]))


class ModelSubject(ShownSubject):
    """A subject that runs a network; see `Subject`.

    forward_batch: the number of images per forward pass, whatever the number per call. read_with:
    see `ReadWith`. decoders: the names of all that recognise the outputs.
    """

    deterministic = True

    def __init__(
        self,
        network: Network,
        reader: OutputReader,
        *,
        name: str,
        fingerprint: str,
        score: float,
        batch: int,
        forward_batch: int,
        read_with: ReadWith,
        decoders: tuple[str, ...] = (),
    ) -> None:
        self.name, self.fingerprint, self.score = name, fingerprint, score
        self.batch, self.forward_batch = batch, forward_batch
        self.tolerance = 0.0 if forward_batch == 1 else BATCH_TOLERANCE
        self.task = reader.decoder.task
        self.classes = reader.table.names
        self.reader, self.read_with, self.decoders = reader, read_with, decoders
        self._network: Network | None = network

    def predict(self, images: Sequence[Image]) -> list[Prediction]:
        """One prediction per image; sizes may differ."""
        found: list[Prediction] = []
        for start in range(0, len(images), self.forward_batch):
            chunk = images[start : start + self.forward_batch]
            found += [self.reader.prediction(*one) for one in self.outputs(chunk, self.reader)]
        return found

    def outputs(
        self, images: Sequence[Image], reader: OutputReader
    ) -> list[tuple[Outputs, Letterbox]]:
        """The outputs of at most one forward pass, for images prepared as `reader` says."""
        if self._network is None:
            raise SubjectError(f"'{self.name}' is closed")
        letterboxes = [reader.letterbox(image) for image in images]
        outputs = run_network(self._network, reader, images, letterboxes)
        return list(zip(outputs, letterboxes, strict=True))

    def close(self) -> None:
        """Release the network."""
        if self._network is not None:
            self._network.close()
        self._network = None


def run_network(
    network: Network,
    reader: OutputReader,
    images: Sequence[Image],
    letterboxes: Sequence[Letterbox],
) -> list[Outputs]:
    """The network's outputs for each image; a fixed batch is padded with zeros."""
    prepared: list[AnyArray] = []
    for image, letterbox in zip(images, letterboxes, strict=True):
        pixels = reader.preprocessing.pixels(image, letterbox)
        prepared.append(pixels if reader.raw else reader.preprocessing.numbers(pixels))
    fixed = network.input.batch or len(prepared)
    prepared += [np.zeros_like(prepared[0])] * (fixed - len(prepared))
    try:
        arrays = network.run(network.input.tensor(prepared))
    except SubjectError:
        raise
    except Exception as error:
        raise SubjectError(f"the model fails on {len(images)} image(s): {error}") from error
    if fixed == 1:
        return [Outputs(network.output_names, tuple(arrays))]
    return [
        Outputs(network.output_names, tuple(array[index] for array in arrays))
        for index in range(len(images))
    ]
