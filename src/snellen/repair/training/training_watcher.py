"""What a training tells whoever watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class StepProgress:
    """How far a training is. step: steps done of `steps`; epoch: the one under way, from 1."""

    epoch: int
    epochs: int
    step: int
    steps: int
    rate: float
    loss: float


class TrainingWatcher(Protocol):
    """Sees each step and each epoch's end."""

    def stepped(self, moment: StepProgress) -> None:
        """Called after each step; must be quick."""

    def measured(self, epoch: int, values: Mapping[str, float]) -> None:
        """Called after each epoch with what the curves show; epoch 0 is before training."""


class SilentTrainingWatcher:
    """Watches and says nothing."""

    def stepped(self, moment: StepProgress) -> None:
        """Nothing."""

    def measured(self, epoch: int, values: Mapping[str, float]) -> None:
        """Nothing."""
