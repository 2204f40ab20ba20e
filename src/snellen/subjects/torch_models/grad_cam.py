"""Grad-CAM: which places of a layer's map speak for an object that a detector found.

Selvaraju et al., ICCV 2017: the channels of a layer are added up, each weighted by the mean
gradient of the score with respect to it, and what is negative is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from snellen.errors import UserError
from snellen.subjects.torch_models.naming import named_layer
from snellen.subjects.torch_models.trainable import TrainableDetector

Map = npt.NDArray[np.float32]


def grad_cam(
    detector: TrainableDetector,
    batch: Tensor,
    box: Sequence[float],
    label: int,
    layer: str | None = None,
) -> Map:
    """The heat map (h, w) at a layer's own resolution, the warmest place 1, or all 0.

    batch: one image, (1, 3, H, W) from 0 to 1. box: xyxy in network pixels. layer: the name of a
    submodule, whose output is looked at; None for what the last convolution before the score reads,
    of those that the score depends on. The parameters' own gradients are left alone.
    """
    with torch.enable_grad(), _watched(detector.module, layer) as seen:
        outputs = detector.outputs(batch.detach().clone().requires_grad_())
        place = torch.tensor([list(box)], dtype=batch.dtype, device=batch.device)
        score = detector.scores(outputs, place, label).sum()
        features, gradient = _found(score, seen, layer)
    weights = gradient.mean(dim=(2, 3), keepdim=True)
    heat = (weights * features).sum(dim=1)[0].clamp(min=0).detach().cpu().double().numpy()
    warmest = heat.max(initial=0.0)
    return np.asarray(heat / warmest if warmest > 0 else heat, dtype=np.float32)


@contextmanager
def _watched(module: nn.Module, layer: str | None) -> Iterator[list[Any]]:
    """While it lasts, what is looked at is added to a list whenever it runs."""
    seen: list[Any] = []
    if layer is None:
        convolutions = [part for part in module.modules() if isinstance(part, nn.Conv2d)]
        handles = [
            part.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
            for part in convolutions
        ]
    else:
        part = named_layer(module, layer, "explain")
        handles = [part.register_forward_hook(lambda *given: seen.append(given[-1]))]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()


def _found(score: Tensor, seen: list[Any], layer: str | None) -> tuple[Tensor, Tensor]:
    """(features, gradient), both (1, C, h, w), of the last that the score depends on.

    A named layer that it does not depend on, such as one of another head, has a gradient of 0.
    """
    maps = [one for one in seen if isinstance(one, Tensor) and one.ndim == 4]
    for features in reversed(maps if layer is None else maps[-1:]):
        [gradient] = torch.autograd.grad(score, features, retain_graph=True, allow_unused=True)
        if gradient is not None and bool(gradient.any()):
            return features, gradient
    if not maps:
        place = "no convolution ran" if layer is None else f"layer '{layer}' gave no (N, C, h, w)"
        raise UserError(
            f"subject.explain: {place}, so there is no map to explain an answer by. Name a layer "
            "whose output is a stack of maps, such as a convolution."
        )
    return maps[-1], torch.zeros_like(maps[-1])
