"""Detectors and data small enough to reckon with by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snellen.repair.training.options import NO_AUGMENTATION, TrainingOptions
from snellen.repair.training.training_data import TrainingData
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.subjects.model_file.letterbox import Letterbox
from snellen.subjects.torch_models.trainable_detector import Targets
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections

State = dict[str, Tensor]


class OneNumber(nn.Module):  # type: ignore[misc]
    """A module with one weight and a batch norm that nothing comes of."""

    def __init__(self, start: float) -> None:
        super().__init__()
        self.number = nn.Parameter(torch.tensor([[start]]))

    def forward(self, batch: Tensor) -> Tensor:
        return self.number + 0 * batch.mean()


class Sloped:
    """Its loss is how far its number is above 1, and 0 from there on: a plateau."""

    def __init__(self, start: float) -> None:
        self.module: nn.Module = OneNumber(start)
        self.classes: tuple[str, ...] = ("thing",)
        self.size = (8, 8)

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        return [self.module(batch)]

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        return {"slope": torch.relu(outputs[0] - 1).sum()}

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        return [Detections.empty() for _ in frames]

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        return outputs[0].sum().expand(len(boxes))

    def save(self, folder: Path) -> dict[str, Any]:
        return {}


def things(count: int, name: str = "scene", size: tuple[int, int] = (8, 8)) -> SceneSet:
    """Scenes of noise with one thing each."""
    rng = np.random.default_rng(count)
    scenes = []
    for number in range(count):
        picture = PictureArray(rng.integers(0, 256, (*size, 3)).astype(np.uint8))
        known = Annotations([[1, 1, 6, 6]], [0])  # type: ignore[arg-type]
        scenes.append(Scene(f"{name}-{number}", picture, size, known))
    return SceneSet(tuple(scenes), ("thing",), (1,))


def thing_data(count: int = 4) -> TrainingData:
    """Scenes to train on, and two to validate by."""
    return TrainingData(things(count), validation=things(2, "judged"))


def options(**changed: Any) -> TrainingOptions:
    """Options without augmentation, momentum, decay, clipping or schedule, one step an epoch."""
    plain = {
        "epochs": 3, "steps": 1, "batch": 2, "rate": 0.5, "momentum": 0.0, "decay": 0.0,
        "clip": None, "schedule": "constant", "patience": None, "keep": "last", "workers": 0,
        "device": "cpu", "augmentation": NO_AUGMENTATION,
    }  # fmt: skip
    return TrainingOptions.model_validate({**plain, **changed})


def state_of(detector: Any) -> State:
    """A copy of all weights and buffers."""
    return {name: one.detach().clone() for name, one in detector.module.state_dict().items()}


def same_bits(one: State, other: State) -> bool:
    """Whether two states are equal bit for bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
