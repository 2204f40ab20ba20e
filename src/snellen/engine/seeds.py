"""The random generators of a unit, from (run seed, method, unit id), and of its findings."""

from __future__ import annotations

import hashlib

import numpy as np

from snellen.changes.recipe import Recipe


def unit_generator(seed: int, method: str, unit_id: str) -> np.random.Generator:
    """A generator that does not depend on order, batch, workers or other units.

    >>> a, b = (int(unit_generator(1, "identity", name).integers(10**9)) for name in ("x", "y"))
    >>> a == int(unit_generator(1, "identity", "x").integers(10**9)), a == b
    (True, False)
    """
    text = f"{seed}\0{method}\0{unit_id}".encode()
    words = np.frombuffer(hashlib.blake2b(text, digest_size=16).digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words.tolist())))


def finding_generator(unit: np.random.Generator, recipe: Recipe) -> np.random.Generator:
    """The randomness of the explanation of one finding of a unit.

    It depends on the seed of the unit's generator and the finding's recipe alone, so that a finding
    explained later by hand gets the same questions. unit: the unit's generator, in any state.
    """
    seeds = unit.bit_generator.seed_seq
    assert isinstance(seeds, np.random.SeedSequence)
    key = tuple(recipe.digest[:16].encode())
    spawned = np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, *key))
    return np.random.Generator(np.random.PCG64(spawned))
