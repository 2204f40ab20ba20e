"""The random generator of a unit, from (run seed, method, unit id) alone."""

from __future__ import annotations

import hashlib

import numpy as np


def unit_generator(seed: int, method: str, unit_id: str) -> np.random.Generator:
    """A generator that does not depend on order, batch, workers or other units.

    >>> a, b = (int(unit_generator(1, "identity", name).integers(10**9)) for name in ("x", "y"))
    >>> a == int(unit_generator(1, "identity", "x").integers(10**9)), a == b
    (True, False)
    """
    text = f"{seed}\0{method}\0{unit_id}".encode()
    words = np.frombuffer(hashlib.blake2b(text, digest_size=16).digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words.tolist())))
