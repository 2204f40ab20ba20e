"""The order of pictures: originals and repairs in a given ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.vision.arrays import Ints

ORIGINAL, REPAIR = 0, 1
_START, _DECK, _LOOK = range(3)


@dataclass(frozen=True)
class Mixture:
    """An infinite sequence of pictures, determined by the seed.

    counts: the numbers of original and repair pictures. mix: the probability that a place is a
    repair. The first n places contain n * mix repairs, rounded up or down, so any batch has its
    share. Each part is reshuffled for every pass over it. The picture at place n can be computed
    without the places before it, so a training can be resumed and threads can work in advance
    without changing the result.
    """

    counts: tuple[int, int]
    mix: float
    seed: int

    @property
    def share(self) -> float:
        """The share of repairs; all or none where one part is empty."""
        originals, repairs = self.counts
        return 0.0 if not repairs else 1.0 if not originals else self.mix

    def at(self, place: int) -> tuple[int, int]:
        """The part (`ORIGINAL` or `REPAIR`) and the picture's index in it."""
        before = self._repairs(place)
        part = REPAIR if self._repairs(place + 1) > before else ORIGINAL
        return part, self.picture_at(part, before if part == REPAIR else place - before)

    def picture_at(self, part: int, turn: int) -> int:
        """The index of the part's n-th picture in the sequence."""
        deck, place = divmod(turn, self.counts[part])
        return int(_shuffled(self.seed, part, deck, self.counts[part])[place])

    def rng_at(self, place: int) -> np.random.Generator:
        """The random generator of the augmentation at this place."""
        return generator(self.seed, _LOOK, place)

    def _repairs(self, places: int) -> int:
        """The number of repairs among the first places."""
        return math.floor(places * self.share + _start(self.seed))


def generator(*key: int) -> np.random.Generator:
    """A random generator that depends on this key alone."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(key)))


@lru_cache(maxsize=64)
def _start(seed: int) -> float:
    return float(generator(seed, _START).random())


@lru_cache(maxsize=16)
def _shuffled(seed: int, part: int, deck: int, count: int) -> Ints:
    return generator(seed, _DECK, part, deck).permutation(count)
