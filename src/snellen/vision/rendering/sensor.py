"""The response, noise and sharpness of a camera, measured on one image."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from snellen.vision.arrays import F32, F64, AnyArray, Image
from snellen.vision.compilation import read_only
from snellen.vision.rendering.percentiles import percentile

ENCODED, LINEAR = 2.2, 1.0
BINS = np.array([4.0, 16, 28, 44, 64, 88, 116, 150, 190, 245])
GREEN = 1
LOW = 10.0
LOW_OF_NOISE = 0.73
"""The 10th percentile of block noise on pure noise, as a share of the true value."""
ROUNDING = 1 / 12
SHARP_EDGE = 0.41
"""The width of a rendered edge before any blur, pixels."""


@dataclass(frozen=True)
class Sensor:
    """A camera, as measured on one image.

    gamma: a value is the light to the power 1 / gamma; 1 for a linear camera. floor, gain: the
    noise of a value v in 0 to 255 has variance floor + gain * v. blur: standard deviation in pixels
    of the blur beyond that of the pixels themselves.
    """

    gamma: float = ENCODED
    floor: float = 0.0
    gain: float = 0.0
    blur: float = 0.0

    def noise(self, values: F32) -> F32:
        """Standard deviation of the noise at values in 0 to 255, in their shape."""
        variance = self.floor + self.gain * np.maximum(values, np.float32(0))
        return np.sqrt(np.maximum(variance, 0)).astype(np.float32)

    def light(self, values: AnyArray) -> F64:
        """Linear light, 1 at white, of values in 0 to 255."""
        if np.asarray(values).dtype == np.uint8:
            return np.asarray(self.light(np.arange(256.0))[values])
        return np.asarray((np.asarray(values, dtype=np.float64) / 255.0) ** self.gamma)


def measured_sensor(image: Image, contrast: float = 1.0) -> Sensor:
    """The camera that took the image (H, W, 3).

    contrast: ratio of the values of the ground in the sun to those in the shade, if known. In
    linear light it is 4 to 6 in daylight; values with such a contrast are linear, and so are those
    whose noise grows with brightness, as photon noise does.
    """
    image = read_only(image)
    levels, variances = _noise_levels(image)
    floor, gain = _affine(levels, variances)
    grows = bool(gain * 100.0 > max(floor, 0.05))
    gamma = LINEAR if contrast > 3.2 or (grows and contrast > 2.2) else ENCODED
    return Sensor(gamma, floor, gain, _blur(image))


def _noise_levels(image: Image) -> tuple[F64, F64]:
    """Values and their noise variance without rounding noise, for bins with enough blocks.

    Texture only adds variance, so the quietest blocks of a bin are used.
    """
    from snellen.vision.rendering.sensor_kernels import block_noise

    mean, largest, noise = block_noise(image, GREEN)
    kept = largest < 250
    mean, noise = mean[kept], noise[kept]
    levels, variances = [], []
    for low, high in pairwise(BINS):
        here = noise[(mean >= low) & (mean < high)]
        if len(here) >= 20:
            quiet = percentile(here, LOW) / LOW_OF_NOISE
            levels.append((low + high) / 2)
            variances.append(max(quiet**2 - ROUNDING, 0.0))
    return np.array(levels), np.array(variances)


def _affine(levels: F64, variances: F64) -> tuple[float, float]:
    """Floor and gain of the noise: a Theil-Sen line through the bins.

    The floor is at most that of the darkest bin, which texture affects least.
    """
    if len(levels) < 2:
        return (float(variances[0]), 0.0) if len(levels) else (0.0, 0.0)
    i, j = np.triu_indices(len(levels), 1)
    slope = max(float(np.median((variances[j] - variances[i]) / (levels[j] - levels[i]))), 0.0)
    floor = float(np.clip(np.median(variances - slope * levels), 0.0, variances[0]))
    gains = (variances - floor) / levels
    return floor, max(percentile(gains[1:], 40), 0.0) if slope > 0 else 0.0


def _blur(image: Image) -> float:
    from snellen.vision.rendering.sensor_kernels import edge_widths

    widths = edge_widths(image, GREEN, 5, 40.0)
    if len(widths) < 30:
        return 0.0
    width = percentile(widths, 15)
    return float(np.clip(np.sqrt(max(width**2 - SHARP_EDGE**2, 0.0)), 0.0, 1.2))
