"""A torch module with the signature of torchvision's detectors, which reads generated scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snellen.subjects.planted.object_reader import read_objects

CLASSES = ("tomato", "lemon", "lime", "ice", "plum", "rose")


class ListDetector(nn.Module):  # type: ignore[misc]
    """A list of (3, H, W) tensors from 0 to 1 in, a list of mappings out, ids from `first`.

    In training mode it asks for targets, as torchvision's models do. masks: whether answers have
    them, (N, 1, H, W) from 0 to 1.
    """

    def __init__(self, first: int = 1, masks: bool = False) -> None:
        super().__init__()
        self.first, self.masks = first, masks
        self.gain = nn.Parameter(torch.ones(1))
        self.seen: list[Tensor] = []

    def forward(self, images: Sequence[Tensor], targets: Any = None) -> list[Mapping[str, Tensor]]:
        """One mapping for each image."""
        if self.training and targets is None:
            raise ValueError("In training mode, targets should be passed")
        self.seen = list(images)
        return [self._found(image) for image in images]

    def _found(self, image: Tensor) -> dict[str, Tensor]:
        pixels = np.rint(image.numpy().transpose(1, 2, 0) * 255).astype(np.uint8)
        seen = read_objects(np.ascontiguousarray(pixels), len(CLASSES))
        boxes = torch.tensor(np.array(seen.boxes))
        out = {
            "boxes": boxes,
            "labels": torch.tensor(np.array(seen.labels)) + self.first,
            "scores": torch.tensor(np.array(seen.scores)) * self.gain,
        }
        if self.masks:
            out["masks"] = torch.stack([_filled(box, image.shape[1:]) for box in boxes])
        return out


def _filled(box: Tensor, size: Sequence[int]) -> Tensor:
    mask = torch.zeros((1, *size))
    x1, y1, x2, y2 = (int(one) for one in box.round())
    mask[0, y1:y2, x1:x2] = 0.9
    return mask


def load(first: int = 1) -> ListDetector:
    """A factory, as for `kind: python`."""
    return ListDetector(first)
