"""Linear maps of colours: 3 x 3 matrices that act on RGB and keep grey as it is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.changes.corruptions.corruption import Image

Matrix = npt.NDArray[np.float64]

_LUMA = np.array([0.299, 0.587, 0.114])
_TO_YIQ = np.array([_LUMA, [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])


def coloured(image: Image, matrix: Matrix, added: Matrix) -> Image:
    """Each pixel's colour times the matrix, plus `added` (3,) in grey levels, rounded, clipped."""
    import cv2

    found: Image = cv2.transform(image, np.column_stack([matrix, added]))
    return found


def hue_turned(turns: float) -> Matrix:
    """The colours turned about the grey axis at the same luma; 1 is a full turn.

    >>> np.allclose(hue_turned(0.25) @ [7, 7, 7], [7, 7, 7], atol=0.01)
    True
    """
    angle = 2 * np.pi * turns
    turned = np.array(
        [
            [1, 0, 0],
            [0, np.cos(angle), -np.sin(angle)],
            [0, np.sin(angle), np.cos(angle)],
        ]
    )
    matrix: Matrix = np.linalg.inv(_TO_YIQ) @ turned @ _TO_YIQ
    return matrix


def saturation_scaled(factor: float) -> Matrix:
    """The colours' distance from grey of the same luma, times a factor.

    >>> saturation_scaled(0.0) @ [10, 10, 10]
    array([10., 10., 10.])
    """
    return factor * np.eye(3) + (1 - factor) * np.tile(_LUMA, (3, 1))
