"""Overlap of run-length masks, computed without decoding them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools, Ints, Ints32, Runs
from snellen.vision.masks.rle_masks import Masks


@dataclass(frozen=True, eq=False)
class MaskColumn:
    """N masks of one or several images, with their runs concatenated.

    runs: all run lengths, uint32. bounds: (N + 1,), where the runs of each mask begin.
    areas: (N,) pixels. boxes: (N, 4) xyxy pixels, tight.
    """

    runs: Runs
    bounds: Ints
    areas: Ints
    boxes: Ints

    @classmethod
    def of(cls, runs: Sequence[Runs], heights: Sequence[int]) -> MaskColumn:
        """A column of masks from their runs and the heights of their images."""
        from snellen.vision.masks.mask_kernels import areas_and_boxes

        bounds = np.zeros(len(runs) + 1, dtype=np.int64)
        np.cumsum([len(run) for run in runs], out=bounds[1:])
        flat = np.concatenate(runs).astype(np.uint32) if len(runs) else np.zeros(0, np.uint32)
        return cls(flat, bounds, *areas_and_boxes(flat, bounds, np.asarray(heights, np.int64)))

    @classmethod
    def of_masks(cls, masks: Masks) -> MaskColumn:
        """A column of masks of one image."""
        return cls.of(masks.runs, [masks.size[0]] * len(masks))


def pair_ious(
    masks: MaskColumn,
    others: MaskColumn,
    crowd: Bools,
    first: Ints32,
    starts: Ints,
) -> F64:
    """IoUs of each mask d with others first[d], first[d] + 1, ...; its pairs begin at starts[d]."""
    from snellen.vision.masks.mask_kernels import mask_pairs

    return mask_pairs(
        masks.runs,
        masks.bounds,
        masks.areas,
        masks.boxes,
        others.runs,
        others.bounds,
        others.areas,
        others.boxes,
        crowd,
        first,
        starts,
    )


def mask_iou(masks: Masks, others: Masks, *, crowd: npt.ArrayLike | None = None) -> F64:
    """Intersection over union of each pair of masks of one image, shape (N, M).

    crowd: (M,) bool, for which the intersection is divided by the area of `masks` alone, as in
    COCO.

    >>> left, top = np.zeros((2, 1, 4, 4), bool)
    >>> left[0, :, :2] = top[0, :2] = True
    >>> mask_iou(Masks.from_array(left), Masks.from_array(top)).round(3).tolist()
    [[0.333]]
    """
    if masks.size != others.size:
        raise ValueError(
            f"masks are of images of different sizes: {list(masks.size)}, {list(others.size)}"
        )
    count = len(others)
    flags = np.zeros(count, bool) if crowd is None else np.asarray(crowd, dtype=bool)
    first = np.zeros(len(masks), dtype=np.int32)
    starts = np.arange(len(masks) + 1, dtype=np.int64) * count
    columns = MaskColumn.of_masks(masks), MaskColumn.of_masks(others)
    return pair_ious(*columns, flags, first, starts).reshape(len(masks), count)
