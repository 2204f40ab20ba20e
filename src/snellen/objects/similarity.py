"""Similarity of objects: 64-bit average hashes and distances between them.

The hash shrinks an object to 8 x 8 cells of mean grey; a bit is set if its cell is brighter than
the mean of the object. Rows run from top to bottom, and the first cell is the highest bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32, Bytes, Image, Ints, UInts64

SIDE = 8
_BITS = np.uint64(1) << np.arange(SIDE * SIDE - 1, -1, -1, dtype=np.uint64)
_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)
_EMPTY = 1e-3


def average_hash(pixels: Bytes) -> int:
    """The hash of one object, H x W x 3 RGB or H x W x 4 RGBA.

    >>> half = np.zeros((16, 16, 3), np.uint8)
    >>> half[:8] = 200
    >>> f"{average_hash(half):016x}"
    'ffffffff00000000'
    """
    return int(average_hashes([pixels])[0])


def average_hashes(crops: Sequence[Bytes]) -> UInts64:
    """(N,) the hashes of N objects, each H x W x 3 RGB or H x W x 4 RGBA of any size.

    Pixels are weighted by opacity, so that colours of transparent pixels do not matter; the bit of
    a fully transparent cell is zero.
    """
    cells = np.array([_cells(crop) for crop in crops], dtype=np.float64).reshape(-1, 2, SIDE**2)
    light, weight = cells[:, 0], cells[:, 1]
    seen = weight > _EMPTY
    grey = np.divide(light, weight, out=np.zeros_like(light), where=seen)
    total = np.maximum(weight.sum(axis=1, keepdims=True), _EMPTY)
    mean = light.sum(axis=1, keepdims=True) / total
    # The tolerance keeps rounding from setting bits of a uniform object.
    bits = seen & (grey > mean + 1e-4)
    return np.asarray((bits * _BITS).sum(axis=1, dtype=np.uint64))


def _cells(crop: Bytes) -> F32:
    """(2, 64) means over the cells of grey times opacity, and of opacity."""
    import cv2

    grey = crop[..., :3].astype(np.float32) @ _LUMA
    if crop.shape[2] == 3:
        weight = np.ones_like(grey)
    else:
        weight = crop[..., 3].astype(np.float32) / np.float32(255)
    planes = np.dstack([grey * weight, weight])
    small: F32 = cv2.resize(planes, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return small.reshape(-1, 2).T


def region_hashes(image: Image, boxes: npt.ArrayLike) -> UInts64:
    """(N,) the hash of the content of each box of an image.

    image: H x W x 3 RGB. boxes: (N, 4) xyxy pixels, clipped to the image but at least one pixel.
    """
    height, width = image.shape[:2]
    crops = []
    for x1, y1, x2, y2 in np.asarray(boxes, dtype=np.float64).reshape(-1, 4):
        left, right = _span(x1, x2, width)
        top, bottom = _span(y1, y2, height)
        crops.append(image[top:bottom, left:right])
    return average_hashes(crops)


def _span(low: float, high: float, length: int) -> tuple[int, int]:
    first = int(np.clip(np.floor(low), 0, length - 1))
    return first, int(np.clip(np.ceil(high), first + 1, length))


def majority(hashes: npt.ArrayLike) -> int:
    """The majority hash: each bit as in most of the hashes, on a tie as in the first.

    >>> f"{majority([0b110, 0b011, 0b010]):b}", f"{majority([0b10, 0b01]):b}"
    ('10', '10')
    """
    given = _unsigned(hashes)
    if not len(given):
        raise ValueError("majority: expected at least one hash")
    ones = ((given[:, None] & _BITS) != 0).sum(axis=0)
    tied = 2 * ones == len(given)
    bits = np.where(tied, (given[0] & _BITS) != 0, 2 * ones > len(given))
    return int((bits * _BITS).sum(dtype=np.uint64))


def distances(reference: int, hashes: npt.ArrayLike) -> Ints:
    """(N,) Hamming distances of hashes from the reference.

    >>> distances(0b1100, [0b1100, 0b1000, 0b0011]).tolist()
    [0, 1, 4]
    """
    return np.asarray(np.bitwise_count(_unsigned(hashes) ^ np.uint64(reference)), dtype=np.int64)


def nearest(reference: int, hashes: npt.ArrayLike, count: int = 1) -> list[int]:
    """Indices of the `count` nearest hashes, nearest first; ties in their order.

    >>> nearest(0b1100, [0b0011, 0b1000, 0b0100, 0b1100], count=3)
    [3, 1, 2]
    """
    order = np.argsort(distances(reference, hashes), kind="stable")
    return [int(place) for place in order[:count]]


def _unsigned(hashes: Any) -> UInts64:
    return np.asarray(hashes, dtype=np.uint64).reshape(-1)
