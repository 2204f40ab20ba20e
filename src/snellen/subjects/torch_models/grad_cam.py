"""Grad-CAM and HiResCAM: which places of a feature map support a detection.

Grad-CAM (Selvaraju et al., ICCV 2017) sums a layer's channels, each weighted by the mean gradient
of the score with respect to it, and drops negative values. The mean loses the location: for a
detector the map shows all similar objects. HiResCAM (Draelos and Carin, 2020) weights each place by
its own gradient.
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
"""Largest stride, in network pixels, of the default map for local weighting."""


def grad_cam(
    detector: TrainableDetector,
    batch: Tensor,
    box: Sequence[float] | F32,
    label: int,
    *,
    layer: str | None = None,
    weighting: str = "local",
) -> F32:
    """The heat map (h, w) at a layer's resolution, with maximum 1, or all 0.

    batch: one image, (1, 3, H, W) from 0 to 1. box: xyxy in network pixels. layer: the name of the
    submodule whose output is explained; for None, see `_default_map`. weighting: `mean` for
    Grad-CAM, `local` for HiResCAM. The gradients of the parameters are not touched.
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
    """A context that records the layer's outputs or, for None, the inputs of all convolutions."""
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

    For Grad-CAM it is the input of the last convolution. In a detector the score depends on a
    single place of that map, so local weighting uses the last map of sufficient resolution on which
    the score depends at several places.
    """
    if weighting == "mean":
        return _last(score, maps, lambda _: True)
    fine = [one for one in maps if one.shape[2] * MAX_STRIDE >= height]
    return _last(score, fine or maps, lambda one: int(one.any(dim=1).sum()) > 1)


def _last(
    score: Tensor, maps: list[Tensor], wanted: Callable[[Tensor], bool]
) -> tuple[Tensor, Tensor]:
    """The last map whose gradient is not zero and is accepted by `wanted`; else the first map."""
    for features in reversed(maps):
        gradient = _gradient(score, features)
        if bool(gradient.any()) and wanted(gradient):
            return features, gradient
    return maps[0], _gradient(score, maps[0])


def _gradient(score: Tensor, features: Tensor) -> Tensor:
    """The gradient, 0 if the score does not depend on the features, as for another head."""
    [found] = torch.autograd.grad(score, features, retain_graph=True, allow_unused=True)
    return torch.zeros_like(features) if found is None else found


def _check(maps: list[Tensor], layer: str | None) -> None:
    if not maps:
        place = (
            "no convolution ran" if layer is None else f"layer '{layer}' has no output (N, C, h, w)"
        )
        raise UserError(
            f"subject.explain.layer: {place}, so there is no feature map. Name a layer with an "
            "output (N, C, h, w), such as a convolution."
        )
