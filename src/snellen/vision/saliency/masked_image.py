"""Images with a random mask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.vision.arrays import Image
from snellen.vision.compilation import read_only
from snellen.vision.saliency.random_masks import GRID, KEEP, coarse_masks


def masked_image(
    image: Image,
    seed: int,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
    fill: Sequence[float] = (0, 0, 0),
) -> Image:
    """The image where the mask of a seed is 1, and `fill` where it is 0; H x W x 3 uint8.

    image: H x W x 3 uint8 RGB. grid, keep: as in `coarse_masks`. fill: a colour, 0 to 255 each;
    black as published. Rounded to the nearest level.

    >>> masked_image(np.full((40, 40, 3), 200, np.uint8), seed=1).max()
    np.uint8(200)
    """
    from snellen.vision.saliency.enlargement_kernels import show_through

    height, width = image.shape[:2]
    mask = coarse_masks((height, width), [seed], grid=grid, keep=keep)
    rows, down = mask.stretched()[0], mask.axis(0)
    flat = read_only(image).reshape(height, width * 3)
    out = np.empty_like(flat)
    hidden = np.tile(np.asarray(fill, dtype=np.float32), width)
    show_through(flat, np.repeat(rows, 3, axis=1), down.lower[0], down.share[0], hidden, out)
    return out.reshape(height, width, 3)
