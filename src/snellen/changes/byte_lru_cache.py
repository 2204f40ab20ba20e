"""Arrays that were used lately, up to so many bytes: what is costly to decode is decoded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]


class ByteLruCache:
    """Arrays by a key that tells their content, such as a hash of it; the newest is always kept.

    >>> kept = ByteLruCache(most=10)
    >>> for made in (8, 5):
    ...     print(kept.get("a", lambda: np.zeros(made, np.uint8)).size)
    8
    8
    >>> kept.get("b", lambda: np.zeros(3, np.uint8)).size, list(kept)
    (3, ['b'])
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._items: OrderedDict[str, Bytes] = OrderedDict()
        self._lock = Lock()

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._items))

    def get(self, key: str, make: Callable[[], Bytes]) -> Bytes:
        """The array of a key, made now or kept from before."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key]
        made = make()
        with self._lock:
            if key not in self._items:
                self._items[key] = made
                self._bytes += made.nbytes
            while self._bytes > self._most and len(self._items) > 1:
                self._bytes -= self._items.popitem(last=False)[1].nbytes
        return made
