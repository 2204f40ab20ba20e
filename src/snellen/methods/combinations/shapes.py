"""Shapes of objects at any size, with each object's alpha decoded once and kept."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import numpy as np

from snellen.changes.layout import Shape
from snellen.changes.stencil import Bytes, binary, resized
from snellen.objects.library import Library

MOST_BYTES = 64 * 2**20


def shape_at(library: Library, id: str, width: int, height: int) -> Shape:
    """Where an object is, H x W of 0 and 1, when it is pasted so large.

    That is, where its alpha is one half or more; of its greatest half, where it never is. One that
    is nowhere at all counts as its rectangle.
    """
    alpha = _alpha(library, id).astype(np.float32) / np.float32(255)
    shape: Shape = binary(resized(alpha, width, height)).astype(np.uint8)
    return shape if shape.any() else np.ones_like(shape)


def _alpha(library: Library, id: str) -> Bytes:
    """The alpha of a cut-out. Its id is a hash of its pixels, so one kept is right for ever."""
    with _lock:
        if id in _kept:
            _kept.move_to_end(id)
            return _kept[id]
    alpha: Bytes = np.ascontiguousarray(library.cutout(id).pixels[..., 3])
    with _lock:
        _kept[id] = alpha
        while len(_kept) > 1 and sum(one.nbytes for one in _kept.values()) > MOST_BYTES:
            _kept.popitem(last=False)
    return alpha


_lock = Lock()
_kept: OrderedDict[str, Bytes] = OrderedDict()
