"""Images with the spectrum of photographs, and simple degradations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import Bytes


def photograph(height: int, width: int, seed: int = 1, channels: int = 3) -> Bytes:
    """Noise whose amplitude falls with frequency, as in photographs: H x W x channels."""
    rng = np.random.default_rng(seed)
    down, across = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)
    fall = 1 / np.maximum(np.hypot(down, across), 1 / max(height, width))
    planes = []
    for _ in range(channels):
        plane = np.fft.irfft2(
            np.fft.rfft2(rng.normal(size=(height, width))) * fall, (height, width)
        )
        planes.append(127 + 50 * (plane - plane.mean()) / plane.std())
    return levels(np.dstack(planes))


def levels(values: npt.ArrayLike) -> Bytes:
    """The values as grey levels of 0 to 255, rounded."""
    return np.asarray(np.clip(np.rint(values), 0, 255), dtype=np.uint8)


def noisy(image: Bytes, sigma: float, seed: int = 7) -> Bytes:
    """The image with one field of noise, scaled."""
    field = np.random.default_rng(seed).normal(size=image.shape)
    return levels(image + sigma * field)


def blurred(image: Bytes, sigma: float) -> Bytes:
    """The image with a Gaussian blur."""
    from scipy.ndimage import gaussian_filter

    spread = (sigma, sigma, 0)[: image.ndim]
    return levels(gaussian_filter(image.astype(np.float64), spread))


def half_covered(image: Bytes) -> Bytes:
    """The image behind a fence of grey boards, 32 pixels wide."""
    covered = image.copy()
    covered[:, np.arange(image.shape[1]) % 64 >= 32] = 90
    return covered


def faded(image: Bytes, share: float) -> Bytes:
    """The image with its contrast reduced by that share."""
    return levels(127 + (image - 127.0) * (1 - share))
