"""Counterfactuals of one insertion: what else could be pasted, where, how, and how little of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, log

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.blending import Blending
from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Recipe
from snellen.methods.free_places import FreeSpace, pasted_box
from snellen.methods.paste.paste_controls import SceneObstacles, patch_at
from snellen.methods.planned_case import in_turn
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library
from snellen.vision.arrays import F64, Boxes, Ints
from snellen.vision.boxes.box_geometry import overlap

STEP = 1.05
"""The ratio of two neighbouring sizes or opacities: an area within 10% of the smallest."""
LEAST = 0.1
"""The smallest size and opacity that are tried, as a share of the finding's."""
SHIFTS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))
TRIED_SOURCES = 64
STRETCHED = 1.5
"""The largest factor by which another object's aspect ratio is preferably changed."""


@dataclass(frozen=True)
class Counterfactual:
    """A recipe in place of a finding's. name: what it is, for people."""

    name: str
    recipe: Recipe


@dataclass(frozen=True, eq=False)
class PasteCounterfactuals:
    """The counterfactuals of an insertion.

    struck: (N, 4) xyxy boxes of what the finding strikes. room: where the object may stand.
    """

    recipe: Insert
    around: SceneObstacles
    struck: Boxes
    library: Library
    room: FreeSpace

    def patches(self, count: int, rng: Generator) -> list[Counterfactual]:
        """Background through the same mask at the same place, from different sources."""
        sources = _apart(self.around.sources(self.recipe), self.recipe, count, rng)
        name = "background through the same mask"
        return [Counterfactual(name, patch_at(self.recipe, x, y)) for x, y in sources]

    def copies(self, count: int) -> list[Counterfactual]:
        """Near-identical copies, `count` or fewer: a real cause does not hang on single pixels."""
        one = self.recipe
        shifted = [replace(one, x=one.x + x, y=one.y + y) for x, y in SHIFTS]
        free = sorted((copy for copy in shifted if self._clear(copy)), key=self.gap)
        moved = [Counterfactual("the same, shifted by 1 px", copy) for copy in free]
        soft = one.blending in (Blending.FEATHER, Blending.MATCHED, Blending.NATURAL)
        edge = replace(one, feather=one.feather + 1)
        faint = [
            Counterfactual(f"the same at {share:.0%} opacity", replace(one, opacity=share))
            for share in (0.97, 0.94)
        ]
        edges = [Counterfactual("the same with an edge 1 px softer", edge)] if soft else []
        kinds = [*moved[:1], faint[0], *edges, *moved[1:3], faint[1], *moved[3:]]
        return kinds[:count]

    def others(self, count: int, rng: Generator) -> list[Counterfactual]:
        """Other objects in the same rectangle, of other labels if there are any."""
        entries = [
            entry
            for label in self.library.labels()
            for entry in self.library.entries(label)
            if entry.source != self.around.scene.digest and entry.id != self.recipe.object
        ]
        own = plain_name(self.label)
        foreign = [entry for entry in entries if plain_name(entry.label) != own]
        return [
            Counterfactual(
                f"another object here: {entry.label}", replace(self.recipe, object=entry.id)
            )
            for entry in _varied(foreign or entries, self.recipe, count, rng)
        ]

    def far(self, count: int) -> list[Counterfactual]:
        """The same object as far from what it strikes as it may stand."""
        return [
            Counterfactual(f"the same {self.label} {self.gap(moved):.0f} px away", moved)
            for moved in self._far(self.room, count)
        ]

    def far_patches(self, count: int, rng: Generator) -> list[Counterfactual]:
        """Background through the same mask, as far from what is struck as possible."""
        anywhere = FreeSpace(self.around.scene.size, self.around.obstacles)
        made = []
        for moved in self._far(anywhere, count):
            patch = self.around.patch(moved, float(rng.random()))
            if patch is not None:
                made.append(Counterfactual(f"background {self.gap(moved):.0f} px away", patch))
        return made

    def blended(self) -> Counterfactual:
        """The same without blending; with it, if the finding has a hard edge."""
        if self.recipe.blending == Blending.HARD:
            soft = replace(self.recipe, blending=Blending.FEATHER.value, feather=1.5)
            return Counterfactual("the same with a soft edge", soft)
        hard = replace(self.recipe, blending=Blending.HARD.value)
        return Counterfactual("the same without blending", hard)

    def sizes(self) -> list[Counterfactual]:
        """Ever smaller objects that stand on the same point."""
        one, made, width = self.recipe, list[Counterfactual](), self.recipe.width
        while (width := min(width - 1, ceil(width / STEP))) >= max(1, LEAST * one.width):
            height = max(1, round(one.height * width / one.width))
            x, y = one.x + (one.width - width) // 2, one.y + one.height - height
            smaller = replace(one, x=x, y=y, width=width, height=height)
            made.append(Counterfactual(f"size {width / one.width:.0%}", smaller))
        return made

    def opacities(self, recipe: Insert) -> list[Counterfactual]:
        """Ever fainter objects of a size."""
        steps = int(np.log(1 / LEAST) / np.log(STEP))
        shares = [round(STEP**-step, 3) for step in range(1, steps + 1)]
        size = recipe.width / self.recipe.width
        at = "" if size == 1 else f"size {size:.0%}, "
        return [
            Counterfactual(f"{at}opacity {share:.0%}", replace(recipe, opacity=share))
            for share in shares
        ]

    @property
    def label(self) -> str:
        """The name of the inserted object's label."""
        return self.library.cutout(self.recipe.object).label

    def gap(self, recipe: Insert) -> float:
        """Pixels from an insertion to the nearest struck box, edge to edge; 0 without any."""
        return float(_gaps(np.array([[recipe.x, recipe.y]]), recipe, self.struck)[0])

    def _clear(self, recipe: Insert) -> bool:
        """Whether it lies in the scene and covers no obstacle that the finding does not."""
        height, width = self.around.scene.size
        x1, y1, x2, y2 = pasted_box(recipe)
        if x1 < 0 or y1 < 0 or x2 > width or y2 > height:
            return False
        boxes = np.array([pasted_box(recipe), pasted_box(self.recipe)], dtype=np.float32)
        covered = overlap(boxes, self.around.obstacles) > 0
        return not (covered[0] & ~covered[1]).any()

    def _far(self, room: FreeSpace, count: int) -> list[Insert]:
        """The farthest places, an object's size from one another and from the finding's gap."""
        one, found = self.recipe, list[Insert]()
        places = room.everywhere(one.width, one.height)
        gaps = _gaps(places, one, self.struck)
        far = gaps >= self.gap(one) + max(one.width, one.height)
        places, gaps = places[far], gaps[far]
        while len(places) and len(found) < count:
            x, y = places[int(gaps.argmax())].tolist()
            found.append(replace(one, x=x, y=y))
            away = (np.abs(places - (x, y)) >= (one.width, one.height)).any(axis=1)
            places, gaps = places[away], gaps[away]
        return found


def _gaps(places: Ints, recipe: Insert, boxes: Boxes) -> F64:
    """(K,) pixels from the recipe's rectangle at each place to the nearest box."""
    nearest = np.full(len(places), np.inf if len(boxes) else 0.0)
    x, y = places[:, 0].astype(np.float64), places[:, 1].astype(np.float64)
    for x1, y1, x2, y2 in boxes.astype(np.float64):
        across = np.maximum(0, np.maximum(x1 - x - recipe.width, x - x2))
        down = np.maximum(0, np.maximum(y1 - y - recipe.height, y - y2))
        nearest = np.minimum(nearest, np.hypot(across, down))
    return nearest


def _apart(sources: Ints, recipe: Insert, count: int, rng: Generator) -> list[tuple[int, int]]:
    """Places drawn from `sources`, (K, 2), half the recipe's size from one another if possible."""
    if len(sources) == 0:
        return []
    tried = sources[rng.integers(len(sources), size=TRIED_SOURCES)].tolist()
    drawn: list[tuple[int, int]] = [(int(x), int(y)) for x, y in tried]
    chosen = list[tuple[int, int]]()
    for x, y in drawn:
        near = [abs(x - u) * 2 < recipe.width and abs(y - v) * 2 < recipe.height for u, v in chosen]
        if not any(near):
            chosen.append((x, y))
    return list(dict.fromkeys([*chosen, *drawn]))[:count]


def _varied(entries: Sequence[Entry], recipe: Insert, count: int, rng: Generator) -> list[Entry]:
    """Entries drawn at random, each label once before any twice.

    Those that the recipe's rectangle stretches by at most `STRETCHED`, unless there are none.
    """

    def stretched(one: Entry) -> float:
        return abs(log(one.width / one.height * recipe.height / recipe.width))

    fitting = [one for one in entries if stretched(one) <= log(STRETCHED)] or list(entries)
    drawn = [fitting[int(place)] for place in rng.permutation(len(fitting))]
    return in_turn(drawn, lambda one: plain_name(one.label))[:count]
