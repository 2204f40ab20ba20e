"""Histograms of oriented gradients, with the defaults of OpenCV's `HOGDescriptor`.

Windows of 64 x 128 pixels, blocks of 16 x 16 every 8 pixels, four cells of 8 x 8 per block, nine
unsigned orientations, square-root gamma, L2-Hys. OpenCV 5 no longer includes it.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image

CELL = 8
BINS = 9
WINDOW = (15, 7)
"""Blocks in a window, down and across."""
_SIGMA = 4.0
_CLIP = np.float32(0.2)


def hog_blocks(image: Image) -> F32:
    """The normalised histograms of every block, rows x columns x 36, of an H x W x 3 image.

    Block (i, j) covers the 16 x 16 pixels from (8 i, 8 j) on. Its values are nine each for the
    cells top left, bottom left, top right and bottom right.
    """
    rows, columns = (side // CELL for side in image.shape[:2])
    if min(rows, columns) < 2:
        return np.zeros((max(rows - 1, 0), max(columns - 1, 0), 4 * BINS), dtype=np.float32)
    votes = _votes(image)[:, : rows * CELL, : columns * CELL]
    weights = _cell_weights()
    parts = weights @ votes.reshape(BINS, rows, CELL, columns * CELL)
    down = parts[:, :-1, :2] + parts[:, 1:, 2:]
    parts = down.reshape(-1, CELL) @ weights.T
    parts = parts.reshape(BINS, rows - 1, 2, columns, 4)
    cells = parts[..., :-1, :2] + parts[..., 1:, 2:]
    return _normalised(cells.transpose(1, 3, 4, 2, 0).reshape(rows - 1, columns - 1, 4 * BINS))


def hog_blocks_after(before: F32, image: Image, changed: tuple[int, int, int, int]) -> F32:
    """The blocks of an image that differs from the one with the blocks `before` only in a box.

    changed: the box, x1 y1 x2 y2 in integer pixels, half-open. The same as `hog_blocks`, faster.
    """
    x1, y1, x2, y2 = changed
    # A block uses one pixel beyond its own 16; blocks at the border of the crop are not replaced.
    (top, bottom), (left, right) = (
        (max(first // CELL - 3, 0), min(last // CELL + 4, side // CELL))
        for first, last, side in zip((y1, x1), (y2, x2), image.shape, strict=False)
    )
    if min(bottom - top, right - left) < 2:
        return hog_blocks(image)
    rows, columns = slice(top * CELL, bottom * CELL + 1), slice(left * CELL, right * CELL + 1)
    part = hog_blocks(image[rows, columns])
    skip_top, skip_left = int(top > 0), int(left > 0)
    after = before.copy()
    after[top + skip_top : bottom - 1, left + skip_left : right - 1] = part[skip_top:, skip_left:]
    return after


def hog_intersection(before: F32, after: F32) -> float:
    """The share of the histograms of the first image that the second contains; 1 for all.

    before, after: blocks of two images of the same size. The sum of the smaller values divided by
    the sum of the first image's, over all windows 8 pixels apart, as published in MetaOD. An image
    without gradients, or too small for a block, gives 1; if too small for a window, blocks count
    once.

    >>> stripes = np.tile(np.uint8([0, 0, 255, 255]), (128, 16))[..., None].repeat(3, axis=2)
    >>> blocks = hog_blocks(stripes)
    >>> hog_intersection(blocks, blocks), hog_intersection(blocks, 0 * blocks)
    (1.0, 0.0)
    """
    if before.shape != after.shape:
        raise ValueError(f"blocks must have the same shape; found {before.shape, after.shape}")
    down, across = (_windows_over(n, w) for n, w in zip(before.shape, WINDOW, strict=False))
    times = (down[:, None] * across)[..., None]
    total = float((before * times).sum(dtype=np.float64))
    shared = float((np.minimum(before, after) * times).sum(dtype=np.float64))
    return shared / total if total > 0 else 1.0


def _windows_over(blocks: int, window: int) -> F32:
    """The number of windows that contain each block of a row of so many blocks."""
    if blocks < window:
        return np.ones(blocks, dtype=np.float32)
    return np.convolve(np.ones(blocks - window + 1), np.ones(window)).astype(np.float32)


def _votes(image: Image) -> F32:
    """The gradient magnitude of each pixel, distributed over two orientations: 9 x H x W."""
    import cv2

    magnitude, angle = cv2.cartToPolar(*_steepest(np.sqrt(image, dtype=np.float32)))
    position = angle * np.float32(BINS / np.pi) - np.float32(0.5)
    lower = np.floor(position)
    upper_share = position - lower
    first = (lower.astype(np.intp) % BINS).ravel()
    votes = np.zeros((BINS, magnitude.size), dtype=np.float32)
    pixel = np.arange(magnitude.size)
    votes[first, pixel] = (magnitude * (1 - upper_share)).ravel()
    votes[(first + 1) % BINS, pixel] = (magnitude * upper_share).ravel()
    return votes.reshape(BINS, *magnitude.shape)


def _steepest(values: F32) -> tuple[F32, F32]:
    """Central differences across and down, of the channel with the largest; 0 at borders.

    On ties blue goes before green and red, as in OpenCV.
    """
    steepest, *others = (_differences(values[..., channel]) for channel in (2, 1, 0))
    for other in others:
        more = other[2] > steepest[2]
        for kept, new in zip(steepest, other, strict=True):
            np.copyto(kept, new, where=more)
    return steepest[0], steepest[1]


def _differences(channel: F32) -> tuple[F32, F32, F32]:
    """Central differences across and down, and the sum of their squares: H x W each."""
    dx, dy = np.zeros_like(channel), np.zeros_like(channel)
    np.subtract(channel[:, 2:], channel[:, :-2], out=dx[:, 1:-1])
    np.subtract(channel[2:], channel[:-2], out=dy[1:-1])
    return dx, dy, dx * dx + dy * dy


def _cell_weights() -> F32:
    """The weights of a pixel for the two cells of a block along one axis: 4 x 8.

    Rows: from the first 8 pixels of the block to its first and second cell, then from the last 8.
    """
    pixel = np.arange(2 * CELL)
    gauss = np.exp(-((pixel - CELL) ** 2) / (2 * _SIGMA**2))
    place = (pixel + 0.5) / CELL - 0.5
    share = [np.maximum(0, 1 - np.abs(place - cell)) * gauss for cell in (0, 1)]
    return np.array([half for k in (0, CELL) for half in (s[k : k + CELL] for s in share)]).astype(
        np.float32
    )


def _normalised(blocks: F32) -> F32:
    for softening, most in ((np.float32(0.1 * 4 * BINS), _CLIP), (np.float32(1e-3), None)):
        norm = np.sqrt(np.einsum("ijk,ijk->ij", blocks, blocks))[..., None]
        blocks = blocks / (norm + softening)
        blocks = blocks if most is None else np.minimum(blocks, most)
    return blocks
