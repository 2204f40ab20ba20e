"""The architecture of the network: layers, cells and classes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

HEIGHT, WIDTH = 192, 640
STRIDES = (8, 16, 32)
KINDS = ("Car", "Van", "Pedestrian", "Cyclist")
MIDDLE = 40
"""Channels of the head and of its inputs."""


class ConvolutionLayer(NamedTuple):
    """A 3x3 convolution. added: with a residual connection. given: its output feeds the head."""

    inputs: int
    outputs: int
    stride: int = 1
    added: bool = False
    given: bool = False


TRUNK = (
    ConvolutionLayer(3, 16, 2),
    ConvolutionLayer(16, 24, 2),
    ConvolutionLayer(24, 40, 2),
    ConvolutionLayer(40, 40, added=True),
    ConvolutionLayer(40, 40, added=True, given=True),
    ConvolutionLayer(40, 48, 2),
    ConvolutionLayer(48, 48, added=True, given=True),
    ConvolutionLayer(48, 56, 2),
    ConvolutionLayer(56, 56, added=True, given=True),
)
SIDES = tuple(layer.outputs for layer in TRUNK if layer.given)
HEAD = (ConvolutionLayer(MIDDLE, MIDDLE), ConvolutionLayer(MIDDLE, MIDDLE))
OUTPUTS = 4 + len(KINDS)


@lru_cache(maxsize=1)
def cells() -> npt.NDArray[np.float32]:
    """(A, 3) x and y of each cell's centre in pixels, and its stride; finest level first."""
    found = []
    for stride in STRIDES:
        rows, columns = HEIGHT // stride, WIDTH // stride
        y, x = np.divmod(np.arange(rows * columns), columns)
        found.append(np.stack([x + 0.5, y + 0.5, np.ones(len(x))], axis=1) * stride)
    return np.concatenate(found).astype(np.float32)
