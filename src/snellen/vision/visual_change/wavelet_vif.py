"""Visual information fidelity on the bands of a steerable pyramid (Sheikh and Bovik, 2006).

The reference is a Gaussian scale mixture: in every 3 x 3 block of a band, a vector with a fixed
covariance times a local scale s^2. Distortion is a local gain and noise; the eye adds noise of its
own. VIF is the information that the eye gets of the reference from the distorted image, as a share
of what it gets from the reference. Two directions at four levels are used, across and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F32, F64, AnyArray
from snellen.vision.visual_change.grey_planes import grey
from snellen.vision.visual_change.steerable_pyramid import oriented_bands
from snellen.vision.visual_change.vif import InformationReference, checked_sigma_nsq

SIGMA_NSQ = 0.4
"""Variance of the noise of the eye in the published implementation."""
BLOCK = 3
WINDOWS = (17, 9, 5, 3)
"""Coefficients per side of the window for gain and noise, from the finest level on."""
_NEGLIGIBLE = 1e-10


def fewest_coefficients(window: int) -> int:
    """The coefficients per side of a band that leave one block with a complete window.

    >>> [fewest_coefficients(window) for window in WINDOWS]
    [21, 15, 9, 9]
    """
    return BLOCK * (2 * _border(window) + 1)


def level_count(height: int, width: int) -> int:
    """How many levels fit an image: up to four, 0 below 21 pixels per side."""
    sides = (-(-min(height, width) // 2**level) for level in range(len(WINDOWS)))
    fits = [
        side >= fewest_coefficients(window) for side, window in zip(sides, WINDOWS, strict=True)
    ]
    return fits.index(False) if False in fits else len(fits)


@dataclass(frozen=True, eq=False)
class ReferenceBand:
    """A band of the reference, with all that depends on it alone, for the R x C blocks used.

    scale: (R, C) the field s^2. eigenvalues: (9,) of the covariance. means, squares: (R, C) sums
    over windows, the latter about the mean.
    """

    band: F32
    window: int
    scale: F64
    eigenvalues: F64
    means: F64
    squares: F64


class WaveletVifReference(InformationReference):
    """A reference image; its decomposition is computed once.

    sigma_nsq: variance of the noise of the eye. An image of at least 65 pixels per side has all
    four levels; a smaller one those that fit. Below 21 pixels there is none, which is an error.

    >>> stripes = np.tile(np.uint8([0, 0, 200, 200]), (64, 16))
    >>> WaveletVifReference(stripes).vif(stripes)
    1.0
    """

    def __init__(self, image: AnyArray, sigma_nsq: float = SIGMA_NSQ) -> None:
        self.sigma_nsq = checked_sigma_nsq(sigma_nsq)
        self.plane = grey(image)
        height, width = self.plane.shape
        self.levels = level_count(height, width)
        if not self.levels:
            least = fewest_coefficients(WINDOWS[0])
            raise UserError(
                f"the image is {width} x {height} pixels; vifvec needs at least {least} x {least}. "
                "Leave it out, or choose another measure."
            )

    @cached_property
    def bands(self) -> tuple[ReferenceBand, ...]:
        """The bands of the reference, those of the finest level first."""
        found = oriented_bands(self.plane.astype(np.float32), self.levels)
        windows = np.repeat(WINDOWS, 2).tolist()
        return tuple(reference_band(*pair) for pair in zip(found, windows, strict=False))

    @cached_property
    def information(self) -> float:
        """The visual information of the reference, in nats."""
        from snellen.vision.visual_change.wavelet_kernels import whole_information

        return sum(
            whole_information(one.scale, one.eigenvalues, self.sigma_nsq) for one in self.bands
        )

    def _preserved(self, plane: F64) -> float:
        from snellen.vision.visual_change.wavelet_kernels import kept_information

        total = 0.0
        bands = oriented_bands(plane.astype(np.float32), self.levels)
        for one, band in zip(self.bands, bands, strict=True):
            sums = _sums(one.band, band, one.window)
            total += kept_information(
                one.scale, one.means, one.squares, sums, one.window, one.eigenvalues, self.sigma_nsq
            )
        return total


def reference_band(band: F32, window: int) -> ReferenceBand:
    """What is needed of a reference's band, (H, W)."""
    sums = _sums(band, band, window)
    squares = np.maximum(sums[1] - sums[0] ** 2 / window**2, 0.0)
    scale, eigenvalues = mixture(band)
    inner = slice(_border(window), -_border(window))
    fields = np.ascontiguousarray(scale[inner, inner])
    return ReferenceBand(band, window, fields, eigenvalues, sums[0], squares)


def mixture(band: F32) -> tuple[F64, F64]:
    """The scale s^2 of every block, and the eigenvalues of the covariance of a 3 x 3 vector.

    The covariance is that of all blocks, overlapping ones included; the scale of a vector x is
    x' C^-1 x / 9. Directions without variance have neither.
    """
    from snellen.vision.visual_change.wavelet_kernels import block_forms

    rows, columns = (side // BLOCK for side in band.shape)
    eigenvalues, axes = np.linalg.eigh(block_covariance(band))
    used = eigenvalues > max(_NEGLIGIBLE * eigenvalues[-1], 1e-12)
    inverse = (axes[:, used] / eigenvalues[used]) @ axes[:, used].T / BLOCK**2
    scale = np.empty((rows, columns))
    block_forms(band, np.ascontiguousarray(inverse), scale)
    return scale, np.where(used, eigenvalues, 0.0)


def block_covariance(band: F32) -> F64:
    """(9, 9) the covariance of the places of a 3 x 3 block, overlapping ones included.

    A rest of less than a block at the right and at the bottom does not count.
    """
    from snellen.vision.visual_change.wavelet_kernels import block_products

    height, width = (side // BLOCK * BLOCK for side in band.shape)
    rows, columns = height - BLOCK + 1, width - BLOCK + 1
    products = np.empty((BLOCK**2, BLOCK**2))
    block_products(band, BLOCK, height, width, products)
    lines = [
        band[:height, left : left + columns].sum(axis=1, dtype=np.float64) for left in range(BLOCK)
    ]
    sums = np.array([line[top : top + rows].sum() for top in range(BLOCK) for line in lines])
    count = rows * columns
    return np.asarray(products / count - np.outer(sums, sums) / count**2)


def _sums(first: F32, second: F32, window: int) -> F64:
    """(3, R, C) the sums over the windows around the middles of the blocks used."""
    from snellen.vision.visual_change.wavelet_kernels import window_sums

    rows, columns = (side // BLOCK - 2 * _border(window) for side in second.shape)
    out = np.empty((3, rows, columns))
    window_sums(first, second, window, BLOCK * _border(window) + BLOCK // 2, BLOCK, out)
    return out


def _border(window: int) -> int:
    """Blocks left out at each side, so that every window is complete."""
    return -(-(window // 2) // BLOCK)
