"""A cache of the decoded pixels of cut-outs, which are pasted at many sizes."""

from __future__ import annotations

from threading import Lock

from cachetools import cached

from snellen.changes.byte_cache import byte_cache
from snellen.errors import UserError
from snellen.objects.library.library import Library
from snellen.vision.arrays import Bytes

MOST_BYTES = 64 * 2**20


def cutout_pixels(library: Library | None, id: str) -> Bytes:
    """H x W x 4 RGBA pixels of an object; its id is a hash of them, whatever the library."""
    if library is None:
        raise UserError(
            f"the recipe contains object '{id}', but there is no object library. "
            "Name one under 'objects' in the configuration."
        )
    return _decoded(id, library)


@cached(byte_cache(MOST_BYTES), key=lambda id, *_: id, lock=Lock())
def _decoded(id: str, library: Library) -> Bytes:
    return library.cutout(id).pixels
