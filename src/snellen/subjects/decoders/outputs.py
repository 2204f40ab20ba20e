"""A network's outputs for one image, and the settings of a decoder."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.vision.arrays import F32, AnyArray


@dataclass(frozen=True)
class DecoderSettings:
    """The settings of a decoder.

    size: (height, width) of the network's input in pixels. floor: scores below it may be dropped.
    classes: the number of classes, if the user or the model declares it. activation: `none`,
    `sigmoid` or `softmax` for the class scores, or None to infer it. anchors: (A, 4), or None to
    generate them. per_class: whether a box may have several classes. cell_offset: where a cell's
    reference point is, in cells from its top-left corner.
    """

    size: tuple[int, int]
    floor: float = 0.0
    classes: int | None = None
    activation: str | None = None
    anchors: F32 | None = None
    per_class: bool = False
    cell_offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Outputs:
    """The outputs for one image, in the model's order; leading axes of length 1 are ignored."""

    names: tuple[str, ...]
    arrays: tuple[AnyArray, ...]

    def named(self, *parts: str) -> AnyArray | None:
        """The only output whose name contains one of these parts, or None."""
        found = [
            array
            for name, array in zip(self.names, self.arrays, strict=True)
            if any(part in name.lower() for part in parts)
        ]
        return found[0] if len(found) == 1 else None

    def tables(self) -> list[AnyArray]:
        """The outputs that are tables, as 2-D arrays."""
        return [last_axes(array, 2) for array in self.arrays if rank(array) == 2]

    def volumes(self) -> list[AnyArray]:
        """The outputs that are stacks of maps, as 3-D arrays."""
        return [last_axes(array, 3) for array in self.arrays if rank(array) == 3]

    def __str__(self) -> str:
        pairs = zip(self.names, self.arrays, strict=True)
        return ", ".join(f"{name} {list(array.shape)}" for name, array in pairs)


def rank(array: AnyArray) -> int:
    """The number of axes without leading axes of length 1."""
    shape = list(array.shape)
    while shape and shape[0] == 1:
        shape.pop(0)
    return len(shape)


def last_axes(array: AnyArray, axes: int) -> AnyArray:
    """The array with only its last `axes` axes; those before must have length 1."""
    missing = max(0, axes - array.ndim)
    return array.reshape((1,) * missing + array.shape[max(0, array.ndim - axes) :])
