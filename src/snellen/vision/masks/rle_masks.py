"""Masks as COCO run lengths: small to store, cheap to send, exact to compare.

The encoding counts pixels column by column (Fortran order), starting with the number of zeros, as
in COCO; so both of COCO's formats (a list of counts, or a compressed string) convert without loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.errors.excerpt import shown
from snellen.vision.arrays import Bools, Boxes, Ints
from snellen.vision.arrays import Runs as Runs
from snellen.vision.masks.run_lengths import compress, decompress, runs_of


@dataclass(frozen=True, eq=False)
class Masks:
    """N masks of one image, each as run lengths.

    size: (height, width) in pixels. runs: N arrays of uint32 run lengths, zeros first,
    column-major.

    >>> masks = Masks.from_array(np.eye(3, dtype=bool)[None])
    >>> masks.areas().tolist(), masks[0:0].to_array().shape
    ([3], (0, 3, 3))
    """

    size: tuple[int, int]
    runs: tuple[Runs, ...]

    @classmethod
    def empty(cls, size: tuple[int, int]) -> Masks:
        """No masks, for an image of this size."""
        return cls(size, ())

    @classmethod
    def from_array(cls, masks: npt.ArrayLike) -> Masks:
        """The masks of an N x H x W boolean array."""
        array = np.asarray(masks, dtype=bool)
        if array.ndim != 3:
            raise ValueError(f"masks must have shape (N, H, W), found {array.shape}")
        return cls((array.shape[1], array.shape[2]), tuple(runs_of(mask) for mask in array))

    @classmethod
    def from_coco(cls, encoded: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> Masks:
        """The masks of COCO dictionaries with `size` and `counts` (a list, a string or bytes)."""
        runs = []
        for one in encoded:
            if tuple(one["size"]) != tuple(size):
                raise ValueError(f"a mask has size {shown(one['size'])}, the image {list(size)}")
            counts = one["counts"]
            if isinstance(counts, str | bytes):
                counts = decompress(counts)
            run = np.asarray(counts, dtype=np.uint32)
            if run.ndim != 1:
                raise ValueError(
                    f"the counts of a mask must be a list of numbers, found {run.ndim}-D"
                )
            total, pixels = int(run.sum()), size[0] * size[1]
            if total != pixels:
                raise ValueError(
                    f"the counts of a mask add up to {total}, the image has {pixels} pixels"
                )
            runs.append(run)
        return cls(size, tuple(runs))

    def to_array(self) -> Bools:
        """The masks as an N x H x W boolean array."""
        height, width = self.size
        out = np.zeros((len(self.runs), width * height), dtype=bool)
        for row, run in zip(out, self.runs, strict=True):
            values = np.zeros(len(run), dtype=bool)
            values[1::2] = True
            row[:] = np.repeat(values, run)
        return out.reshape(-1, width, height).transpose(0, 2, 1)

    def to_coco(self) -> list[dict[str, Any]]:
        """The masks as COCO dictionaries with compressed counts, as pycocotools writes them."""
        return [{"size": list(self.size), "counts": compress(run)} for run in self.runs]

    def areas(self) -> Ints:
        """Number of pixels of each mask, shape (N,)."""
        return np.array([int(run[1::2].sum()) for run in self.runs], dtype=np.int64)

    def boxes(self) -> Boxes:
        """Tight boxes, (N, 4) xyxy pixels, half-open; 0 0 0 0 for an empty mask.

        >>> Masks.from_array(np.eye(3, dtype=bool)[None]).boxes().tolist()
        [[0.0, 0.0, 3.0, 3.0]]
        """
        from snellen.vision.masks.mask_overlap import MaskColumn

        return MaskColumn.of_masks(self).boxes.astype(np.float32)

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Masks]:
        return (Masks(self.size, (run,)) for run in self.runs)

    def __getitem__(self, index: Any) -> Masks:
        """The masks that an integer, slice, index array or boolean array selects."""
        chosen = np.atleast_1d(np.arange(len(self.runs))[index])
        return Masks(self.size, tuple(self.runs[i] for i in chosen))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Masks)
            and self.size == other.size
            and len(self) == len(other)
            and all(np.array_equal(a, b) for a, b in zip(self.runs, other.runs, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]
