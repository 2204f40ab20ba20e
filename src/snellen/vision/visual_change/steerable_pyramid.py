"""The steerable pyramid: an image as oriented bands, each an octave wide (Simoncelli and Freeman).

A first low-pass filter takes away what is finer than every band. On each level, filters of six
directions make the bands, and a second low-pass filter the next level, of which every second row
and column is kept. Its gain is 2, so that the energy of an image is about that of its bands and the
rests: coefficients of a level are twice as large as those of the level before. Two of the six
directions are made here, across and down, which the wavelet VIF uses.

The taps are those of the pyramid's authors ("sp5", with which the published VIF was computed), in
the pyramid toolbox of New York University's Laboratory for Computational Vision, MIT licence. Each
table has one quarter of a symmetric filter, the middle last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, F64

_FIRST_LOW = (
    (0.00341614, -0.01551246, -0.03848215),
    (-0.01551246, 0.05586982, 0.15925570),
    (-0.03848215, 0.15925570, 0.40304148),
)
_LOW = (
    (0.00170808, -0.00489834, -0.00775624, -0.01888864, -0.01924108),
    (-0.00489834, -0.01046562, -0.01322234, 0.00821200, 0.02005976),
    (-0.00775624, -0.01322234, 0.02793492, 0.06554076, 0.07962786),
    (-0.01888864, 0.00821200, 0.06554076, 0.12852666, 0.16339236),
    (-0.01924108, 0.02005976, 0.07962786, 0.16339236, 0.20193080),
)
_ACROSS = (
    (0.00277643, -0.00986904, -0.01021852, 0.0),
    (0.00496194, -0.00893064, -0.03075356, 0.0),
    (0.01026699, 0.01189859, -0.08226445, 0.0),
    (0.01455399, 0.02755155, -0.11732297, 0.0),
)


@dataclass(frozen=True)
class PyramidFilters:
    """The filters, each odd-sided; `across` responds to changes along x, its transpose to y."""

    first_low: F64
    low: F64
    across: F64


def pyramid_filters() -> PyramidFilters:
    """The filters in full.

    >>> filters = pyramid_filters()
    >>> round(float(filters.first_low.sum()), 2), round(float(filters.low.sum()), 2)
    (1.0, 2.0)
    """
    return PyramidFilters(_whole(_FIRST_LOW, 1), _whole(_LOW, 1), _whole(_ACROSS, -1))


def _whole(quarter: tuple[tuple[float, ...], ...], sign: int) -> F64:
    """The filter of a quarter; sign: -1 if the right half is the left one negated."""
    upper = np.array(quarter)
    half = np.concatenate([upper, upper[-2::-1]])
    return np.concatenate([half, sign * half[:, -2::-1]], axis=1)


_FILTERS = pyramid_filters()


def oriented_bands(plane: F32, levels: int) -> Iterator[F32]:
    """The bands of an image (H, W), one after the other: across and down, from the finest level on.

    Level k has ceil(H / 2^k) x ceil(W / 2^k) coefficients. Borders are mirrored, without repeating
    the pixel at the border.
    """
    low = _filtered(plane, _FILTERS.first_low)
    for level in range(levels):
        if level:
            low = np.ascontiguousarray(_filtered(low, _FILTERS.low)[::2, ::2])
        yield _filtered(low, _FILTERS.across)
        yield _filtered(low, _FILTERS.across.T)


def _filtered(plane: F32, taps: F64) -> F32:
    import cv2

    kernel = np.ascontiguousarray(taps, dtype=np.float32)
    found = cv2.filter2D(plane, cv2.CV_32F, kernel, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(found, dtype=np.float32)
