"""Frost: ice crystals on a pane in front of the camera."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.crystals import PANES, SIDE, pane
from snellen.changes.corruptions.random_fields import seeded_generator, uniforms
from snellen.vision.arrays import Image


def frost(image: Image, settings: Settings, seed: int) -> Image:
    """The image dimmed, with a frosted pane added; settings: the weight of each, up to 1."""
    import cv2

    kept, added = settings
    ice = _ice(image.shape[0], image.shape[1], seed)
    found: Image = cv2.addWeighted(image, kept, ice, added, 0)
    return found


@lru_cache(maxsize=8)
def _ice(height: int, width: int, seed: int) -> Image:
    """A part of one of the panes, flipped at random and resized to the image.

    Its longer side spans 60% to 95% of the pane, so that the size of crystals relative to the image
    does not depend on the resolution.
    """
    import cv2

    which, over, upside, size, left, top = uniforms(seeded_generator(seed, "frost"), 6)
    scale = (0.6 + 0.35 * size) * SIDE / max(height, width)
    halvings = max(0, int(np.log2(scale)))
    whole, scale = pane(int(which * PANES), halvings), scale / 2**halvings
    rows, columns = max(1, round(height * scale)), max(1, round(width * scale))
    y, x = round(top * (len(whole) - rows)), round(left * (len(whole) - columns))
    part = whole[y : y + rows, x : x + columns]
    part = part[:: -1 if upside < 0.5 else 1, :: -1 if over < 0.5 else 1]
    how = cv2.INTER_LINEAR if scale > 1 else cv2.INTER_CUBIC
    ice: Image = cv2.resize(part, (width, height), interpolation=how)
    ice.setflags(write=False)
    return ice


FROST = Corruption(
    "frost",
    frost,
    ((1.0, 0.0), (0.8, 0.25), (0.66, 0.4), (0.54, 0.5), (0.42, 0.6), (0.3, 0.7), (0.05, 0.95)),
    published=((1.0, 0.4), (0.8, 0.6), (0.7, 0.7), (0.65, 0.7), (0.6, 0.75)),
)
