"""The assignment of objects to the cells and anchors of a YOLO head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from snellen.subjects.darknet.cfg_file import Yolo
from snellen.subjects.darknet.torch_network.box_overlap import iou, share_inside
from snellen.subjects.torch_models.trainable_detector import Targets

INSIDE = 0.5
"""A box with more than this share of its area in an ignored region is not penalised."""


@dataclass(frozen=True, eq=False)
class BatchObjects:
    """All objects of a batch in one list.

    boxes: (T, 4) xyxy in network pixels. labels, weights: (T,). images: (T,), the index of each
    object's image.
    """

    boxes: Tensor
    labels: Tensor
    weights: Tensor
    images: Tensor

    @classmethod
    def of(cls, targets: Sequence[Targets], like: Tensor) -> BatchObjects:
        """The objects of a batch, with the dtype and device of `like`."""
        counts = torch.tensor([len(one.boxes) for one in targets])
        images = torch.repeat_interleave(torch.arange(len(targets)), counts)
        return cls(
            torch.cat([one.boxes.reshape(-1, 4) for one in targets]).to(like),
            torch.cat([one.labels for one in targets]).to(like.device, torch.int64),
            torch.cat([one.weights for one in targets]).to(like),
            images.to(like.device),
        )


@dataclass(frozen=True, eq=False)
class AnchorAssignment:
    """P pairs of a place in a head and the object assigned to it.

    images, anchors, rows, columns: (P,), the place. objects: (P,), the index in `BatchObjects`.
    """

    images: Tensor
    anchors: Tensor
    rows: Tensor
    columns: Tensor
    objects: Tensor

    @property
    def places(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """An index into (N, A, h, w)."""
        return self.images, self.anchors, self.rows, self.columns


def assign_anchors(
    objects: BatchObjects,
    head: Yolo,
    heads: Sequence[Yolo],
    grid: tuple[int, int],
    size: tuple[int, int],
    also: float,
) -> AnchorAssignment:
    """The places of `head` for the objects: the cell of the centre, the anchor of the best shape.

    The best anchor is the best among all `heads`; a head without it gets no place for the object.
    Anchors of the head whose shapes overlap the object's by more than `also` (IoU) are assigned as
    well. grid: (h, w) of the head. size: (height, width) of the network.
    """
    anchors = objects.boxes.new_tensor(sorted({one for each in heads for one in each.anchors}))
    own = objects.boxes.new_tensor(head.anchors)
    sides = objects.boxes[:, 2:] - objects.boxes[:, :2]
    best = _shape_iou(sides, anchors).max(dim=1).values if len(sides) else sides.new_zeros(0)
    fits = _shape_iou(sides, own)
    chosen = ((fits >= best[:, None]) | (fits > also)) & (fits > 0)
    number, anchor = torch.nonzero(chosen, as_tuple=True)
    centres = (objects.boxes[:, :2] + objects.boxes[:, 2:])[number] / 2
    columns = (centres[:, 0] * grid[1] / size[1]).long().clamp(0, grid[1] - 1)
    rows = (centres[:, 1] * grid[0] / size[0]).long().clamp(0, grid[0] - 1)
    return AnchorAssignment(objects.images[number], anchor, rows, columns, number)


def ignored_boxes(boxes: Tensor, targets: Sequence[Targets], ignore: float) -> Tensor:
    """Which predicted boxes (N, A, h, w, 4) are not penalised as false positives, as booleans.

    They overlap an object by more than `ignore` (IoU), or lie in an ignored region.
    """
    found = torch.zeros(boxes.shape[:-1], dtype=torch.bool, device=boxes.device)
    flat = boxes.detach().flatten(1, 3)
    for number, one in enumerate(targets):
        near = iou(flat[number][:, None], one.boxes.reshape(-1, 4).to(flat)) > ignore
        spared = share_inside(flat[number][:, None], one.ignored.reshape(-1, 4).to(flat)) > INSIDE
        found[number] = (near.any(1) | spared.any(1)).reshape(found.shape[1:])
    return found


def _shape_iou(first: Tensor, second: Tensor) -> Tensor:
    """(M, K) IoU of sizes (M, 2) and (K, 2) with a common centre."""
    common = torch.minimum(first[:, None], second).prod(-1)
    return common / (first.prod(-1)[:, None] + second.prod(-1) - common).clamp(min=1e-9)
