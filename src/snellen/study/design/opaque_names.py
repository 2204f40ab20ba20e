"""Names that say nothing about what they name, the same for the same study."""

from __future__ import annotations

import hashlib


class OpaqueNames:
    """Names of 16 hexadecimal digits under a key, which nobody who is shown a name has.

    >>> names = OpaqueNames(b"key")
    >>> names.of("trial", 1) == OpaqueNames(b"key").of("trial", 1) != names.of("trial", 2)
    True
    """

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key, digest_size=32).digest()

    def of(self, *what: object) -> str:
        """The name of a thing."""
        text = "\0".join(map(str, what)).encode()
        return hashlib.blake2b(text, key=self._key, digest_size=8).hexdigest()
