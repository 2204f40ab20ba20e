"""Overlap of boxes in torch, with gradients. Boxes are (..., 4) xyxy in the same unit."""

from __future__ import annotations

import math

import torch
from torch import Tensor

TINY = 1e-9


def iou(first: Tensor, second: Tensor) -> Tensor:
    """The IoU of boxes whose leading axes broadcast against each other, in [0, 1]."""
    return _common(first, second) / _union(first, second)


def share_inside(first: Tensor, second: Tensor) -> Tensor:
    """The share of each first box's area that lies in the second box."""
    return _common(first, second) / _areas(first).clamp(min=TINY)


def ciou(first: Tensor, second: Tensor) -> Tensor:
    """The complete IoU, lower for distant centres and different aspect ratios; 1 for equal boxes.

    IoU - d^2 / c^2 - a v, with d the distance of the centres, c the diagonal of the box around
    both, v = (4 / pi^2) (difference of atan(width / height))^2 and a = v / (1 - IoU + v). The
    gradient is exact: a is not held constant as in some implementations.
    """
    overlap = iou(first, second)
    low = torch.minimum(first[..., :2], second[..., :2])
    high = torch.maximum(first[..., 2:], second[..., 2:])
    diagonal = ((high - low) ** 2).sum(-1).clamp(min=TINY)
    shift = (first[..., :2] + first[..., 2:] - second[..., :2] - second[..., 2:]) / 2
    aspect = 4 / math.pi**2 * (_angle(first) - _angle(second)) ** 2
    weight = aspect / (1 - overlap + aspect).clamp(min=TINY)
    return overlap - (shift**2).sum(-1) / diagonal - weight * aspect


def _sides(boxes: Tensor) -> Tensor:
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=0)


def _areas(boxes: Tensor) -> Tensor:
    return _sides(boxes).prod(-1)


def _common(first: Tensor, second: Tensor) -> Tensor:
    low = torch.maximum(first[..., :2], second[..., :2])
    high = torch.minimum(first[..., 2:], second[..., 2:])
    return (high - low).clamp(min=0).prod(-1)


def _union(first: Tensor, second: Tensor) -> Tensor:
    return (_areas(first) + _areas(second) - _common(first, second)).clamp(min=TINY)


def _angle(boxes: Tensor) -> Tensor:
    sides = _sides(boxes)
    return torch.atan2(sides[..., 0], sides[..., 1].clamp(min=TINY))
