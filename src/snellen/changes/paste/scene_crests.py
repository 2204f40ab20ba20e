"""The edge crests of a scene, found once for all that is pasted into it."""

from __future__ import annotations

from threading import Lock
from weakref import ref

from cachetools import LRUCache

from snellen.vision.arrays import Image
from snellen.vision.image_features.edge_blur import EdgeCrests, crests_of

HELD = 4
"""Scenes whose crests are held."""

_held: LRUCache[int, tuple[ref[Image], tuple[EdgeCrests, EdgeCrests]]] = LRUCache(HELD)
_lock = Lock()


def scene_crests(image: Image) -> tuple[EdgeCrests, EdgeCrests]:
    """`crests_of` an image; cached if it cannot be written to, as the pixels of a scene."""
    if image.flags.writeable:
        return crests_of(image)
    with _lock:
        found = _held.get(id(image))
        if found is not None and found[0]() is image:
            return found[1]
    crests = crests_of(image)
    with _lock:
        _held[id(image)] = ref(image), crests
    return crests
