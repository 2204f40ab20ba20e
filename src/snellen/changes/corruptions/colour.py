"""ICRAF's two changes of colour: the seed fixes the direction, the level how far."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Image, Settings
from snellen.changes.corruptions.hues import coloured, hue_turned, saturation_scaled
from snellen.changes.corruptions.random_fields import seeded_generator, uniforms


def rgb_shift(image: Image, settings: Settings, seed: int) -> Image:
    """A number added to each channel; settings: the largest of the three, in grey levels.

    The three are drawn from -1 to 1 and scaled so that the largest is 1 or -1.
    """
    (most,) = settings
    drawn = 2 * uniforms(seeded_generator(seed, "rgb_shift"), 3) - 1
    return coloured(image, np.eye(3), most * drawn / np.abs(drawn).max())


def color_jitter(image: Image, settings: Settings, seed: int) -> Image:
    """Brightness, contrast, saturation and hue changed together, each up or down.

    settings: the largest change of the first three as a power of two, and of the hue in turns; the
    seed draws how much of that each gets, from half to all, and whether up or down.
    """
    power, turns = settings
    drawn = uniforms(seeded_generator(seed, "color_jitter"), 8)
    bright, sharp, vivid, hue = np.where(drawn[:4] < 0.5, -1, 1) * (1 + drawn[4:]) / 2
    gain = 2.0 ** (power * bright)
    matrix = hue_turned(turns * hue) @ saturation_scaled(2.0 ** (power * vivid))
    contrast = 2.0 ** (power * sharp)
    grey = gain * float(image.mean())
    return coloured(image, gain * contrast * matrix, np.full(3, grey * (1 - contrast)))


RGB_SHIFT = Corruption(
    "rgb_shift", rgb_shift, ((0.0,), (30.0,), (60.0,), (90.0,), (120.0,), (150.0,), (400.0,))
)
COLOR_JITTER = Corruption(
    "color_jitter",
    color_jitter,
    ((0.0, 0.0), (0.2, 0.03), (0.4, 0.07), (0.6, 0.12), (0.8, 0.19), (1.0, 0.28), (1.8, 0.5)),
)
