"""A user's detector with a few parameters, small enough to compute by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from snellen.subjects.model_file.letterbox import Letterbox
from snellen.subjects.torch_models.trainable_detector import Targets
from snellen.vision.detections import Detections

CELL = 2


class TinyModule(nn.Module):  # type: ignore[misc]
    """Features of 2 x 2 blocks of pixels, then one logit per class and block."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.features = nn.Conv2d(3, 4, CELL, CELL)
        self.mixed = nn.Conv2d(4, 4, 3, padding=1)
        self.dropped = nn.Dropout(0.5)
        self.head = nn.Conv2d(4, classes, 1)

    def forward(self, batch: Tensor) -> Tensor:
        return self.head(self.dropped(self.mixed(self.features(batch).relu()).relu()))


class TinyDetector:
    """Every block of pixels is a box, with the module's outputs as class logits."""

    def __init__(self, seed: int = 0, size: Sequence[int] = (8, 12), gain: float = 1.0) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.module: nn.Module = TinyModule(2)
        with torch.no_grad():
            self.module.head.weight.mul_(gain)
        self.classes = ("cat", "dog")
        self.size = (int(size[0]), int(size[1]))

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        return [self.module(batch)]

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        found = []
        for scores, frame in zip(outputs[0].sigmoid(), frames, strict=True):
            label, row, column = torch.nonzero(scores >= floor, as_tuple=True)
            start = torch.stack([column, row], dim=1) * CELL
            boxes = torch.cat([start, start + CELL], dim=1).numpy()
            own = frame.to_image(boxes)
            found.append(Detections(own, label.numpy(), scores[label, row, column].numpy()))
        return found

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        column, row = ((boxes[:, :2] + boxes[:, 2:]) / 2 / CELL).long().T
        return outputs[0][0, label, row, column]

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        return {"all": outputs[0].square().mean()}

    def save(self, folder: Path) -> dict[str, Any]:
        torch.save(self.module.state_dict(), folder / "tiny.pt")
        return {"kind": "torch", "target": "tests.subjects.torch_models.tiny_detector:TinyDetector"}


def without_loss() -> Any:
    """An incomplete detector."""
    found = TinyDetector()
    return type("Half", (), {"module": found.module, "classes": found.classes, "size": (8, 8)})()


def raising() -> None:
    raise RuntimeError("no such luck")
