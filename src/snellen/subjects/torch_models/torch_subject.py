"""A torch detector as a subject: predictions, Monte Carlo dropout, and heat maps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock

import numpy as np
import torch
from torch import Tensor

from snellen.errors import SubjectError, UserError
from snellen.errors.plain_text import describe_error
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.model_file.letterbox import Letterbox, letterbox_of
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.subjects.passes import Pass
from snellen.subjects.subject import Prediction, ShownSubject, Task
from snellen.subjects.torch_models.dropout import Dropout, evaluation_mode, sampled_outputs
from snellen.subjects.torch_models.grad_cam import grad_cam
from snellen.subjects.torch_models.heat_map import in_image
from snellen.subjects.torch_models.trainable_detector import TrainableDetector, fit_of
from snellen.vision.arrays import F32, Image
from snellen.vision.detections import Detections

BATCH_TOLERANCE = 1e-4


@dataclass(frozen=True)
class InferenceSettings:
    """How a detector is run.

    score: the operating threshold. floor: the lowest score kept. batch: images per call.
    forward_batch: images per forward pass. dropout: for stochastic passes, or None. layer: whose
    map explains an answer, or None for the default; weighting: see `grad_cam`.
    """

    score: float
    floor: float
    batch: int
    forward_batch: int
    dropout: Dropout | None = None
    layer: str | None = None
    weighting: str = "local"


class TorchSubject(ShownSubject):
    """A torch detector under test; see `Subject`, `Draws` and `Explainer`.

    Only one thread at a time uses the module. Its training mode is restored after each call, and
    all hooks are removed.
    """

    task = Task.DETECTION
    deterministic = True

    def __init__(
        self,
        detector: TrainableDetector,
        settings: InferenceSettings,
        *,
        name: str,
        fingerprint: str,
    ) -> None:
        self.name, self.fingerprint = name, fingerprint
        self.classes = tuple(detector.classes)
        self.score, self.batch = settings.score, settings.batch
        self.tolerance = 0.0 if settings.forward_batch == 1 else BATCH_TOLERANCE
        self.draws = settings.dropout is not None
        self._detector: TrainableDetector | None = detector
        self._settings = settings
        self._preprocessing = Preprocessing(fit=fit_of(detector))
        self._lock = RLock()

    @property
    def detector(self) -> TrainableDetector:
        """The detector under test."""
        if self._detector is None:
            raise SubjectError(f"'{self.name}' is closed")
        return self._detector

    def predict(self, images: Sequence[Image | Pass]) -> list[Prediction]:
        """One answer per image, or pass over an image; sizes may differ."""
        found: dict[int, Prediction] = {}
        plain = {place: one for place, one in enumerate(images) if not isinstance(one, Pass)}
        for places in _chunks(list(plain), self._settings.forward_batch):
            answers = self._answers([plain[place] for place in places])
            found |= zip(places, answers, strict=True)
        for group in _by_image(images):
            found |= zip(group, self._passes(list(group.values())), strict=True)
        return [found[place] for place in range(len(images))]

    def heat_map(self, image: Image, box: Sequence[float], label: int) -> F32:
        """The support for class `label` at `box`, by gradients: (H, W) in [0, 1], image pixels."""
        if not 0 <= label < len(self.classes):
            raise UserError(f"label: found {label}, expected 0 to {len(self.classes) - 1}")
        letterbox = self._letterbox(image)
        place = letterbox.to_network(np.array([box], dtype=np.float32))[0]
        with self._exclusive() as detector:
            batch = self._tensor([image], [letterbox])
            layer, weighting = self._settings.layer, self._settings.weighting
            heat = grad_cam(detector, batch, place, label, layer=layer, weighting=weighting)
        return in_image(heat, letterbox)

    def close(self) -> None:
        """Release the module."""
        with self._lock:
            self._detector = None

    def _answers(self, images: Sequence[Image]) -> list[Prediction]:
        letterboxes = [self._letterbox(image) for image in images]
        with self._exclusive() as detector, torch.inference_mode():
            outputs = detector.outputs(self._tensor(images, letterboxes))
            answers = detector.decode(outputs, letterboxes, self._settings.floor)
        return self._checked(answers, images)

    def _passes(self, passes: Sequence[Pass]) -> list[Prediction]:
        """The answers of passes over one image."""
        numbers, image = [one.number for one in passes], passes[0].image
        dropout, letterbox = self._settings.dropout, self._letterbox(image)
        if dropout is None:
            raise SubjectError(
                f"'{self.name}' cannot run pass {numbers[0]}, because it has no dropout. Set "
                "subject.dropout, such as {rate: 0.3}."
            )
        with self._exclusive() as detector, torch.inference_mode():
            drawn = sampled_outputs(detector, self._tensor([image], [letterbox]), dropout, numbers)
            answers = [detector.decode(one, [letterbox], self._settings.floor)[0] for one in drawn]
        return self._checked(answers, [image] * len(passes))

    def _checked(self, answers: Sequence[Detections], images: Sequence[Image]) -> list[Prediction]:
        checked = checked_batch(answers, images, self.classes, self.task)
        return [one.above(self._settings.floor) for one in checked if isinstance(one, Detections)]

    @contextmanager
    def _exclusive(self) -> Iterator[TrainableDetector]:
        """The detector in evaluation mode, locked; its exceptions become a `SubjectError`."""
        with self._lock, evaluation_mode(self.detector.module):
            try:
                yield self.detector
            except (SubjectError, UserError):
                raise
            except (Exception, SystemExit) as error:
                raise SubjectError(f"'{self.name}' raised {describe_error(error)}") from error

    def _letterbox(self, image: Image) -> Letterbox:
        own = (image.shape[0], image.shape[1])
        return letterbox_of(own, self.detector.size, self._preprocessing.fit)

    def _tensor(self, images: Sequence[Image], letterboxes: Sequence[Letterbox]) -> Tensor:
        """(N, 3, H, W) RGB from 0 to 1, on the device of the module."""
        ready = [
            self._preprocessing.numbers(self._preprocessing.pixels(image, letterbox))
            for image, letterbox in zip(images, letterboxes, strict=True)
        ]
        stacked: F32 = np.stack(ready).transpose(0, 3, 1, 2)
        return torch.from_numpy(np.ascontiguousarray(stacked)).to(device_of(self.detector))


def device_of(detector: TrainableDetector) -> torch.device:
    """The device of the detector's parameters; the CPU if it has none."""
    first = next(iter(detector.module.parameters()), None)
    return torch.device("cpu") if first is None else first.device


def _by_image(images: Sequence[Image | Pass]) -> list[dict[int, Pass]]:
    """The passes of a batch by index, grouped by equal pixels."""
    groups: dict[object, dict[int, Pass]] = {}
    for place, one in enumerate(images):
        if isinstance(one, Pass):
            pixels = np.ascontiguousarray(one.image)
            digest = hashlib.blake2b(pixels.data, digest_size=16).digest()
            groups.setdefault((pixels.shape, digest), {})[place] = one
    return list(groups.values())


def _chunks(places: Sequence[int], length: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), length):
        yield places[start : start + length]
