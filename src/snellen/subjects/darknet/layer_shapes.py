"""The output shape of each layer of a Darknet network: channels, height, width."""

from __future__ import annotations

from snellen.errors import UserError
from snellen.subjects.darknet.cfg_file import (
    Convolutional,
    DarknetModel,
    Layer,
    MaxPool,
    Route,
    Shortcut,
    Upsample,
    Yolo,
)

Shape = tuple[int, int, int]


def shapes_of(model: DarknetModel) -> list[Shape]:
    """(channels, height, width) of each layer's output, in order."""
    shapes: list[Shape] = []
    for index, layer in enumerate(model.layers):
        before = shapes[-1] if shapes else (model.channels, *model.size)
        try:
            shapes.append(_shape(layer, before, shapes))
        except ValueError as error:
            kind = type(layer).__name__.lower()
            raise UserError(
                f"{model.where}: layer {index} ([{kind}]): {error}. The input is {model.size[0]} x "
                f"{model.size[1]} (height x width); use multiples of 32."
            ) from None
    return shapes


def _shape(layer: Layer, before: Shape, shapes: list[Shape]) -> Shape:
    channels, height, width = before
    match layer:
        case Convolutional():
            if channels % layer.groups or layer.filters % layer.groups:
                raise ValueError(f"{channels} channels do not divide into {layer.groups} groups")
            reach = layer.dilation * (layer.size - 1) + 1 - 2 * layer.padding
            return layer.filters, *_window_size((height, width), reach, layer.stride)
        case MaxPool():
            return channels, *_window_size(
                (height, width), layer.size - layer.padding, layer.stride
            )
        case Upsample():
            return channels, height * layer.stride, width * layer.stride
        case Route():
            return _concatenated([shapes[one] for one in layer.layers], layer)
        case Shortcut():
            if any(shapes[one] != before for one in layer.layers):
                raise ValueError(f"adds layers of different shapes {before}, {layer.layers}")
            return before
        case Yolo():
            expected = len(layer.anchors) * (5 + layer.classes)
            if channels != expected:
                raise ValueError(
                    f"found {channels} filters in the previous layer, but {len(layer.anchors)} "
                    f"anchors and {layer.classes} classes need {expected}"
                )
            return before


def _window_size(size: tuple[int, int], reach: int, stride: int) -> tuple[int, int]:
    height, width = ((side - reach) // stride + 1 for side in size)
    if min(height, width) < 1:
        raise ValueError("the output is empty")
    return height, width


def _concatenated(parts: list[Shape], layer: Route) -> Shape:
    if len({part[1:] for part in parts}) > 1:
        raise ValueError(f"joins layers of different sizes {[part[1:] for part in parts]}")
    if any(part[0] % layer.groups for part in parts) or not 0 <= layer.group < layer.groups:
        raise ValueError(f"has no group {layer.group} of {layer.groups}")
    return sum(part[0] // layer.groups for part in parts), *parts[0][1:]
