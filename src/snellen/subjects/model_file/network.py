"""A loaded network, independent of its runtime: a tensor in, tensors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import AnyArray


@dataclass(frozen=True)
class NetworkInput:
    """The only input of a network.

    shape: as declared, None for a variable side. dtype: of its elements. quantisation: (scale, zero
    point) if elements represent `(element - zero) * scale`, else None.
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
        """The number of images per call; None for any number."""
        return self.shape[0] if len(self.shape) == 4 else 1

    @property
    def size(self) -> tuple[int | None, int | None]:
        """(height, width) in pixels, None for a variable side."""
        height, width = self.shape[-3:-1] if self.channels_last else self.shape[-2:]
        return height, width

    def tensor(self, images: Sequence[AnyArray]) -> AnyArray:
        """The input tensor of preprocessed H x W x 3 images of equal size."""
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
    """Raise a `UserError` unless there is exactly one input and it is an image."""
    listed = ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())
    if len(shapes) != 1:
        raise UserError(
            f"{where}: the model has {len(shapes)} inputs ({listed}), expected only the image. "
            "Export it with one input, or use `kind: python`."
        )
    [shape] = shapes.values()
    if len(shape) not in (3, 4) or 3 not in (shape[-1], shape[-3]):
        raise UserError(
            f"{where}: the model's input is {listed}, expected an image with 3 channels: "
            "[batch, 3, height, width] or [batch, height, width, 3]. Export it so, or use "
            "`kind: python`."
        )


class Network(Protocol):
    """The interface between an adapter's runtime and `ModelSubject`.

    runtime: name and version of the runtime. forward_batch: the preferred number of images per
    forward pass, if the input takes any number. metadata: as written by the exporter.
    """

    input: NetworkInput
    output_names: tuple[str, ...]
    runtime: str
    forward_batch: int
    metadata: Mapping[str, str]

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array per output, dequantised."""

    def close(self) -> None:
        """Release the session."""
