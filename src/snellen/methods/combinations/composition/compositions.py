"""Compositions of exactly the assigned objects, as different from each other as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.composition.arrangement import Arrangement
from snellen.methods.combinations.composition.canvas_fit import exact_fit, rough_fit
from snellen.methods.combinations.composition.dissimilarity import CompositionDraft, farthest
from snellen.methods.combinations.composition.random_draw import draw_composition
from snellen.objects.library.library import Entry, Library

__all__ = ["Arrangement", "Composition", "compositions"]

_TRIES = 8
"""How often a duplicate composition is redrawn."""


@dataclass(frozen=True, eq=False)
class Composition:
    """The recipe of one image, and its contents.

    labels: for each of `recipe.placed`, the index of its hand. overlap: the largest share of an
    object that covers others, or that others cover.
    """

    recipe: Compose
    labels: tuple[int, ...]
    overlap: float


def compositions(
    hands: Sequence[Sequence[Entry]],
    library: Library,
    rng: np.random.Generator,
    *,
    count: int,
    arrangement: Arrangement,
    candidates: int = 3,
) -> list[Composition]:
    """Up to `count` compositions, each with one object of every hand; no two are equal.

    hands: for each present label, the `count` objects assigned to it; each is used once. Every
    composition is the one of `candidates` drawn that differs most from the earlier ones. Fewer than
    `count` where there are no more: there is only one bare white canvas.
    """
    if any(len(hand) != count for hand in hands):
        found = [len(hand) for hand in hands]
        raise ValueError(f"hands of {found} objects for {count} compositions")
    table = _Table(hands, library, rng, arrangement)
    for _ in range(count):
        table.play(candidates)
    return table.laid


class _Table:
    """The unused objects, and the compositions so far."""

    def __init__(
        self,
        hands: Sequence[Sequence[Entry]],
        library: Library,
        rng: np.random.Generator,
        arrangement: Arrangement,
    ) -> None:
        self.left = [list(hand) for hand in hands]
        self.library, self.rng, self.arrangement = library, rng, arrangement
        self.laid: list[Composition] = []
        self.looks: list[CompositionDraft] = []

    def play(self, candidates: int) -> None:
        """Add a composition of one object of every hand, different from the others if possible."""
        for _ in range(_TRIES):
            looks = [self._candidate() for _ in range(candidates)]
            look = looks[farthest(looks, self.looks)]
            composition = exact_composition(look, self.library, self.arrangement)
            if composition.recipe not in [one.recipe for one in self.laid]:
                self.laid.append(composition)
                self.looks.append(look)
                break
        for hand, card in zip(self.left, look.draw.cards, strict=True):
            del hand[card]

    def _candidate(self) -> CompositionDraft:
        draw = draw_composition(self.left, self.arrangement, self.rng)
        return CompositionDraft(draw, rough_fit(draw, self.library))


def exact_composition(
    look: CompositionDraft, library: Library, arrangement: Arrangement
) -> Composition:
    """The composition of a draft, at its final size."""
    draw, feather = look.draw, arrangement.feather
    longest, border = arrangement.longest, arrangement.border
    if look.fit is None:
        return Composition(Compose(longest, longest, (), draw.background, feather), (), 0.0)
    fit = exact_fit(look.fit, draw, library, arrangement)
    layout, sizes = fit.layout, fit.sizes
    if fit.stopped:
        longest = min(longest, fit.longest + 2 * border)
    wide = layout.width >= layout.height
    width = longest if wide else layout.width + 2 * border
    height = layout.height + 2 * border if wide else longest
    free = np.array([width - layout.width, height - layout.height])
    corners = layout.corners + free // 2
    placed = tuple(
        (entry.id, x, y, w, h)
        for entry, (x, y), (w, h) in zip(
            draw.entries, corners.tolist(), sizes.tolist(), strict=True
        )
    )
    recipe = Compose(width, height, placed, draw.background, feather)
    return Composition(recipe, draw.labels, layout.overlap)
