"""Darknet's `.cfg`: the layers of a YOLOv3 or v4 network in order, checked.

Layers are counted from 0 without `[net]`; references to other layers are made absolute.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from snellen.errors import UserError
from snellen.subjects.darknet.cfg_sections import Section, read_sections

LONGEST_SIDE, MOST_PIXELS = 8192, 2**22
"""Of an input: of a side, and in all; a larger one would take gigabytes."""
ACTIVATIONS = ("linear", "leaky", "mish", "swish", "logistic", "relu")


@dataclass(frozen=True)
class Convolutional:
    """A convolution with normalisation and activation; padding is equal on all sides."""

    filters: int
    size: int
    stride: int
    padding: int
    dilation: int
    groups: int
    normalised: bool
    activation: str


@dataclass(frozen=True)
class MaxPool:
    """The maximum of size x size; padding is the sum of both sides, the smaller half first."""

    size: int
    stride: int
    padding: int


@dataclass(frozen=True)
class Route:
    """The concatenated channels of other layers, or of one group of each."""

    layers: tuple[int, ...]
    groups: int
    group: int


@dataclass(frozen=True)
class Shortcut:
    """The sum of the previous layer and other layers."""

    layers: tuple[int, ...]
    activation: str


@dataclass(frozen=True)
class Upsample:
    """Each value repeated stride x stride times."""

    stride: int


@dataclass(frozen=True)
class Yolo:
    """A detection head on the previous layer; anchors (width, height) in network pixels."""

    anchors: tuple[tuple[float, float], ...]
    classes: int
    scale: float
    new_coords: bool


Layer: TypeAlias = Convolutional | MaxPool | Route | Shortcut | Upsample | Yolo


@dataclass(frozen=True)
class DarknetModel:
    """A network: input channels and size (height, width), and its layers."""

    where: str
    channels: int
    size: tuple[int, int]
    layers: tuple[Layer, ...]

    @property
    def heads(self) -> tuple[Yolo, ...]:
        """The detection heads, in the order of the file."""
        return tuple(layer for layer in self.layers if isinstance(layer, Yolo))


def read_cfg(path: Path) -> DarknetModel:
    """The network that a `.cfg` file describes."""
    net, *sections = read_sections(path)
    if net.kind not in ("net", "network"):
        raise UserError(
            f"{net.place}: found [{net.kind}], expected [net] as the first section of a Darknet cfg"
        )
    _check_kinds(path, sections)
    layers = tuple(
        LAYER_READERS[section.kind](section, index) for index, section in enumerate(sections)
    )
    height, width = (net.whole(side, 416, high=LONGEST_SIDE) for side in ("height", "width"))
    if height * width > MOST_PIXELS:
        raise UserError(
            f"{net.place}: [{net.kind}] height, width: found {height} x {width}, expected at most "
            f"{MOST_PIXELS:,} pixels"
        )
    return DarknetModel(str(path), net.whole("channels", 3), (height, width), layers)


def _check_kinds(path: Path, sections: list[Section]) -> None:
    if not any(section.kind == "yolo" for section in sections):
        raise UserError(
            f"{path}: found no [yolo] layer, expected a YOLOv3 or v4 detector. Classifiers and "
            "YOLOv1/v2 ([detection], [region]) are not supported; use `kind: python` for those."
        )
    for section in sections:
        if section.kind not in LAYER_READERS:
            raise UserError(
                f"{section.place}: unknown layer [{section.kind}], expected one of "
                f"{', '.join(LAYER_READERS)}. Use `kind: python` for other networks."
            )


def _convolutional(section: Section, index: int) -> Layer:  # noqa: ARG001
    size = section.whole("size", 1)
    padding = size // 2 if section.whole("pad", 0, 0) else section.whole("padding", 0, 0)
    return Convolutional(
        filters=section.whole("filters", 1),
        size=size,
        stride=section.whole("stride", 1),
        padding=padding,
        dilation=section.whole("dilation", 1),
        groups=section.whole("groups", 1),
        normalised=bool(section.whole("batch_normalize", 0, 0)),
        activation=section.one_of("activation", "logistic", ACTIVATIONS),
    )


def _maxpool(section: Section, index: int) -> Layer:  # noqa: ARG001
    stride = section.whole("stride", 1)
    size = section.whole("size", stride)
    return MaxPool(size, stride, section.whole("padding", size - 1, 0))


def _route(section: Section, index: int) -> Layer:
    layers = section.layers("layers", index)
    return Route(layers, section.whole("groups", 1), section.whole("group_id", 0, 0))


def _shortcut(section: Section, index: int) -> Layer:
    activation = section.one_of("activation", "linear", ACTIVATIONS)
    return Shortcut(section.layers("from", index), activation)


def _upsample(section: Section, index: int) -> Layer:  # noqa: ARG001
    return Upsample(section.whole("stride", 2))


def _yolo(section: Section, index: int) -> Layer:  # noqa: ARG001
    numbers = section.numbers("anchors")
    pairs = list(zip(numbers[0::2], numbers[1::2], strict=False))
    chosen = section.wholes("mask") or tuple(range(len(pairs)))
    if not pairs or not 0 <= min(chosen) <= max(chosen) < len(pairs):
        raise UserError(
            f"{section.place}: [yolo] anchors: found {len(pairs)}, but mask {list(chosen)} needs "
            f"{max(chosen, default=0) + 1}"
        )
    return Yolo(
        anchors=tuple(pairs[number] for number in chosen),
        classes=section.whole("classes", 20),
        scale=section.number("scale_x_y", 1.0),
        new_coords=bool(section.whole("new_coords", 0, 0)),
    )


LAYER_READERS = {
    "convolutional": _convolutional,
    "maxpool": _maxpool,
    "route": _route,
    "shortcut": _shortcut,
    "upsample": _upsample,
    "yolo": _yolo,
}
