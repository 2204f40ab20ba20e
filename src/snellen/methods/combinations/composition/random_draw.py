"""The random draw of one composition: which objects, their order, size and direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.methods.combinations.composition.arrangement import WHITE, Arrangement
from snellen.objects.library.library import Entry
from snellen.vision.arrays import F64

MOST_SLENDER = 2.5
"""With equal sizing, the maximum side of an object, in sides of a square of the common area: a
fishing rod of that area would dwarf the others."""


@dataclass(frozen=True, eq=False)
class RandomDraw:
    """One composition before it is laid out.

    cards: for each hand, the index of the object drawn. labels: for each object, from back to
    front, its hand. entries: the objects in that order. factors: (K,) scales of their
    pixels, in a common unit. directions: (K,) degrees. overlaps: (K,) wanted overlap fractions.
    limit: the overlap that the most overlapped object should reach, which none exceeds.
    """

    cards: tuple[int, ...]
    labels: tuple[int, ...]
    entries: tuple[Entry, ...]
    factors: F64
    directions: F64
    overlaps: F64
    limit: float
    background: str

    @cached_property
    def pixels(self) -> F64:
        """(K, 2) widths and heights of the objects as they were cut."""
        own = np.array([(entry.width, entry.height) for entry in self.entries], np.float64)
        return own.reshape(-1, 2)

    @cached_property
    def extents(self) -> F64:
        """(K, 2) widths and heights in the common unit."""
        extents: F64 = self.pixels * self.factors[:, None]
        return extents


def draw_composition(
    hands: Sequence[Sequence[Entry]], arrangement: Arrangement, rng: np.random.Generator
) -> RandomDraw:
    """One object of every hand in random order, with all random values of the layout.

    The largest overlap of the image is drawn first, so that it is uniform over its range however
    many objects there are; the front object aims at it, the others at less.
    """
    number = len(hands)
    cards = tuple(int(rng.integers(len(hand))) for hand in hands)
    labels = tuple(int(place) for place in rng.permutation(number))
    entries = tuple(hands[label][cards[label]] for label in labels)
    scales = rng.uniform(*arrangement.scale, number)
    directions = rng.uniform(0, 360, number)
    limit = float(rng.uniform(0, arrangement.overlap))
    overlaps = limit * rng.uniform(0, 1, number)
    overlaps[-1:] = limit
    sizes = np.array([_size(entry, arrangement.sizing) for entry in entries])
    background = draw_background(arrangement, rng)
    factors = scales * sizes
    return RandomDraw(cards, labels, entries, factors, directions, overlaps, limit, background)


def _size(entry: Entry, sizing: str) -> float:
    """The factor that an object's pixels are multiplied by before it is scaled."""
    if sizing == "own":
        return 1.0
    area = entry.area or entry.width * entry.height
    return min(1 / math.sqrt(area), MOST_SLENDER / max(entry.width, entry.height))


def draw_background(arrangement: Arrangement, rng: np.random.Generator) -> str:
    """A background of the arrangement's kind, as a recipe names it."""
    match arrangement.background:
        case "white":
            return WHITE
        case "colours":
            return _colour(rng)
        case "gradients":
            return f"gradient:{_colour(rng)}:{_colour(rng)}:{int(rng.integers(360))}"
        case "photographs":
            photographs = arrangement.photographs
            return f"photo:{photographs[int(rng.integers(len(photographs)))]}"
    return arrangement.background


def _colour(rng: np.random.Generator) -> str:
    return "#" + "".join(f"{value:02x}" for value in rng.integers(0, 256, 3))
