"""Random integers for compiled loops, the same on every machine."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import UInts64
from snellen.vision.compilation import compiled


def xorshift_state(seed: int, salt: int = 0) -> UInts64:
    """(1,) the state of a generator, never zero."""
    state = np.random.SeedSequence([seed, salt]).generate_state(1, np.uint64)
    return state | np.uint64(1)


@compiled
def below(state: UInts64, limit: int) -> int:
    """A random integer in [0, limit), by xorshift64*; advances the state."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return np.int64((high * np.uint64(limit)) >> np.uint64(32))  # type: ignore[return-value]
