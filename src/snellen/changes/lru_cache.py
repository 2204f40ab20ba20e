"""Values that were used lately, so that what is costly to find is found once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """A number of values by key, the one unused for longest dropped first; safe in threads.

    Two threads may find the same value at once; it must not matter which is kept.

    >>> kept: LruCache[str, int] = LruCache(most=1)
    >>> kept.get("a", lambda: 1), kept.get("a", lambda: 2), kept.get("b", lambda: 3)
    (1, 1, 3)
    >>> kept.get("a", lambda: 4)
    4
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, find: Callable[[], V]) -> V:
        """The value of a key, found now or kept from before."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = find()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
