"""Snow and rain: flakes and drops from a random field, blurred along their fall."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.line_blur import line_kernel
from snellen.changes.corruptions.random_fields import normal_field, seeded_generator, uniforms
from snellen.vision.arrays import F32, Image


def snow(image: Image, settings: Settings, seed: int) -> Image:
    """The image whitened, with falling flakes.

    settings: mean and standard deviation of the field, its correlation length in pixels, the value
    above which there is a flake, half the length of the motion blur in pixels and its standard
    deviation, the weight of the original image, and the opacity of the flakes.
    """
    from snellen.changes.corruptions.precipitation_kernels import add_snow

    mean, spread, size, threshold, radius, fading, weight, opacity = settings
    rng = seeded_generator(seed, "snow")
    angle = -np.pi * (0.25 + 0.5 * float(uniforms(rng, 1)[0]))
    field = _correlate(normal_field(rng, *image.shape[:2]), size)
    field = field * np.float32(spread * FLATTENED) + np.float32(mean)
    field[field < threshold] = 0
    flakes = _streaks(np.clip(field, 0, 1), radius, fading, angle)
    return add_snow(image, flakes * np.float32(255 * opacity), np.float32(weight))


def rain(image: Image, settings: Settings, seed: int) -> Image:
    """The image veiled and dimmed, with fine distant and coarse near streaks.

    settings: the share of pixels at which a drop starts, half the length of a streak in 480ths of
    the image height, the lightness of streaks (1 for white), and the opacity of the veil.
    """
    import cv2

    from snellen.changes.corruptions.precipitation_kernels import add_rain

    share, reach, light, veil = settings
    rng = seeded_generator(seed, "rain")
    height, width = image.shape[:2]
    unit = max(height / 480, 0.25)
    angle = np.pi / 2 + 0.35 * (2 * float(uniforms(rng, 1)[0]) - 1)
    streaks = np.zeros((height, width), np.float32)
    for size in (1.0, 2.5):
        field = _correlate(normal_field(rng, height, width), max(size * unit, 1.0))
        drops = np.clip(2 * (field - _quantile(share / size**2)), 0, 1)
        length = reach * size * unit
        streaks += _streaks(drops, length, length, angle) * np.float32(0.5 * length)
    soft = cv2.GaussianBlur(image, (0, 0), 0.1 + 2.5 * veil)
    return add_rain(soft, streaks, np.float32(light), np.float32(veil))


def _correlate(field: F32, size: float) -> F32:
    """A field of independent standard normal numbers, smoothed over `size` pixels.

    It stays standard normal, and its peaks stay in place as the size grows.
    """
    import cv2

    steps = np.arange(-int(size), int(size) + 1)
    tent = np.maximum(1 - np.abs(steps) / size, 0)
    tent /= np.sqrt((tent**2).sum())
    found: F32 = cv2.sepFilter2D(field, -1, tent, tent)
    return found


def _streaks(drops: F32, radius: float, fading: float, angle: float) -> F32:
    """The drops blurred along their fall; the field is mirrored at its border.

    Nearly all of the field is empty, so each drop is drawn rather than each pixel convolved.
    """
    import cv2

    from snellen.changes.corruptions.precipitation_kernels import draw_streaks

    kernel = line_kernel(2 * radius + 1, fading, angle)
    half = kernel.shape[0] // 2
    rows, columns = np.nonzero(kernel)
    around = cv2.copyMakeBorder(drops, half, half, half, half, cv2.BORDER_REFLECT_101)
    return draw_streaks(around, rows, columns, kernel[rows, columns], half)


def _quantile(share: float) -> np.float32:
    """The standard normal quantile that this share of draws exceeds."""
    from scipy.special import ndtri

    return np.float32(-ndtri(max(share, 1e-6)))


FLATTENED = 2 / 3  # share of the standard deviation left after ImageNet-C enlarges the field

SNOW = Corruption(
    "snow",
    snow,
    (
        (0.1, 0.3, 3.0, 0.5, 10.0, 4.0, 1.0, 0.0),
        (0.1, 0.3, 3.0, 0.5, 10.0, 4.0, 0.8, 1.0),
        (0.15, 0.3, 3.0, 0.5, 10.0, 4.0, 0.76, 1.0),
        (0.2, 0.3, 3.0, 0.5, 10.0, 4.0, 0.72, 1.0),
        (0.25, 0.3, 3.0, 0.5, 10.0, 4.0, 0.68, 1.0),
        (0.3, 0.3, 3.0, 0.5, 10.0, 4.0, 0.62, 1.0),
        (0.45, 0.33, 3.0, 0.5, 10.0, 4.0, 0.4, 1.0),
    ),
    published=(
        (0.1, 0.3, 3.0, 0.5, 10.0, 4.0, 0.8, 1.0),
        (0.2, 0.3, 2.0, 0.5, 12.0, 4.0, 0.7, 1.0),
        (0.55, 0.3, 4.0, 0.9, 12.0, 8.0, 0.7, 1.0),
        (0.55, 0.3, 4.5, 0.85, 12.0, 8.0, 0.65, 1.0),
        (0.55, 0.3, 2.5, 0.85, 12.0, 12.0, 0.55, 1.0),
    ),
)
RAIN = Corruption(
    "rain",
    rain,
    (
        (0.002, 8.0, 0.0, 0.0),
        (0.004, 8.0, 0.5, 0.06),
        (0.006, 10.0, 0.6, 0.12),
        (0.009, 12.0, 0.7, 0.2),
        (0.013, 14.0, 0.75, 0.28),
        (0.018, 16.0, 0.8, 0.38),
        (0.04, 20.0, 0.95, 0.7),
    ),
)
