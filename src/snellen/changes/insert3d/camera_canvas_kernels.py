"""Compiled composition of the pixels of an image with shadows and meshes."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.compilation import compiled

Array = Any


@compiled
def compose_window(
    before: Array,
    taken: Array,
    body: Array,
    grain: Array,
    ground: Array,
    camera: Array,
    window: Array,
    after: Array,
) -> None:
    """Write the pixels of a window (left, top, right, bottom) of `after` (H, W, 3).

    before: (H, W, 3) the original image. taken: (H, W, 3) shares of sky and sun that shadows
    block, and the share of sun that was there. body: (H, W, 4) colours of meshes from 0 to 1,
    premultiplied by alpha, and alpha. grain: (H, W, 3) noise of standard deviation 1, multiplied by
    alpha. ground: (2, 3) light of sky and sun on the ground. camera: gamma, and floor and gain of
    the noise.
    """
    power = 1.0 / camera[0]
    for r in range(window[1], window[3]):
        for c in range(window[0], window[2]):
            sky, sun, share = taken[r, c, 0], taken[r, c, 1], taken[r, c, 2]
            alpha = min(body[r, c, 3], np.float32(1.0))
            if alpha == 0 and sky == 0 and sun == 0:
                continue
            for k in range(3):
                value = float(before[r, c, k])
                if sky > 0 or sun > 0:
                    whole = ground[0, k] + ground[1, k] * share
                    left = ground[0, k] * (1 - sky) + ground[1, k] * share * (1 - sun)
                    ratio = left / max(whole, 1e-6)
                    value *= ratio if power == 1.0 else ratio**power
                if alpha > 0:
                    own = 255.0 * body[r, c, k]
                    noise = np.sqrt(max(camera[1] + camera[2] * own / alpha, 0.0))
                    value = value * (1 - alpha) + own + noise * grain[r, c, k]
                after[r, c, k] = np.uint8(min(max(value + 0.5, 0.0), 255.0))
