"""What may stand in place of an object or a background of a composition."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.random import Generator

from snellen.changes.compose.compose import Compose, Placing
from snellen.methods.combinations.composition.arrangement import Arrangement
from snellen.methods.combinations.composition.random_draw import draw_background
from snellen.objects.library.library import Entry

OTHERS = 2
"""How many other objects, and other backgrounds, are tried."""
PLAIN = ("#c8c8c8", "#808080", "#ffffff")
"""Other backgrounds than a plain one."""
DRAWS = 8
"""How often another background is drawn that turns out to be the same."""


@dataclass(frozen=True, eq=False)
class Substitutes:
    """Objects and backgrounds to use instead of those of a composition.

    objects: those of each label by its class id. labels: the class id of each object by its id.
    """

    objects: Mapping[int, Sequence[Entry]]
    labels: Mapping[str, int]
    arrangement: Arrangement
    rng: Generator

    def same_label(self, recipe: Compose, places: Sequence[int]) -> list[Compose]:
        """The composition with other objects of the same labels at these places, up to two.

        Objects whose label has no other one stay; none if that is true of all.
        """
        drawn = [self._others(recipe, place) for place in places]
        made = []
        for number in range(OTHERS):
            changed = recipe
            for place, others in zip(places, drawn, strict=True):
                if others:
                    other = others[number % len(others)]
                    changed = changed.with_object(place, in_place(recipe, place, other))
            made.append(changed)
        return [one for one in dict.fromkeys(made) if one != recipe]

    def other_label(
        self, recipe: Compose, places: Sequence[int], avoided: set[int]
    ) -> Compose | None:
        """The composition with objects of other labels at these places; None without any.

        avoided: further labels not to show.
        """
        avoided = avoided | {self.labels[id] for id, *_ in recipe.placed}
        free = sorted(self.objects.keys() - avoided)
        if len(free) < len(places):
            return None
        chosen = self.rng.choice(len(free), len(places), replace=False)
        for place, number in zip(places, chosen.tolist(), strict=True):
            entries = self.objects[free[number]]
            entry = entries[int(self.rng.integers(len(entries)))]
            recipe = recipe.with_object(place, in_place(recipe, place, entry))
        return recipe

    def backgrounds(self, background: str, count: int = OTHERS) -> list[str]:
        """Other backgrounds of the same kind, plain ones if there are no more."""
        drawn = [draw_background(self.arrangement, self.rng) for _ in range(DRAWS)]
        different = [one for one in dict.fromkeys([*drawn, *PLAIN]) if one != background]
        return different[:count]

    def _others(self, recipe: Compose, place: int) -> list[Entry]:
        """Two other objects of the label of one, in random order."""
        used = {id for id, *_ in recipe.placed}
        entries = self.objects.get(self.labels[recipe.placed[place][0]], ())
        found = [entry for entry in entries if entry.id not in used]
        order = self.rng.permutation(len(found))[:OTHERS]
        return [found[int(number)] for number in order]


def in_place(recipe: Compose, place: int, entry: Entry) -> Placing:
    """Another object in the middle of an object's box and of the same area, inside the canvas."""
    _, x, y, width, height = recipe.placed[place]
    factor = math.sqrt(width * height / (entry.width * entry.height))
    factor = min(factor, recipe.width / entry.width, recipe.height / entry.height)
    size = max(1, int(entry.width * factor)), max(1, int(entry.height * factor))
    corner = x + (width - size[0]) // 2, y + (height - size[1]) // 2
    left = min(max(0, corner[0]), recipe.width - size[0])
    top = min(max(0, corner[1]), recipe.height - size[1])
    return entry.id, left, top, *size
