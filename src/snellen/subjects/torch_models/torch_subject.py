"""A subject that is a torch detector: it answers, draws by dropout, and explains its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from threading import RLock

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from snellen.errors import SubjectError, UserError
from snellen.subjects.answers import checked_batch
from snellen.subjects.letterbox import Frame, frame_of
from snellen.subjects.passes import Pass
from snellen.subjects.preprocessing import Preprocessing
from snellen.subjects.subject import Image, Prediction, Task
from snellen.subjects.targets import described
from snellen.subjects.torch_models.dropout import Dropout, evaluating
from snellen.subjects.torch_models.grad_cam import Map, grad_cam
from snellen.subjects.torch_models.heat import in_image
from snellen.subjects.torch_models.trainable import TrainableDetector, fit_of
from snellen.vision.detections import Detections

BATCH_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Asking:
    """How a detector is asked.

    score: the operating threshold. floor: the lowest score kept. batch: images a call. at_once:
    how many of them the module is given together. dropout: how passes are drawn, or None. layer:
    whose map explains an answer, or None for a late one that decides; weighting: see `grad_cam`.
    """

    score: float
    floor: float
    batch: int
    at_once: int
    dropout: Dropout | None = None
    layer: str | None = None
    weighting: str = "local"


class TorchSubject:
    """A torch detector under test; see `Subject`, `Draws` and `Explains`.

    One thread at a time uses the module, whoever asks. Its training mode is as before after each
    answer, and no hook stays on it.
    """

    task = Task.DETECTION
    deterministic = True

    def __init__(
        self, detector: TrainableDetector, asking: Asking, *, name: str, fingerprint: str
    ) -> None:
        self.name, self.fingerprint = name, fingerprint
        self.classes = tuple(detector.classes)
        self.score, self.batch = asking.score, asking.batch
        self.tolerance = 0.0 if asking.at_once == 1 else BATCH_TOLERANCE
        self.draws = asking.dropout is not None
        self._detector: TrainableDetector | None = detector
        self._asking = asking
        self._preprocessing = Preprocessing(fit=fit_of(detector))
        self._lock = RLock()

    @property
    def detector(self) -> TrainableDetector:
        """The detector that is asked."""
        if self._detector is None:
            raise SubjectError(f"{self.name}: was closed")
        return self._detector

    def predict(self, images: Sequence[Image | Pass]) -> list[Prediction]:
        """One answer for each image, or pass over an image, of whatever sizes."""
        numbers = [one.number if isinstance(one, Pass) else 0 for one in images]
        pixels = [one.image if isinstance(one, Pass) else one for one in images]
        found: dict[int, Prediction] = {}
        for number in sorted(set(numbers)):
            places = [place for place, one in enumerate(numbers) if one == number]
            for chosen in _chunks(places, self._asking.at_once):
                answers = self._answers([pixels[place] for place in chosen], number)
                found |= zip(chosen, answers, strict=True)
        return [found[place] for place in range(len(images))]

    def heat_map(self, image: Image, box: Sequence[float], label: int) -> Map:
        """What speaks for class `label` at `box`, by gradients: (H, W) in [0, 1], image pixels."""
        if not 0 <= label < len(self.classes):
            raise UserError(f"label {label} is none of the {len(self.classes)} classes' ids")
        frame = self._frame(image)
        place = frame.to_network(np.array([box], dtype=np.float32))[0]
        with self._at_work() as detector:
            batch = self._tensor([image], [frame])
            layer, weighting = self._asking.layer, self._asking.weighting
            heat = grad_cam(detector, batch, place, label, layer=layer, weighting=weighting)
        return in_image(heat, frame)

    def close(self) -> None:
        """Let go of the module."""
        with self._lock:
            self._detector = None

    def _answers(self, images: Sequence[Image], number: int) -> list[Prediction]:
        frames = [self._frame(image) for image in images]
        with self._at_work() as detector, self._drawn(detector, number), torch.inference_mode():
            outputs = detector.outputs(self._tensor(images, frames))
            answers = detector.decode(outputs, frames, self._asking.floor)
        checked = checked_batch(answers, images, self.classes, self.task)
        return [one.above(self._asking.floor) for one in checked if isinstance(one, Detections)]

    def _drawn(self, detector: TrainableDetector, number: int) -> AbstractContextManager[None]:
        if number == 0:
            return nullcontext()
        if self._asking.dropout is None:
            raise SubjectError(
                f"'{self.name}' was asked for pass {number}, but does not draw. Give "
                "subject.dropout, such as {rate: 0.3}."
            )
        return self._asking.dropout.drawn(detector.module, number)

    @contextmanager
    def _at_work(self) -> Iterator[TrainableDetector]:
        """The detector, in evaluation mode and used by nobody else; its failures with its name."""
        with self._lock, evaluating(self.detector.module):
            try:
                yield self.detector
            except (SubjectError, UserError):
                raise
            except Exception as error:
                raise SubjectError(f"'{self.name}' raised {described(error)}") from error

    def _frame(self, image: Image) -> Frame:
        own = (image.shape[0], image.shape[1])
        return frame_of(own, self.detector.size, self._preprocessing.fit)

    def _tensor(self, images: Sequence[Image], frames: Sequence[Frame]) -> Tensor:
        """(N, 3, H, W) RGB from 0 to 1, where the module's parameters are."""
        ready = [
            self._preprocessing.numbers(self._preprocessing.pixels(image, frame))
            for image, frame in zip(images, frames, strict=True)
        ]
        stacked: npt.NDArray[np.float32] = np.stack(ready).transpose(0, 3, 1, 2)
        return torch.from_numpy(np.ascontiguousarray(stacked)).to(device_of(self.detector))


def device_of(detector: TrainableDetector) -> torch.device:
    """Where the detector's parameters are; the CPU if it has none."""
    first = next(iter(detector.module.parameters()), None)
    return torch.device("cpu") if first is None else first.device


def _chunks(places: Sequence[int], length: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), length):
        yield places[start : start + length]
