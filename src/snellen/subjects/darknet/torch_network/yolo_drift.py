"""The drift of a YOLO network's outputs from earlier outputs for the same images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from snellen.subjects.darknet.cfg_file import Yolo
from snellen.subjects.darknet.torch_network.anchor_assignment import (
    BatchObjects,
    assign_anchors,
    ignored_boxes,
)
from snellen.subjects.darknet.torch_network.head_settings import HeadSettings
from snellen.subjects.darknet.torch_network.yolo_heads import HeadValues, read_head
from snellen.subjects.torch_models.trainable_detector import Targets


def yolo_drift(
    outputs: Sequence[Tensor],
    given: Sequence[Tensor],
    free: Sequence[Targets],
    heads: Sequence[Yolo],
    settings: Sequence[HeadSettings],
    size: tuple[int, int],
) -> Tensor:
    """One number, 0 without drift: summed over the places of an image and averaged over N.

    outputs, given: (N, A * (5 + C), h, w) of each head, now and before. A place contributes the
    Kullback-Leibler divergence of its objectness and, weighted by its previous objectness, that of
    its classes and the squared shift of its box relative to its size. free: objects of each image
    whose places are left out.
    """
    objects = BatchObjects.of(free, outputs[0])
    total = outputs[0].new_zeros(())
    for now, then, head, chosen in zip(outputs, given, heads, settings, strict=True):
        new, old = read_head(now, head, size), read_head(then, head, size)
        grid = (now.shape[2], now.shape[3])
        held = ~ignored_boxes(new.boxes, [_without_ignored(one) for one in free], chosen.ignore)
        held[assign_anchors(objects, head, heads, grid, size, chosen.also).places] = False
        total = total + (_moved(new, old) * held).sum() / len(free)
    return total


def _without_ignored(one: Targets) -> Targets:
    """The targets without ignored regions, which do not exempt a place from drift."""
    return replace(one, ignored=one.ignored[:0])


def _moved(new: HeadValues, old: HeadValues) -> Tensor:
    """(N, A, h, w) drift of each place."""
    sure = old.objectness.sigmoid()
    sides = (old.boxes[..., 2:] - old.boxes[..., :2]).clamp(min=1).repeat(1, 1, 1, 1, 2)
    boxes = ((new.boxes - old.boxes) / sides).square().sum(-1)
    classes = _divergence(new.classes, old.classes).sum(-1)
    return _divergence(new.objectness, old.objectness) + sure * (classes + boxes)


def _divergence(new: Tensor, old: Tensor) -> Tensor:
    """The Kullback-Leibler divergence of binary predictions, from their log-odds."""
    share = old.sigmoid()
    entropy = binary_cross_entropy_with_logits(old, share, reduction="none")
    return binary_cross_entropy_with_logits(new, share, reduction="none") - entropy
