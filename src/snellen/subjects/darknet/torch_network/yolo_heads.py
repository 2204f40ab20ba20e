"""The outputs of Darknet's `[yolo]` layers in torch: boxes and log-odds, with gradients."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from snellen.subjects.darknet.cfg_file import Yolo

NEARLY = 1e-6
"""Scores are clamped this far from 0 and 1 before taking log-odds."""
LARGEST = 10.0
"""Maximum logarithm of the ratio of a side to its anchor, to avoid overflow."""


@dataclass(frozen=True, eq=False)
class HeadValues:
    """One head's predictions for N images, A anchors and a grid of h x w cells.

    boxes: (N, A, h, w, 4) xyxy in network pixels. objectness: (N, A, h, w) and classes:
    (N, A, h, w, C), log-odds.
    """

    boxes: Tensor
    objectness: Tensor
    classes: Tensor


def read_head(output: Tensor, head: Yolo, size: tuple[int, int]) -> HeadValues:
    """The predictions in a head's (N, A * (5 + C), h, w). size: (height, width) of the input."""
    count, _, rows, columns = output.shape
    shape = (count, len(head.anchors), 5 + head.classes, rows, columns)
    cells = output.reshape(shape).permute(0, 1, 3, 4, 2)
    boxes = _boxes(cells[..., :4], head, size)
    odds = torch.logit(cells[..., 4:], eps=NEARLY) if head.new_coords else cells[..., 4:]
    return HeadValues(boxes, odds[..., 0], odds[..., 1:])


def _boxes(cells: Tensor, head: Yolo, size: tuple[int, int]) -> Tensor:
    rows, columns = cells.shape[2:4]
    step = cells.new_tensor([size[1] / columns, size[0] / rows])
    y, x = torch.meshgrid(
        torch.arange(rows, device=cells.device),
        torch.arange(columns, device=cells.device),
        indexing="ij",
    )
    shift = cells[..., :2] if head.new_coords else cells[..., :2].sigmoid()
    centres = (shift * head.scale - (head.scale - 1) / 2 + torch.stack([x, y], dim=-1)) * step
    growth = (
        (cells[..., 2:] * 2) ** 2 if head.new_coords else cells[..., 2:].clamp(max=LARGEST).exp()
    )
    sides = growth * cells.new_tensor(head.anchors)[:, None, None]
    return torch.cat([centres - sides / 2, centres + sides / 2], dim=-1)
