"""Random fields that depend only on a seed and a name, not on the machine or release of numpy.

They are read from the raw words of the bit generator, whose stream numpy guarantees.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np

from snellen.vision.arrays import F32, F64, UInts16, UInts64

WORDS = 1 << 16


def seeded_generator(seed: int, name: str) -> np.random.Generator:
    """The generator of a seed for one purpose; its stream differs from that of any other name."""
    return np.random.Generator(np.random.PCG64([seed, crc32(name.encode())]))


def words(rng: np.random.Generator, *shape: int) -> UInts16:
    """Independent integers, uniform from 0 to 65535."""
    count = int(np.prod(shape))
    drawn: UInts64 = rng.bit_generator.random_raw(-(-count // 4))
    return drawn.astype("<u8", copy=False).view("<u2")[:count].reshape(shape)


def uniform_field(rng: np.random.Generator, *shape: int) -> F32:
    """Independent numbers, uniform from -1 to 1."""
    field = words(rng, *shape).astype(np.float32)
    field *= np.float32(2 / (WORDS - 1))
    field -= np.float32(1)
    return field


def normal_field(rng: np.random.Generator, *shape: int) -> F32:
    """Independent standard normal numbers, up to 4.3 standard deviations."""
    return normal_table()[words(rng, *shape)]


def uniforms(rng: np.random.Generator, count: int) -> F64:
    """(count,) independent numbers, uniform in [0, 1)."""
    drawn: UInts64 = rng.bit_generator.random_raw(count)
    return np.asarray((drawn >> np.uint64(11)) * 2.0**-53, dtype=np.float64)


@lru_cache(maxsize=1)
def normal_table() -> F32:
    """(65536,) the standard normal number of each word: mean 0, variance 1."""
    from scipy.special import ndtri

    exact = ndtri((np.arange(WORDS) + 0.5) / WORDS)
    table: F32 = (exact / exact.std()).astype(np.float32)
    return table
