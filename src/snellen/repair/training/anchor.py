"""A penalty on changed answers where nothing is to be repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from snellen.errors import UserError
from snellen.repair.training.example import Example
from snellen.repair.training.weight_average import copied, temporary_state
from snellen.subjects.torch_models.trainable_detector import (
    MeasuresDrift,
    Targets,
    TrainableDetector,
)

if TYPE_CHECKING:
    from torch import Tensor

DRIFT = "drift"
"""The name of this part of the loss."""


class Anchor:
    """The original weights of a detector, whose answers training should preserve.

    weight: of the drift in the loss. Drift counts everywhere in original pictures, and in repair
    pictures everywhere except at annotated objects, where answers have to change.
    """

    def __init__(self, detector: TrainableDetector, weight: float) -> None:
        if not isinstance(detector, MeasuresDrift):
            raise UserError(
                "training.anchor: the detector has no method `drift`, which measures how far its "
                "answers have moved. Set anchor: 0, or add it; read: snellen docs subjects-torch"
            )
        self._detector, self._weight = detector, weight
        self._state = copied(detector.module)

    def answers(self, batch: Tensor) -> list[Tensor]:
        """The raw outputs with the original weights; call it before the training step."""
        import torch

        module = self._detector.module
        modes = [(part, part.training) for part in module.modules()]
        module.eval()
        with torch.no_grad(), temporary_state(module, self._state):
            found = [one.detach() for one in self._detector.outputs(batch)]
        for part, training in modes:
            part.training = training
        return found

    def drift(
        self,
        outputs: Sequence[Tensor],
        given: Sequence[Tensor],
        targets: Sequence[Targets],
        examples: Sequence[Example],
    ) -> Tensor:
        """The term of the loss for drifted answers."""
        free = [
            one if example.repair else _nothing(one)
            for one, example in zip(targets, examples, strict=True)
        ]
        return self._weight * self._detector.drift(outputs, given, free)


def _nothing(one: Targets) -> Targets:
    return replace(one, boxes=one.boxes[:0], labels=one.labels[:0], weights=one.weights[:0])
