"""What a torch detector must bring to be tested, explained, sampled and repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from snellen.subjects.model_file.letterbox import InputFit, Letterbox
from snellen.vision.detections import Detections

if TYPE_CHECKING:
    from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class Targets:
    """What a detector should have found in one image, in network pixels.

    boxes: (M, 4) xyxy. labels: (M,) whole numbers, 0-based. weights: (M,), how much each object
    counts, mostly 1. ignored: (K, 4) xyxy of regions where whatever is found is neither right nor
    wrong, such as crowds.
    """

    boxes: Tensor
    labels: Tensor
    weights: Tensor
    ignored: Tensor


@runtime_checkable
class TrainableDetector(Protocol):
    """A torch detector, with what is known of it.

    Three attributes may be there besides: `fit` (an `InputFit`), how images fill the input, else
    they are stretched; `heads`, names of the submodules that read the last features (the default
    place of Monte Carlo dropout); `backbone`, names of those before them, which training may
    freeze.
    """

    @property
    def module(self) -> nn.Module:
        """What is run and trained, on whatever device its parameters are."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names by 0-based id."""

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of its input in pixels."""

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        """Raw outputs, with gradients, for RGB images (N, 3, H, W) of numbers from 0 to 1."""

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        """What each image's outputs say: boxes in image pixels, after suppression, no gradients."""

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        """(K,) how sure one image's outputs are of class `label` at `boxes`, with gradients.

        boxes: (K, 4) xyxy in network pixels. Any growing function of the score will do; the one
        before the sigmoid is best, since its gradient does not vanish for sure answers.
        """

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        """The parts of the loss by name, each one number; their sum is what training lowers."""

    def save(self, folder: Path) -> dict[str, Any]:
        """Write what was learnt into `folder`; the `subject:` configuration that opens it.

        Relative paths in the configuration start at `folder`.
        """


@runtime_checkable
class Resumes(Protocol):
    """A detector that can go on from where it was, so that many passes share what comes first."""

    def before(self, batch: Tensor, layers: Sequence[str]) -> Any:
        """What is worked out for a batch before the first of the named layers runs."""

    def after(self, midway: Any) -> Sequence[Tensor]:
        """The raw outputs from there on; `midway` stays as it is."""


@runtime_checkable
class MeasuresDrift(Protocol):
    """A detector that can say how far its answers have moved, so that training can hold them."""

    @property
    def module(self) -> nn.Module:
        """See `TrainableDetector`."""

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        """See `TrainableDetector`."""

    def drift(
        self, outputs: Sequence[Tensor], given: Sequence[Tensor], free: Sequence[Targets]
    ) -> Tensor:
        """One number, 0 where outputs are as given, which grows with how far they are from it.

        given: the raw outputs for the same images before training. free: of each image, objects
        about which the answer may change; whatever concerns them is left out.
        """


def fit_of(detector: TrainableDetector) -> InputFit:
    """How images fill the detector's input."""
    return InputFit(getattr(detector, "fit", InputFit.STRETCH))
