"""Near-duplicate pictures of two sets, by the differing bits of their perceptual hashes."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import UInts64

NEAR = 10
"""Most differing bits (of 64) of near-duplicates. Among 192 photographs of COCO the closest pair
differs in 16; a recompressed, halved or brightened copy in at most 6, one cropped by 2% in 14."""


def near_pairs(ones: UInts64, others: UInts64, most: int = NEAR) -> list[tuple[int, int, int]]:
    """(index in `ones`, index in `others`, differing bits) of each near pair, nearest first.

    >>> near_pairs(np.array([0b1111], np.uint64), np.array([0b1110, 2**40 - 1], np.uint64))
    [(0, 0, 1)]
    """
    found: list[tuple[int, int, int]] = []
    for place, one in enumerate(ones):
        bits = np.bitwise_count(others ^ one)
        found += [(place, int(near), int(bits[near])) for near in np.flatnonzero(bits <= most)]
    return sorted(found, key=lambda pair: (pair[2], pair[0], pair[1]))
