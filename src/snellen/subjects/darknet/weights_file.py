"""Darknet's `.weights`: a header, then float32 numbers layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.subjects.darknet.cfg_file import Convolutional, DarknetModel
from snellen.subjects.darknet.layer_shapes import shapes_of
from snellen.vision.arrays import F32

VARIANCE_FLOOR = 1e-6
HEADER = (0, 2, 5)
"""The version of the written format, with 8 bytes for the number of images seen."""


@dataclass(frozen=True, eq=False)
class Kernel:
    """The weights of a convolution.

    kernel: (filters, channels / groups, size, size). bias: (filters,). scale, mean, variance:
    (filters,) of the normalisation, or None without one.
    """

    kernel: F32
    bias: F32
    scale: F32 | None = None
    mean: F32 | None = None
    variance: F32 | None = None

    def folded(self) -> tuple[F32, F32]:
        """(kernel, bias) of the convolution with the normalisation folded in."""
        if self.scale is None or self.mean is None or self.variance is None:
            return self.kernel, self.bias
        gain = self.scale / np.sqrt(self.variance.astype(np.float64) + VARIANCE_FLOOR)
        kernel = self.kernel * gain[:, None, None, None]
        bias = self.bias - self.mean * gain
        return kernel.astype(np.float32), bias.astype(np.float32)


def read_weights(path: Path, model: DarknetModel) -> dict[int, Kernel]:
    """The kernels by layer index; the file must have exactly the model's number of weights."""
    numbers = _numbers(path)
    needed = sum(sum(_lengths(layer, channels)) for _, layer, channels in _convolutions(model))
    if len(numbers) != needed:
        cause = "truncated, or belongs" if len(numbers) < needed else "damaged, or belongs"
        raise UserError(
            f"{path}: found {len(numbers)} numbers, but {model.where} needs {needed}: the file is "
            f"{cause} to another cfg. Download it again, or give the cfg it was trained with."
        )
    kernels, start = {}, 0
    for index, layer, channels in _convolutions(model):
        lengths = _lengths(layer, channels)
        parts = np.split(numbers[start : start + sum(lengths)], np.cumsum(lengths)[:-1])
        kernel = parts[-1].reshape(layer.filters, channels // layer.groups, layer.size, layer.size)
        kernels[index] = Kernel(kernel, *parts[:-1])
        start += sum(lengths)
    return kernels


def weights_bytes(kernels: Mapping[int, Kernel], model: DarknetModel, seen: int = 0) -> bytes:
    """The bytes of a `.weights` file with these kernels. seen: number of training images."""
    header = np.array(HEADER, dtype="<i4").tobytes() + np.array([seen], dtype="<i8").tobytes()
    parts = [header]
    for index, layer, channels in _convolutions(model):
        one = kernels[index]
        norm = (one.scale, one.mean, one.variance) if layer.normalised else ()
        numbers = [one.bias, *norm, one.kernel]
        lengths = [0 if part is None else part.size for part in numbers]
        if lengths != _lengths(layer, channels):
            raise ValueError(f"layer {index}: arrays of {lengths} numbers do not fit {layer}")
        parts += [np.ascontiguousarray(part, dtype="<f4").tobytes() for part in numbers]
    return b"".join(parts)


def write_weights(
    path: Path, kernels: Mapping[int, Kernel], model: DarknetModel, seen: int = 0
) -> None:
    """Write a `.weights` file with these kernels by layer index, readable by `read_weights`."""
    write_atomically(path, weights_bytes(kernels, model, seen))


def _numbers(path: Path) -> F32:
    """All numbers after the header: three int32 of the version, and images seen (4 or 8 bytes)."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read: {error.strerror}. Check the file and its permissions."
        ) from None
    if len(data) < 20:
        raise UserError(
            f"{path}: found {len(data)} bytes, expected at least 20 of Darknet weights. "
            "Download it again."
        )
    major, minor, _ = np.frombuffer(data, dtype="<i4", count=3)
    start = 20 if major * 10 + minor >= 2 else 16
    whole = (len(data) - start) // 4
    return np.frombuffer(data, dtype="<f4", offset=start, count=whole).astype(np.float32)


def _convolutions(model: DarknetModel) -> list[tuple[int, Convolutional, int]]:
    """(index, layer, input channels) of each convolution."""
    shapes = [(model.channels, *model.size), *shapes_of(model)]
    return [
        (index, layer, shapes[index][0])
        for index, layer in enumerate(model.layers)
        if isinstance(layer, Convolutional)
    ]


def _lengths(layer: Convolutional, channels: int) -> list[int]:
    """The length of each array of a `Kernel`, in the file's order, kernel last."""
    kernel = layer.filters * (channels // layer.groups) * layer.size**2
    return [layer.filters] * (4 if layer.normalised else 1) + [kernel]
