"""Saliency by random masks: ours against a loop of cv2.resize, as D-RISE's own code has it.

In masks a second of one thread, on a photograph of 640 x 480. Run: python -m benchmarks.saliency
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.box_ap import cpu
from snellen.vision.saliency.heat_maps import heat_maps
from snellen.vision.saliency.masked_image import masked_image
from snellen.vision.saliency.random_masks import coarse_masks

SIZE, GRID, MASKS = (480, 640), (16, 16), 1000
Floats = npt.NDArray[np.float32]


def plain_mask(cells: Floats, offset: npt.NDArray[np.int64]) -> Floats:
    tall, wide = (math.ceil(side / cells) for side, cells in zip(SIZE, GRID, strict=True))
    large = ((GRID[1] + 1) * wide, (GRID[0] + 1) * tall)
    up = cv2.resize(cells, large, interpolation=cv2.INTER_LINEAR)
    y, x = offset
    return np.asarray(up[y : y + SIZE[0], x : x + SIZE[1]])


def told(what: str, ours: float, theirs: float, difference: float) -> None:
    print(
        f"{what}: {MASKS / ours:,.0f} masks a second, loop of cv2.resize {MASKS / theirs:,.0f}, "
        f"{theirs / ours:.1f} times faster; largest difference {difference:.0e}"
    )


def main() -> None:
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (*SIZE, 3), dtype=np.uint8)
    seeds = list(range(MASKS))
    masks = coarse_masks(SIZE, seeds, grid=GRID)
    drawn = list(zip(masks.cells, masks.offsets, strict=True))

    def plain_images() -> list[int]:
        return [
            int((image * plain_mask(*one)[..., None]).astype(np.uint8)[0, 0, 0]) for one in drawn
        ]

    def our_images() -> list[int]:
        return [int(masked_image(image, seed, grid=GRID)[0, 0, 0]) for seed in seeds]

    apart = np.abs(np.subtract(our_images(), plain_images())).max()
    told("masked images", cpu(our_images, 3), cpu(plain_images, 3), apart)
    for targets in (1, 10):
        weights = rng.random((targets, MASKS))

        def plain_heat(weights: npt.NDArray[np.float64] = weights) -> Floats:
            heat = np.zeros((len(weights), *SIZE), np.float32)
            for one, column in zip(drawn, weights.T, strict=True):
                mask = plain_mask(*one)
                for total, weight in zip(heat, column, strict=True):
                    total += np.float32(weight) * mask
            heat -= heat.min(axis=(1, 2), keepdims=True)
            return np.asarray(heat / heat.max(axis=(1, 2), keepdims=True))

        def our_heat(weights: npt.NDArray[np.float64] = weights) -> Floats:
            return heat_maps(SIZE, seeds, weights, grid=GRID, centred=False)

        worst = float(np.abs(our_heat() - plain_heat()).max())
        told(f"heat maps of {targets} targets", cpu(our_heat, 3), cpu(plain_heat, 3), worst)


if __name__ == "__main__":
    main()
