"""Which picture comes when: originals and repairs in the ratio asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

ORIGINAL, REPAIR = 0, 1
_START, _DECK, _LOOK = range(3)


@dataclass(frozen=True)
class Mixture:
    """An endless row of places, each with a picture, all decided by the seed beforehand.

    counts: how many original and repair pictures there are. mix: the chance of each place to be a
    repair. Among the first n places there are n * mix repairs, rounded up or down, so any batch
    has its share. Each part is dealt from shuffled decks: every picture comes once before any comes
    twice. Nothing is drawn on the way: what stands at place n needs no places before it, which
    lets a killed training go on and threads run ahead without changing anything.
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
        return part, self.dealt(part, before if part == REPAIR else place - before)

    def dealt(self, part: int, turn: int) -> int:
        """The index of the picture that the part gives at its own n-th turn."""
        deck, place = divmod(turn, self.counts[part])
        return int(_shuffled(self.seed, part, deck, self.counts[part])[place])

    def look(self, place: int) -> np.random.Generator:
        """The randomness of the picture's looks at this place."""
        return generator(self.seed, _LOOK, place)

    def _repairs(self, places: int) -> int:
        """How many of the first places are repairs: each place is one with chance `share`."""
        return math.floor(places * self.share + _start(self.seed))


def generator(*key: int) -> np.random.Generator:
    """A generator of this key alone."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(key)))


@lru_cache(maxsize=64)
def _start(seed: int) -> float:
    return float(generator(seed, _START).random())


@lru_cache(maxsize=16)
def _shuffled(seed: int, part: int, deck: int, count: int) -> npt.NDArray[np.int64]:
    return generator(seed, _DECK, part, deck).permutation(count)
