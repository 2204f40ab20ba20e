"""The dissimilarity of two compositions, without rendering them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.methods.combinations.composition.canvas_fit import CanvasFit
from snellen.methods.combinations.composition.random_draw import RandomDraw
from snellen.objects.library.library import Entry
from snellen.vision.arrays import F64

_HASH_BITS = 64


@dataclass(frozen=True, eq=False)
class CompositionDraft:
    """A composition to compare: its random draw and a rough layout.

    fit: None where there are no objects.
    """

    draw: RandomDraw
    fit: CanvasFit | None

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The object of each label."""
        return tuple(self.draw.entries[place] for place in np.argsort(self.draw.labels))

    @cached_property
    def where(self) -> F64:
        """(L, 4) for each label, as shares of the longest side: x and y of its object's centre, the
        side of a square with its box's area; and its depth from back (0) to front (1).
        """
        number, fit = len(self.draw.labels), self.fit
        if fit is None:
            return np.empty((0, 4))
        middle = (fit.layout.corners + fit.sizes / 2) / fit.longest
        side = np.sqrt(fit.sizes.prod(axis=1)) / fit.longest
        order = np.arange(number) / max(number - 1, 1)
        return np.column_stack([middle, side, order])[np.argsort(self.draw.labels)]


def distance(one: CompositionDraft, other: CompositionDraft) -> float:
    """The distance of two drafts of the same labels: 0 for equal ones, at most 1.75."""
    behind = float(one.draw.background != other.draw.background)
    if not one.entries:
        return behind
    places = float(np.abs(one.where - other.where).sum()) / one.where.size
    objects = sum(map(_unlike, one.entries, other.entries)) / len(one.entries)
    return places + objects / 2 + behind / 4


def farthest(looks: Sequence[CompositionDraft], kept: Sequence[CompositionDraft]) -> int:
    """The index of the draft farthest from its nearest in `kept`; the first of ties."""
    best, found = -1.0, 0
    for place, look in enumerate(looks):
        nearest = np.inf if kept else 0.0
        for old in kept:
            nearest = min(nearest, distance(look, old))
            if nearest <= best:
                break
        if nearest > best:
            best, found = nearest, place
    return found


def _unlike(one: Entry, other: Entry) -> float:
    """0 for the same object, else the share of differing bits of the average hashes."""
    if one.id == other.id:
        return 0.0
    return (1 + (one.hash ^ other.hash).bit_count()) / (1 + _HASH_BITS)
