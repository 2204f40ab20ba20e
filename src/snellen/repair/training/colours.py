"""Pictures in slightly other colours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
HUES = 180  # OpenCV's degrees of hue in 8 bits, two by two


def recoloured(image: Pixels, hue: float, saturation: float, value: float) -> Pixels:
    """The picture with its hue turned (a share of a whole turn), the others multiplied.

    image: H x W x 3 uint8 RGB.

    >>> red = np.full((1, 1, 3), (200, 0, 0), dtype=np.uint8)
    >>> recoloured(red, 1 / 3, 1.0, 0.5).tolist()
    [[[0, 100, 0]]]
    """
    import cv2

    if (hue, saturation, value) == (0.0, 1.0, 1.0):
        return image
    levels = np.arange(256)
    table = np.stack(
        [
            (levels + round(hue * HUES)) % HUES,
            np.clip(np.rint(levels * saturation), 0, 255),
            np.clip(np.rint(levels * value), 0, 255),
        ],
        axis=-1,
    ).astype(np.uint8)
    turned = cv2.LUT(cv2.cvtColor(image, cv2.COLOR_RGB2HSV), table[None])
    return np.asarray(cv2.cvtColor(turned, cv2.COLOR_HSV2RGB))
