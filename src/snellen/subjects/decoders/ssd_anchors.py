"""SSD's anchors, generated as in TensorFlow's detection API, or read from a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F32

LAYERS = 6
FIRST_STRIDE = 16
SCALES = (*np.linspace(0.2, 0.95, LAYERS), 1.0)
RATIOS = (1.0, 2.0, 0.5, 3.0, 1 / 3)


def layers(size: tuple[int, int]) -> list[tuple[int, int]]:
    """(rows, columns) of the six feature maps: strides 16, 32, ... 512, rounded up each time.

    >>> layers((300, 300))
    [(19, 19), (10, 10), (5, 5), (3, 3), (2, 2), (1, 1)]
    """
    maps = [(-(-size[0] // FIRST_STRIDE), -(-size[1] // FIRST_STRIDE))]
    for _ in range(LAYERS - 1):
        maps.append((-(-maps[-1][0] // 2), -(-maps[-1][1] // 2)))
    return maps


@lru_cache(maxsize=8)
def ssd_anchors(size: tuple[int, int]) -> F32:
    """Anchors (A, 4) as centre y, centre x, height, width, in fractions of the input.

    >>> ssd_anchors((300, 300)).shape
    (1917, 4)
    """
    parts = []
    for layer, (rows, columns) in enumerate(layers(size)):
        sides = np.array(_sides(layer))
        y, x = np.divmod(np.arange(rows * columns), columns)
        centres = np.stack([(y + 0.5) / rows, (x + 0.5) / columns], axis=1)
        both = np.concatenate(
            [np.repeat(centres, len(sides), axis=0), np.tile(sides, (len(centres), 1))], axis=1
        )
        parts.append(both)
    out = np.concatenate(parts).astype(np.float32)
    out.flags.writeable = False
    return out


def _sides(layer: int) -> list[tuple[float, float]]:
    """(height, width) of the anchors of one cell: three in the first layer, else six."""
    scale, after = SCALES[layer], SCALES[layer + 1]
    shapes = [(scale, ratio) for ratio in RATIOS] + [(float(np.sqrt(scale * after)), 1.0)]
    if layer == 0:
        shapes = [(0.1, 1.0), (scale, 2.0), (scale, 0.5)]
    return [(side / np.sqrt(ratio), side * np.sqrt(ratio)) for side, ratio in shapes]


def read_anchors(path: Path) -> F32:
    """Anchors (A, 4) from a `.npy` file, or from text with four numbers per line."""
    try:
        array = (
            np.load(path, allow_pickle=False)
            if path.suffix == ".npy"
            else np.loadtxt(path, delimiter="," if path.suffix == ".csv" else None, ndmin=2)
        )
    except (OSError, ValueError) as error:
        raise UserError(
            f"{path}: cannot be read as anchors: {error}. Give four numbers per anchor, as .npy, "
            ".csv or text."
        ) from None
    if array.ndim != 2 or array.shape[1] != 4:
        raise UserError(
            f"{path}: found shape {list(array.shape)}, expected four numbers per anchor"
        )
    return np.asarray(array, dtype=np.float32)
