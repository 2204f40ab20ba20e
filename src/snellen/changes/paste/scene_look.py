"""How a scene looks where something is pasted: its palette there, its cast and its edges.

What concerns the whole scene is found once for all that is pasted into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from weakref import ref

import numpy as np
from cachetools import LRUCache

from snellen.changes.paste.palette import Palette, blur_within, palette, to_lab
from snellen.vision.arrays import F32, Bytes, Image
from snellen.vision.image_features.edge_crests import EdgeCrests, crests_of

HELD = 4
"""Scenes whose look is held."""


@dataclass(frozen=True, eq=False)
class SceneLook:
    """The edges of a scene, the mean of its a* and b*, and their mean distance from grey."""

    crests: tuple[EdgeCrests, EdgeCrests]
    cast: F32
    chroma: float

    @classmethod
    def of(cls, image: Image) -> SceneLook:
        """The look of (H, W, 3) pixels; the colours are those of every 16th row and column."""
        colours = to_lab(image[::16, ::16])[..., 1:].reshape(-1, 2).astype(np.float64)
        cast = colours.mean(axis=0).astype(np.float32)
        return cls(crests_of(image), cast, float(np.hypot(*colours.T).mean()))


_held: LRUCache[int, tuple[ref[Image], SceneLook]] = LRUCache(HELD)
_lock = Lock()


def scene_look(image: Image) -> SceneLook:
    """The look of an image; cached if it cannot be written to, as the pixels of a scene."""
    if image.flags.writeable:
        return SceneLook.of(image)
    with _lock:
        found = _held.get(id(image))
        if found is not None and found[0]() is image:
            return found[1]
    look = SceneLook.of(image)
    with _lock:
        _held[id(image)] = ref(image), look
    return look


def surrounding_palette(
    image: Image, alpha: Bytes, x: int, y: int, *, blur: bool = False
) -> Palette | None:
    """The palette of the scene around a shape with alpha (h, w), top-left corner at x, y.

    Pixels outside the shape count, up to a quarter of its size (at least 4 pixels) away. blur:
    whether that is measured, too; a* and b* are then those of the whole scene, since a meadow
    colours nothing that stands on it, but the light and the camera do.
    """
    rows, columns = alpha.shape
    margin = max(4, (rows + columns) // 8)
    height, width = image.shape[:2]
    top, left = max(y - margin, 0), max(x - margin, 0)
    bottom, right = min(y + rows + margin, height), min(x + columns + margin, width)
    if bottom <= top or right <= left:
        return None
    free = np.ones((bottom - top, right - left), dtype=np.bool_)
    first, start = max(y, 0), max(x, 0)
    last, end = min(y + rows, height), min(x + columns, width)
    shape = alpha[first - y : last - y, start - x : end - x]
    free[first - top : last - top, start - left : end - left] = shape == 0
    part = image[top:bottom, left:right]
    if not blur:
        return palette(part, free)
    look = scene_look(image)
    near = palette(part, free, sampled=True)
    if near is None:
        return None
    mean = np.concatenate([near.mean[:1], look.cast])
    return Palette(mean, near.spread, blur_within(look.crests, free, top, left), look.chroma)
