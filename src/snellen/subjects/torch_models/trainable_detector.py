"""The interface of a torch detector that can be tested, explained, sampled and repaired."""

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
    """The training targets of one image, in network pixels.

    boxes: (M, 4) xyxy. labels: (M,) integers, 0-based. weights: (M,), the weight of each object in
    the loss, usually 1. ignored: (K, 4) xyxy of regions where detections are not penalised, such as
    crowds.
    """

    boxes: Tensor
    labels: Tensor
    weights: Tensor
    ignored: Tensor


@runtime_checkable
class TrainableDetector(Protocol):
    """A torch detector.

    Three more attributes are optional: `fit` (an `InputFit`), how images are fitted to the input,
    by default stretched; `heads`, names of the submodules on the last features (the default layers
    of Monte Carlo dropout); `backbone`, names of the submodules before them, which training may
    freeze.
    """

    @property
    def module(self) -> nn.Module:
        """The module that is run and trained, on any device."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names by 0-based id."""

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of its input in pixels."""

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        """Raw outputs, with gradients, for RGB images (N, 3, H, W) from 0 to 1."""

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        """The detections of each image: boxes in image pixels, after NMS, without gradients."""

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        """(K,) confidence of one image's outputs in class `label` at `boxes`, with gradients.

        boxes: (K, 4) xyxy in network pixels. Any increasing function of the score is valid; the
        logit is best, because its gradient does not vanish at high confidence.
        """

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        """The terms of the loss by name, each a scalar; training minimises their sum."""

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the trained detector to `folder`; returns its `subject:` configuration.

        Relative paths in the configuration start at `folder`.
        """


@runtime_checkable
class Resumes(Protocol):
    """A detector that can resume a forward pass, so that many passes share the first layers."""

    def before(self, batch: Tensor, layers: Sequence[str]) -> Any:
        """The state for a batch before the first of the named layers runs."""

    def after(self, midway: Any) -> Sequence[Tensor]:
        """The raw outputs, resumed from the state `midway`, which is not modified."""


@runtime_checkable
class MeasuresDrift(Protocol):
    """A detector that can measure the drift of its outputs, so that training can limit it."""

    @property
    def module(self) -> nn.Module:
        """See `TrainableDetector`."""

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        """See `TrainableDetector`."""

    def drift(
        self, outputs: Sequence[Tensor], given: Sequence[Tensor], free: Sequence[Targets]
    ) -> Tensor:
        """A scalar, 0 for unchanged outputs, that grows with their distance from `given`.

        given: the raw outputs for the same images before training. free: objects of each image
        whose predictions may change; they are left out.
        """


def fit_of(detector: TrainableDetector) -> InputFit:
    """How images are fitted to the detector's input."""
    return InputFit(getattr(detector, "fit", InputFit.STRETCH))
