"""ICRAF's two colour changes: the seed sets the direction, the level the amount."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.random_fields import seeded_generator, uniforms
from snellen.vision.arrays import F64, Image

_LUMA = np.array([0.299, 0.587, 0.114])
_TO_YIQ = np.array([_LUMA, [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])


def rgb_shift(image: Image, settings: Settings, seed: int) -> Image:
    """A constant added to each channel; settings: the largest of the three, in grey levels.

    The three are drawn from -1 to 1, less their mean, and scaled so that the largest is 1 or -1: a
    cast of colour, which a shift of all three in one direction would bleach again.
    """
    (largest,) = settings
    drawn = 2 * uniforms(seeded_generator(seed, "rgb_shift"), 3) - 1
    drawn -= drawn.mean()
    return transform_colours(image, np.eye(3), largest * drawn / np.abs(drawn).max())


def color_jitter(image: Image, settings: Settings, seed: int) -> Image:
    """Brightness, contrast, saturation and hue changed together, each up or down.

    settings: the largest change of the first three as a power of two, and of the hue in turns. The
    seed draws the direction of each change and its size, from half of the largest to all of it.
    """
    power, turns = settings
    drawn = uniforms(seeded_generator(seed, "color_jitter"), 8)
    bright, sharp, vivid, hue = np.where(drawn[:4] < 0.5, -1, 1) * (1 + drawn[4:]) / 2
    gain = 2.0 ** (power * bright)
    matrix = hue_rotation(turns * hue) @ saturation_scaling(2.0 ** (power * vivid))
    contrast = 2.0 ** (power * sharp)
    grey = gain * float(image.mean())
    return transform_colours(image, gain * contrast * matrix, np.full(3, grey * (1 - contrast)))


def transform_colours(image: Image, matrix: F64, offset: F64) -> Image:
    """Each RGB pixel times the (3, 3) matrix plus the (3,) offset in grey levels, clipped."""
    import cv2

    found: Image = cv2.transform(image, np.column_stack([matrix, offset]))
    return found


def hue_rotation(turns: float) -> F64:
    """The (3, 3) matrix that rotates RGB colours about the grey axis; 1 is a full turn.

    Luma and greys do not change.

    >>> np.allclose(hue_rotation(0.25) @ [7, 7, 7], [7, 7, 7], atol=0.01)
    True
    """
    angle = 2 * np.pi * turns
    rotation = np.array(
        [
            [1, 0, 0],
            [0, np.cos(angle), -np.sin(angle)],
            [0, np.sin(angle), np.cos(angle)],
        ]
    )
    matrix: F64 = np.linalg.inv(_TO_YIQ) @ rotation @ _TO_YIQ
    return matrix


def saturation_scaling(factor: float) -> F64:
    """The (3, 3) matrix that scales the distance of RGB colours from grey of the same luma.

    >>> saturation_scaling(0.0) @ [10, 10, 10]
    array([10., 10., 10.])
    """
    return factor * np.eye(3) + (1 - factor) * np.tile(_LUMA, (3, 1))


RGB_SHIFT = Corruption(
    "rgb_shift", rgb_shift, ((0.0,), (30.0,), (60.0,), (90.0,), (120.0,), (150.0,), (255.0,))
)
COLOR_JITTER = Corruption(
    "color_jitter",
    color_jitter,
    ((0.0, 0.0), (0.2, 0.03), (0.4, 0.07), (0.6, 0.12), (0.8, 0.19), (1.0, 0.28), (1.8, 0.5)),
)
