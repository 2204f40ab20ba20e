"""A small torch detector of circles and squares that is trained in seconds.

It is a `TrainableDetector` as a user would write one, and the truth that repair is tested against:
`tests.repair.toy_scenes` can teach it a wrong lesson on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from snellen.subjects.model_file.letterbox import Letterbox
from snellen.subjects.model_file.nms import non_max_suppression
from snellen.subjects.torch_models.trainable_detector import Targets
from snellen.vision.detections import Detections

CLASSES = ("circle", "square")
STRIDE = 8
SIDE = 20.0
"""Pixels of a box whose width and height the network gives as 0."""


class ToyNetwork(nn.Module):  # type: ignore[misc]
    """(N, 5 + classes, H / 8, W / 8): objectness, place in the cell, logarithms of sides, classes.

    The last layers look about 60 pixels wide, so that a neighbour can disturb.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.backbone = nn.Sequential(*_block(3, 16, 5, 4), *_block(16, 24, 3, 2))
        self.neck = nn.Sequential(*(part for _ in range(3) for part in _block(24, 24, 3, 1)))
        self.head = nn.Conv2d(24, 5 + classes, 1)
        nn.init.constant_(self.head.bias[:1], -3.0)

    def forward(self, batch: Tensor) -> Tensor:
        return self.head(self.neck(self.backbone(batch)))


def _block(inputs: int, outputs: int, kernel: int, stride: int) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outputs), nn.LeakyReLU(0.1)]


class ToyDetector:
    """The network with its decoding and its loss."""

    backbone = ("backbone",)
    heads = ("head",)

    def __init__(self, size: tuple[int, int] = (96, 96), seed: int = 0) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.module: nn.Module = ToyNetwork(len(CLASSES))
        self.module.eval()
        self.classes: tuple[str, ...] = CLASSES
        self.size = size

    def outputs(self, batch: Tensor) -> Sequence[Tensor]:
        return [self.module(batch)]

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        boxes, scores = _boxes(outputs[0]), _scores(outputs[0])
        best = scores.max(dim=2)
        found = []
        for place, frame in enumerate(frames):
            own, score = boxes[place].detach().numpy(), best.values[place].detach().numpy()
            labels = best.indices[place].numpy()
            kept = np.flatnonzero(score >= floor)
            kept = kept[non_max_suppression(own[kept], score[kept], labels[kept], 0.45)]
            corners = frame.clipped(frame.to_image(own[kept]))
            found.append(Detections(corners, labels[kept], score[kept]))
        return found

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        """The logit of the cell that a box's centre lies in."""
        columns, rows = (((boxes[:, :2] + boxes[:, 2:]) / 2) // STRIDE).long().T
        cells = outputs[0][0, :, rows, columns]
        return functional.logsigmoid(cells[0]) + functional.logsigmoid(cells[5 + label])

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        """Mean over images of the sum over cells and objects; the cell of a centre answers for it.

        An object's weight counts in all three parts; cells in ignored regions count for nothing.
        """
        output, count = outputs[0], len(targets)
        boxes, labels, worth = (
            torch.cat([getattr(one, name) for one in targets])
            for name in ("boxes", "labels", "weights")
        )
        image = torch.repeat_interleave(
            torch.arange(count), torch.tensor([len(one.boxes) for one in targets])
        )
        column, row = (((boxes[:, :2] + boxes[:, 2:]) / 2) / STRIDE).long().T
        present = torch.zeros_like(output[:, 0])
        weight = torch.stack([_weights(present[0] + 1, one) for one in targets])
        present[image, row, column], weight[image, row, column] = 1.0, 4 * worth
        found = functional.binary_cross_entropy_with_logits(
            output[:, 0], present, weight, reduction="sum"
        )
        cells = row * output.shape[3] + column
        away = (_boxes(output)[image, cells] - boxes).abs().mean(dim=1) / STRIDE
        wanted = functional.one_hot(labels, len(CLASSES)).to(output.dtype)
        logits = output.permute(0, 2, 3, 1)[image, row, column, 5:]
        kind = functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
        return {
            "found": found / count,
            "box": (worth * away).sum() / count,
            "class": (worth * kind.mean(dim=1)).sum() / count,
        }

    def save(self, folder: Path) -> dict[str, Any]:
        torch.save(self.module.state_dict(), folder / "toy.pt")
        return {
            "kind": "torch",
            "target": "tests.repair.toy_detector:open_toy",
            "arguments": {"weights": str((folder / "toy.pt").resolve())},
        }


def open_toy(weights: str | None = None, size: Sequence[int] = (96, 96)) -> ToyDetector:
    """The detector with saved weights, or with none learnt yet."""
    detector = ToyDetector((int(size[0]), int(size[1])))
    if weights is not None:
        detector.module.load_state_dict(torch.load(weights, weights_only=True))
    return detector


def _boxes(output: Tensor) -> Tensor:
    """(N, h * w, 4) xyxy in network pixels."""
    rows = torch.arange(output.shape[2]).view(1, -1, 1)
    columns = torch.arange(output.shape[3]).view(1, 1, -1)
    x = (columns + output[:, 1].sigmoid()) * STRIDE
    y = (rows + output[:, 2].sigmoid()) * STRIDE
    width, height = (output[:, 3:5].clamp(-3, 3).exp() * SIDE).unbind(1)
    corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
    return torch.stack(corners, dim=-1).flatten(1, 2)


def _scores(output: Tensor) -> Tensor:
    """(N, h * w, classes) of each cell and class."""
    product = output[:, :1].sigmoid() * output[:, 5:].sigmoid()
    return product.flatten(2).permute(0, 2, 1)


def _weights(ones: Tensor, target: Targets) -> Tensor:
    """0 for cells in ignored regions and beside an object's own cell, so that a centre on the
    border of two cells is no background to either; else 1.
    """
    y = ((torch.arange(ones.shape[0]) + 0.5) * STRIDE)[:, None, None]
    x = ((torch.arange(ones.shape[1]) + 0.5) * STRIDE)[None, :, None]
    left, top, right, bottom = target.ignored.T
    inside = (x >= left) & (x < right) & (y >= top) & (y < bottom)
    centres = (target.boxes[:, :2] + target.boxes[:, 2:]) / 2
    close = torch.hypot(x - centres[:, 0], y - centres[:, 1]) < STRIDE
    return ones * ~(inside.any(dim=2) | close.any(dim=2))
