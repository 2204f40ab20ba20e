"""The layers of a Darknet network as torch modules."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from snellen.subjects.darknet.cfg_file import (
    Convolutional,
    Layer,
    MaxPool,
    Route,
    Shortcut,
    Upsample,
)
from snellen.subjects.darknet.onnx_graph import LEAK
from snellen.subjects.darknet.weights_file import VARIANCE_FLOOR, Kernel

MOMENTUM = 0.01
"""Momentum of the running mean and variance, as in Darknet."""


class _UninitialisedConv(nn.Conv2d):  # type: ignore[misc]
    """A convolution without random initialisation, because its weights are loaded next."""

    def reset_parameters(self) -> None:
        """Do nothing."""


class Convolution(nn.Module):  # type: ignore[misc]
    """A convolution with optional normalisation, and its activation."""

    def __init__(self, layer: Convolutional, numbers: Kernel) -> None:
        super().__init__()
        filters, channels = numbers.kernel.shape[:2]
        self.convolution = _UninitialisedConv(
            channels * layer.groups,
            filters,
            layer.size,
            layer.stride,
            layer.padding,
            layer.dilation,
            layer.groups,
            bias=not layer.normalised,
        )
        self.normalisation = (
            nn.BatchNorm2d(filters, eps=VARIANCE_FLOOR, momentum=MOMENTUM)
            if layer.normalised
            else nn.Identity()
        )
        self.activation = activation(layer.activation)
        self.load(numbers)

    def load(self, numbers: Kernel) -> None:
        """Load the weights of a kernel."""
        pairs = {
            "convolution.weight": numbers.kernel,
            "normalisation.weight": numbers.scale,
            "normalisation.running_mean": numbers.mean,
            "normalisation.running_var": numbers.variance,
        }
        pairs["convolution.bias" if numbers.scale is None else "normalisation.bias"] = numbers.bias
        found = {name: torch.tensor(value) for name, value in pairs.items() if value is not None}
        missing, unknown = self.load_state_dict(found, strict=False)
        assert not unknown
        assert set(missing) <= {"normalisation.num_batches_tracked"}

    def kernel(self) -> Kernel:
        """The weights as in Darknet's file."""
        weight = _array(self.convolution.weight)
        if isinstance(self.normalisation, nn.Identity):
            return Kernel(weight, _array(self.convolution.bias))
        norm = self.normalisation
        parts = (norm.bias, norm.weight, norm.running_mean, norm.running_var)
        return Kernel(weight, *map(_array, parts))

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, filters, h, w) from (N, channels, H, W)."""
        return self.activation(self.normalisation(self.convolution(before)))


class Pool(nn.Module):  # type: ignore[misc]
    """The maximum of each window; Darknet pads the smaller half first, the rest at the end."""

    def __init__(self, layer: MaxPool) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, channels, h, w) from (N, channels, H, W)."""
        top, bottom = self._padding(before.shape[2])
        left, right = self._padding(before.shape[3])
        if top + bottom + left + right:
            before = functional.pad(before, (left, right, top, bottom), value=float("-inf"))
        return functional.max_pool2d(before, self.layer.size, self.layer.stride)

    def _padding(self, side: int) -> tuple[int, int]:
        size, stride, both = self.layer.size, self.layer.stride, self.layer.padding
        first = both // 2
        last = (side - size + both) // stride * stride + size - side - first
        return first, max(0, last)


class Join(nn.Module):  # type: ignore[misc]
    """The concatenated channels of other layers, or of one group of each."""

    def __init__(self, layer: Route) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, all chosen channels, H, W)."""
        groups, group = self.layer.groups, self.layer.group
        parts = [other.chunk(groups, 1)[group] for other in others] if groups > 1 else others
        return parts[0] if len(parts) == 1 else torch.cat(parts, 1)


class Residual(nn.Module):  # type: ignore[misc]
    """The sum of the previous layer and others, with activation."""

    def __init__(self, layer: Shortcut) -> None:
        super().__init__()
        self.activation = activation(layer.activation)

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, channels, H, W), like each of its terms."""
        return self.activation(sum(others, before))


class UpsampleLayer(nn.Module):  # type: ignore[misc]
    """Nearest-neighbour upsampling."""

    def __init__(self, layer: Upsample) -> None:
        super().__init__()
        self.stride = layer.stride

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, channels, H * stride, W * stride)."""
        return functional.interpolate(before, scale_factor=float(self.stride), mode="nearest")


class Head(nn.Module):  # type: ignore[misc]
    """The input of a `[yolo]` layer, unchanged."""

    def forward(self, before: Tensor, others: list[Tensor]) -> Tensor:
        """(N, A * (5 + C), h, w)."""
        return before


def module_of(layer: Layer, numbers: Kernel | None) -> nn.Module:
    """The module of one layer. numbers: the weights of a convolution."""
    match layer:
        case Convolutional():
            assert numbers is not None
            return Convolution(layer, numbers)
        case MaxPool():
            return Pool(layer)
        case Route():
            return Join(layer)
        case Shortcut():
            return Residual(layer)
        case Upsample():
            return UpsampleLayer(layer)
        case _:
            return Head()


def activation(name: str) -> nn.Module:
    """The module of an activation by Darknet's name."""
    modules = {
        "leaky": lambda: nn.LeakyReLU(LEAK),
        "logistic": nn.Sigmoid,
        "relu": nn.ReLU,
        "swish": nn.SiLU,
        "mish": nn.Mish,
    }
    return modules.get(name, nn.Identity)()


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().copy()
