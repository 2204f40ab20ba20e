"""Signs that a part of an object is missing which no annotation shows.

Whatever hides the lower half of a person (a table, a hedge, a caption) is seldom annotated, but
cuts the outline along a straight line where a living thing has feet.
"""

from __future__ import annotations

from snellen.objects.label_names import plain_name
from snellen.objects.typical_heights import stands_upright
from snellen.vision.arrays import Bytes

ANIMALS = ("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe")
"""Besides people, what has no long straight sides to its outline."""
DEPTH = 0.02
"""Depth of the strip along a side of the box, as a share of the box; at least 2 pixels."""
BASE = 0.08
"""The same for the base of what stands upright: feet are wider than their lowest pixels."""
HEAD = 0.68
"""The largest share of the width that a head takes, in a strip of that depth."""
FEET = ((2.25, 0.75), (1.6, 0.5), (1.45, 0.25))
"""Height of a whole person as a multiple of the width, and the largest share of the width that feet
then take: the more slender, the more. Who sits, lies or is half hidden has less height or a wider
base."""


def flat_shares(alpha: Bytes) -> tuple[float, float, float, float]:
    """The shares of the left, top, right and bottom of its box that an outline follows.

    alpha: (H, W), cropped to the object. A share is that of the rows or columns that reach into
    the strip along the side.

    >>> import numpy as np
    >>> flat_shares(np.full((50, 50), 255, np.uint8))
    (1.0, 1.0, 1.0, 1.0)
    >>> triangle = np.triu(np.ones((100, 100), np.uint8)) * np.uint8(255)
    >>> flat_shares(triangle)
    (0.02, 1.0, 1.0, 0.02)
    """
    solid = alpha >= 128
    rows, columns = (max(2, round(DEPTH * length)) for length in solid.shape)
    left, right = (part.any(axis=1).mean() for part in (solid[:, :columns], solid[:, -columns:]))
    top, bottom = (part.any(axis=0).mean() for part in (solid[:rows], solid[-rows:]))
    return (
        round(float(left), 4),
        round(float(top), 4),
        round(float(right), 4),
        round(float(bottom), 4),
    )


def looks_cut_off(label: str, alpha: Bytes, flat: float) -> bool:
    """Whether the outline of a living thing follows more than `flat` of a side of its box.

    Animals sit and lie, so that their base does not count. A person also looks cut off if the base
    is wide or the height small.
    """
    upright = stands_upright(label)
    if not upright and plain_name(label) not in ANIMALS:
        return False
    return max(flat_shares(alpha)[:3]) > flat or (upright and _not_upright(alpha))


def _not_upright(alpha: Bytes) -> bool:
    """Whether a person has no feet, no head, or is not slender."""
    rows = max(2, round(BASE * alpha.shape[0]))
    solid = alpha >= 128
    head, feet = (float(part.any(axis=0).mean()) for part in (solid[:rows], solid[-rows:]))
    slender = alpha.shape[0] / alpha.shape[1]
    most = next((share for ratio, share in FEET if slender >= ratio), 0.0)
    return feet > most or head > HEAD
