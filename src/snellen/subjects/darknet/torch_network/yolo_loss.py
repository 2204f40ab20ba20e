"""The training loss of YOLOv3 and v4: box, objectness and class terms."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot

from snellen.subjects.darknet.cfg_file import Yolo
from snellen.subjects.darknet.torch_network.anchor_assignment import (
    AnchorAssignment,
    BatchObjects,
    assign_anchors,
    ignored_boxes,
)
from snellen.subjects.darknet.torch_network.box_overlap import ciou
from snellen.subjects.darknet.torch_network.head_settings import HeadSettings
from snellen.subjects.darknet.torch_network.yolo_heads import HeadValues, read_head
from snellen.subjects.torch_models.trainable_detector import Targets

PARTS = ("box", "objectness", "classes")


def yolo_loss(
    outputs: Sequence[Tensor],
    targets: Sequence[Targets],
    heads: Sequence[Yolo],
    settings: Sequence[HeadSettings],
    size: tuple[int, int],
) -> dict[str, Tensor]:
    """The terms `box`, `objectness` and `classes`, each summed over an image and averaged over N.

    outputs: (N, A * (5 + C), h, w) of each head. targets: of each image. size: (height, width) of
    the network. The box term is 1 - CIoU, even if the cfg asks for squared errors (YOLOv3); the
    others are cross entropies. An object's weight multiplies the terms of its assigned places.
    """
    objects = BatchObjects.of(targets, outputs[0])
    totals = {name: outputs[0].new_zeros(()) for name in PARTS}
    for output, head, chosen in zip(outputs, heads, settings, strict=True):
        values = read_head(output, head, size)
        grid = (output.shape[2], output.shape[3])
        assignment = assign_anchors(objects, head, heads, grid, size, chosen.also)
        parts = (
            chosen.box * _box(values, assignment, objects),
            chosen.objectness * _objectness(values, assignment, objects, targets, chosen.ignore),
            chosen.classes * _classes(values, assignment, objects, chosen.smoothing),
        )
        for name, part in zip(PARTS, parts, strict=True):
            totals[name] = totals[name] + part / len(targets)
    return totals


def _box(values: HeadValues, assignment: AnchorAssignment, objects: BatchObjects) -> Tensor:
    overlap = ciou(values.boxes[assignment.places], objects.boxes[assignment.objects])
    return ((1 - overlap) * objects.weights[assignment.objects]).sum()


def _objectness(
    values: HeadValues,
    assignment: AnchorAssignment,
    objects: BatchObjects,
    targets: Sequence[Targets],
    ignore: float,
) -> Tensor:
    """Cross entropy with target 1 at assigned places, 0 elsewhere except for ignored boxes."""
    target = torch.zeros_like(values.objectness)
    target[assignment.places] = 1
    weights = (~ignored_boxes(values.boxes, targets, ignore)).to(target)
    weights = torch.where(target > 0, _weights(values, assignment, objects), weights)
    losses = binary_cross_entropy_with_logits(values.objectness, target, reduction="none")
    return (losses * weights).sum()


def _classes(
    values: HeadValues, assignment: AnchorAssignment, objects: BatchObjects, smoothing: float
) -> Tensor:
    """Cross entropy of the classes at assigned places, which may have several objects."""
    count = values.classes.shape[-1]
    target = torch.zeros_like(values.classes)
    hot = one_hot(objects.labels[assignment.objects], count).to(target)
    target = target.index_put(assignment.places, hot, accumulate=True).clamp(max=1)
    weights = _weights(values, assignment, objects)
    assigned = torch.zeros_like(weights, dtype=torch.bool)
    assigned[assignment.places] = True
    target = target[assigned] * (1 - smoothing) + smoothing / 2
    losses = binary_cross_entropy_with_logits(values.classes[assigned], target, reduction="none")
    return (losses.sum(-1) * weights[assigned]).sum()


def _weights(values: HeadValues, assignment: AnchorAssignment, objects: BatchObjects) -> Tensor:
    """(N, A, h, w) the largest weight of the objects assigned to each place, else 0."""
    shape = values.objectness.shape
    flat = values.objectness.new_zeros(shape.numel())
    index = _flat_index(assignment, shape)
    chosen = objects.weights[assignment.objects]
    return flat.scatter_reduce(0, index, chosen, "amax").reshape(shape)


def _flat_index(assignment: AnchorAssignment, shape: Sequence[int]) -> Tensor:
    _, anchors, rows, columns = shape
    return (
        (assignment.images * anchors + assignment.anchors) * rows + assignment.rows
    ) * columns + assignment.columns
