"""Grad-CAM and HiResCAM: which places of a layer's map speak for an object that a detector found.

Grad-CAM (Selvaraju et al., ICCV 2017) adds up a layer's channels, each weighted by the mean
gradient of the score with respect to it, and cuts off what is negative. The mean forgets which
object was asked about: for a detector the map shows all that looks like it. HiResCAM (Draelos and
Carin, 2020) weights each place by its own gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snellen.errors import UserError
from snellen.subjects.torch_models.named_layer import named_layer
from snellen.subjects.torch_models.trainable_detector import TrainableDetector
from snellen.vision.arrays import F32

MAX_STRIDE = 16
"""Network pixels a place of the map that local weighting looks at by default, at most."""


def grad_cam(
    detector: TrainableDetector,
    batch: Tensor,
    box: Sequence[float] | F32,
    label: int,
    *,
    layer: str | None = None,
    weighting: str = "local",
) -> F32:
    """The heat map (h, w) at a layer's own resolution, the warmest place 1, or all 0.

    batch: one image, (1, 3, H, W) from 0 to 1. box: xyxy in network pixels. layer: the name of a
    submodule, whose output is looked at; for None, see `_default_map`. weighting: `mean` for Grad-CAM,
    `local` for HiResCAM. The parameters' own gradients are left alone.
    """
    with torch.enable_grad(), _recorded(detector.module, layer) as seen:
        outputs = detector.outputs(batch.detach().clone().requires_grad_())
        place = torch.tensor([list(map(float, box))], dtype=batch.dtype, device=batch.device)
        score = detector.scores(outputs, place, label).sum()
        maps = [one for one in seen if isinstance(one, Tensor) and one.ndim == 4]
        _check(maps, layer)
        if layer is None:
            features, gradient = _default_map(score, maps, batch.shape[2], weighting)
        else:
            features, gradient = maps[-1], _gradient(score, maps[-1])
    weights = gradient.mean(dim=(2, 3), keepdim=True) if weighting == "mean" else gradient
    heat = (weights * features).sum(dim=1)[0].clamp(min=0).detach().cpu().double().numpy()
    warmest = heat.max(initial=0.0)
    return np.asarray(heat / warmest if warmest > 0 else heat, dtype=np.float32)


@contextmanager
def _recorded(module: nn.Module, layer: str | None) -> Iterator[list[Any]]:
    """While it lasts, a list grows by what the layer gives or, for None, convolutions are given."""
    seen: list[Any] = []
    if layer is None:
        convolutions = [part for part in module.modules() if isinstance(part, nn.Conv2d)]
        handles = [
            part.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
            for part in convolutions
        ]
    else:
        part = named_layer(module, layer, "explain.layer")
        handles = [part.register_forward_hook(lambda *given: seen.append(given[-1]))]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()


def _default_map(
    score: Tensor, maps: list[Tensor], height: int, weighting: str
) -> tuple[Tensor, Tensor]:
    """(features, gradient), both (1, C, h, w), of a late map that the score depends on.

    For Grad-CAM what the last convolution reads. That of a detector reads one place alone, so local
    weighting takes the last map which it depends on at several places, and which is fine enough.
    """
    if weighting == "mean":
        return _last(score, maps, lambda _: True)
    fine = [one for one in maps if one.shape[2] * MAX_STRIDE >= height]
    return _last(score, fine or maps, lambda one: int(one.any(dim=1).sum()) > 1)


def _last(
    score: Tensor, maps: list[Tensor], wanted: Callable[[Tensor], bool]
) -> tuple[Tensor, Tensor]:
    """The last map whose gradient is not 0 and is wanted; else the first map."""
    for features in reversed(maps):
        gradient = _gradient(score, features)
        if bool(gradient.any()) and wanted(gradient):
            return features, gradient
    return maps[0], _gradient(score, maps[0])


def _gradient(score: Tensor, features: Tensor) -> Tensor:
    """The gradient, 0 where the score does not depend on them, such as on those of another head."""
    [found] = torch.autograd.grad(score, features, retain_graph=True, allow_unused=True)
    return torch.zeros_like(features) if found is None else found


def _check(maps: list[Tensor], layer: str | None) -> None:
    if not maps:
        place = "no convolution ran" if layer is None else f"layer '{layer}' gave no (N, C, h, w)"
        raise UserError(
            f"subject.explain.layer: {place}, so there is no map to explain an answer by. Name a "
            "layer whose output is a stack of maps, such as a convolution."
        )
