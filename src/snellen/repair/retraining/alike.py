"""How alike whole pictures look: 64-bit perceptual hashes by their lowest frequencies.

A picture becomes 32 x 32 grey cells, these the 8 x 8 lowest frequencies of their cosine transform,
and each frequency one bit: above the median of all or not. Sizes, compression and light change a
few bits; other pictures differ in about half.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

CELLS, LOWEST = 32, 8
NEAR = 10
"""Bits of 64 in which near-duplicates differ at most."""
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)
_BITS = np.uint64(1) << np.arange(LOWEST * LOWEST - 1, -1, -1, dtype=np.uint64)


def picture_hash(pixels: Pixels) -> int:
    """The hash of a picture, H x W x 3 RGB.

    >>> ramp = np.repeat(np.arange(64, dtype=np.uint8)[None, :, None], 64, axis=0).repeat(3, axis=2)
    >>> (picture_hash(ramp) ^ picture_hash(ramp[::2, ::2] + 9)).bit_count() <= NEAR
    True
    """
    import cv2

    small = cv2.resize(pixels, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    waves = cv2.dct(small.astype(np.float32) @ _LUMA)[:LOWEST, :LOWEST].ravel()
    # The very first is the mean light of all, which tells nothing of the shapes.
    bits = waves > np.median(waves[1:])
    bits[0] = False
    return int((bits * _BITS).sum(dtype=np.uint64))


def near_pairs(ones: Hashes, others: Hashes, most: int = NEAR) -> list[tuple[int, int, int]]:
    """(place in `ones`, place in `others`, differing bits) of each near pair, the nearest first.

    >>> near_pairs(np.array([0b1111], np.uint64), np.array([0b1110, 2**40 - 1], np.uint64))
    [(0, 0, 1)]
    """
    found: list[tuple[int, int, int]] = []
    for place, one in enumerate(ones):
        bits = np.bitwise_count(others ^ one)
        found += [(place, int(near), int(bits[near])) for near in np.flatnonzero(bits <= most)]
    return sorted(found, key=lambda pair: (pair[2], pair[0], pair[1]))
