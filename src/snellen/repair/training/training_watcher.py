"""Progress of a training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class StepProgress:
    """The position in a training. step: steps done of `steps`; epoch: the current one, from 1."""

    epoch: int
    epochs: int
    step: int
    steps: int
    rate: float
    loss: float


class TrainingWatcher(Protocol):
    """Receives each step and each epoch."""

    def step_done(self, progress: StepProgress) -> None:
        """Called after each step; must be quick."""

    def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
        """Called after each epoch with its measurements; epoch 0 is before training."""


class SilentTrainingWatcher:
    """Ignores all progress."""

    def step_done(self, progress: StepProgress) -> None:
        """Ignore it."""

    def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
        """Ignore it."""
