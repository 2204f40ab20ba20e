"""The perceptual hash equals imagehash's, and transparent pixels do not affect it."""

from __future__ import annotations

import numpy as np

from snellen.vision.image_features.perceptual_hash import perceptual_hash, surroundings_of

# imagehash 4.3.2's phash of the images below.
PUBLISHED = ("9ede7d2760a11439", "b14a552b51ad47f8", "a41ba0c71e5be78c")


def test_hashes_are_those_of_imagehash() -> None:
    rng = np.random.default_rng(7)
    images = [rng.integers(0, 256, (40 + 8 * n, 64, 3), dtype=np.uint8) for n in range(3)]
    assert tuple(f"{perceptual_hash(image):016x}" for image in images) == PUBLISHED


def test_colours_of_transparent_pixels_do_not_matter() -> None:
    rng = np.random.default_rng(8)
    pixels = rng.integers(0, 256, (50, 40, 4), dtype=np.uint8)
    pixels[..., 3] = 0
    pixels[10:40, 8:30, 3] = 255
    other = pixels.copy()
    other[:10] = [255, 0, 0, 0]
    assert perceptual_hash(pixels) == perceptual_hash(other)


def test_surroundings_are_cut_at_the_border() -> None:
    image = np.zeros((100, 80, 3), np.uint8)
    assert surroundings_of(image, [0, 0, 40, 20]).shape == (30, 60, 3)
    assert surroundings_of(image, [30, 40, 50, 60]).shape == (40, 40, 3)
