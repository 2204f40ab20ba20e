"""An LRU cache limited by the memory of its values, for arrays that are costly to decode."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from cachetools import LRUCache


class Sized(Protocol):
    """A value that knows how much memory it takes."""

    @property
    def nbytes(self) -> int:
        """Bytes."""


def byte_cache(limit: int) -> LRUCache[Hashable, Any]:
    """An empty cache of values with `nbytes`, limit: bytes. Pass it to `cachetools.cached`.

    A value above the limit is cached alone, so that a huge photograph is not decoded for each case.

    >>> import numpy as np
    >>> cache = byte_cache(10)
    >>> for key, size in (("a", 4), ("b", 5), ("c", 3)):
    ...     cache[key] = np.zeros(size, np.uint8)
    >>> sorted(cache)
    ['b', 'c']
    >>> cache["huge"] = np.zeros(1000, np.uint8)
    >>> sorted(cache)
    ['huge']
    """

    def size(value: Sized) -> int:
        return min(value.nbytes, limit)

    return LRUCache(limit, getsizeof=size)
