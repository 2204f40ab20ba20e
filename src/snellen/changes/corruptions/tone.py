"""Light and colour by the value: each is a table of 256 entries, or one pass over the pixels."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.pixel_values import rounded
from snellen.vision.arrays import F64, Image

_GREYS = np.arange(256.0)


def brightness(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """HSV's value raised, hue and saturation kept; settings: by what share of white."""
    from snellen.changes.corruptions.tone_kernels import brightened

    (rise,) = settings
    raised = np.minimum(_GREYS + 255 * rise, 255)
    gain = raised / np.maximum(_GREYS, 1)
    return brightened(image, gain.astype(np.float32), np.uint8(raised[0] + 0.5))


def saturate(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """HSV's saturation times a factor plus a share of full, clipped; hue and value kept."""
    from snellen.changes.corruptions.tone_kernels import saturated

    factor, added = settings
    return saturated(image, np.float32(factor), np.float32(added))


def contrast(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Each channel drawn towards its mean; settings: the share of contrast that is left."""
    import cv2

    (left,) = settings
    means = np.array(cv2.mean(image)[:3])
    return _looked_up(image, (_GREYS[:, None] - means) * left + means)


def gamma(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Middle tones darkened, black and white kept; settings: the exponent."""
    (exponent,) = settings
    return _looked_up(image, 255 * (_GREYS / 255) ** exponent)


def darkness(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """As if exposed for a shorter time; settings: the share of the light that is left."""
    (left,) = settings
    return _looked_up(image, _GREYS * left)


def _looked_up(image: Image, table: F64) -> Image:
    """The image with each value replaced: by 256 entries, or 256 x 3, one column a channel."""
    import cv2

    found: Image = cv2.LUT(image, rounded(table).reshape(1, 256, -1))
    return found


BRIGHTNESS = Corruption(
    "brightness", brightness, ((0.0,), (0.1,), (0.2,), (0.3,), (0.4,), (0.5,), (1.0,))
)
CONTRAST = Corruption(
    "contrast", contrast, ((1.0,), (0.4,), (0.3,), (0.2,), (0.1,), (0.05,), (0.01,))
)
SATURATE = Corruption(
    "saturate",
    saturate,
    ((1.0, 0.0), (0.3, 0.0), (0.1, 0.0), (2.0, 0.0), (5.0, 0.1), (20.0, 0.2), (40.0, 0.5)),
    start=(2 + 0.9 / 1.9) / 6,  # from there on colours only grow stronger; before, they fade first
)
GAMMA = Corruption("gamma", gamma, ((1.0,), (1.5,), (2.0,), (2.5,), (3.5,), (5.0,), (10.0,)))
DARKNESS = Corruption(
    "darkness", darkness, ((1.0,), (0.7,), (0.5,), (0.35,), (0.2,), (0.1,), (0.02,))
)
