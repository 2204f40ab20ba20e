"""Changes of brightness, contrast and saturation, by a table or in one pass over the pixels."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.pixel_values import rounded
from snellen.vision.arrays import F64, Image

_GREYS = np.arange(256.0)


def brightness(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """HSV value raised at constant hue and saturation; settings: by what share of white."""
    from snellen.changes.corruptions.tone_kernels import raise_value

    (rise,) = settings
    raised = np.minimum(_GREYS + 255 * rise, 255)
    gain = raised / np.maximum(_GREYS, 1)
    return raise_value(image, gain.astype(np.float32), np.uint8(raised[0] + 0.5))


def saturate(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """HSV saturation changed at constant hue and value; settings: a factor and an offset."""
    from snellen.changes.corruptions.tone_kernels import change_saturation

    factor, added = settings
    return change_saturation(image, np.float32(factor), np.float32(added))


def contrast(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Each channel moved towards its mean; settings: the share of contrast that remains."""
    import cv2

    (left,) = settings
    means = np.array(cv2.mean(image)[:3])
    return _look_up(image, (_GREYS[:, None] - means) * left + means)


def gamma(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Mid-tones darkened, with black and white unchanged; settings: the exponent."""
    (exponent,) = settings
    return _look_up(image, 255 * (_GREYS / 255) ** exponent)


def darkness(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """A shorter exposure; settings: the share of light that remains."""
    (left,) = settings
    return _look_up(image, _GREYS * left)


def _look_up(image: Image, table: F64) -> Image:
    """The image with each value replaced from a table, (256,) or (256, 3) for the channels."""
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
    ((1.0, 0.0), (1.4, 0.0), (2.0, 0.0), (3.5, 0.05), (5.0, 0.1), (20.0, 0.2), (40.0, 0.5)),
    published=((0.3, 0.0), (0.1, 0.0), (2.0, 0.0), (5.0, 0.1), (20.0, 0.2)),
)
DESATURATE = Corruption(
    "desaturate",
    saturate,
    ((1.0, 0.0), (0.75, 0.0), (0.5, 0.0), (0.3, 0.0), (0.1, 0.0), (0.03, 0.0), (0.0, 0.0)),
)
GAMMA = Corruption("gamma", gamma, ((1.0,), (1.5,), (2.0,), (2.5,), (3.5,), (5.0,), (10.0,)))
DARKNESS = Corruption(
    "darkness", darkness, ((1.0,), (0.7,), (0.5,), (0.35,), (0.2,), (0.1,), (0.02,))
)
