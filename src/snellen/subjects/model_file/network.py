"""A loaded network, whatever runs it: a tensor in, tensors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import AnyArray


@dataclass(frozen=True)
class NetworkInput:
    """The one input of a network.

    shape: as declared, None where it may vary. dtype: of its numbers. quantisation: (scale, zero
    point) where numbers stand for `(number - zero) * scale`, else None.
    """

    shape: tuple[int | None, ...]
    dtype: np.dtype[Any]
    quantisation: tuple[float, int] | None = None

    @property
    def channels_last(self) -> bool:
        """Whether the three channels come after height and width."""
        return self.shape[-1] == 3 and self.shape[-3] != 3

    @property
    def batch(self) -> int | None:
        """How many images a call takes; None for any number."""
        return self.shape[0] if len(self.shape) == 4 else 1

    @property
    def size(self) -> tuple[int | None, int | None]:
        """(height, width) in pixels, None where it may vary."""
        height, width = self.shape[-3:-1] if self.channels_last else self.shape[-2:]
        return height, width

    def tensor(self, images: Sequence[AnyArray]) -> AnyArray:
        """The tensor to run, from H x W x 3 images of equal size (already in its numbers)."""
        stacked = np.stack(images)
        if not self.channels_last:
            stacked = stacked.transpose(0, 3, 1, 2)
        if len(self.shape) == 3:
            stacked = stacked[0]
        return np.ascontiguousarray(self._quantised(stacked))

    def _quantised(self, numbers: AnyArray) -> AnyArray:
        if self.quantisation is None or numbers.dtype == self.dtype:
            return numbers.astype(self.dtype, copy=False)
        scale, zero = self.quantisation
        limits = np.iinfo(self.dtype)
        return np.clip(np.round(numbers / scale) + zero, limits.min, limits.max).astype(self.dtype)


def check_input(where: str, shapes: Mapping[str, Sequence[int | None]]) -> None:
    """Nothing, if there is one input and it is an image; else a `UserError`."""
    listed = ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())
    if len(shapes) != 1:
        raise UserError(
            f"{where}: the model has {len(shapes)} inputs ({listed}), expected one, the image. "
            "Export it with the image alone, or use `kind: python`."
        )
    [shape] = shapes.values()
    if len(shape) not in (3, 4) or 3 not in (shape[-1], shape[-3]):
        raise UserError(
            f"{where}: the model's input is {listed}, expected an image with 3 channels: "
            "[batch, 3, height, width] or [batch, height, width, 3]."
        )


class Network(Protocol):
    """What an adapter brings: the input, the outputs' names, and a way to run.

    runtime: what runs it, with its version. at_once: how many images it runs best together, if its
    input takes any number. metadata: what the exporter wrote into the file.
    """

    input: NetworkInput
    output_names: tuple[str, ...]
    runtime: str
    forward_batch: int
    metadata: Mapping[str, str]

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array for each output; quantised ones as real numbers."""

    def close(self) -> None:
        """Let go of the session."""
