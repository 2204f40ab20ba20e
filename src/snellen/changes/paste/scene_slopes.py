"""The slopes of a scene, computed once for all that is pasted into it."""

from __future__ import annotations

from threading import Lock
from weakref import ref

from cachetools import LRUCache

from snellen.vision.arrays import F32, Image
from snellen.vision.image_features.edge_blur import slopes_of

HELD = 4
"""Scenes whose slopes are held."""

_held: LRUCache[int, tuple[ref[Image], tuple[F32, F32]]] = LRUCache(HELD)
_lock = Lock()


def scene_slopes(image: Image) -> tuple[F32, F32]:
    """`slopes_of` an image; cached if it cannot be written to, as the pixels of a scene."""
    if image.flags.writeable:
        return slopes_of(image)
    with _lock:
        found = _held.get(id(image))
        if found is not None and found[0]() is image:
            return found[1]
    slopes = slopes_of(image)
    with _lock:
        _held[id(image)] = ref(image), slopes
    return slopes
