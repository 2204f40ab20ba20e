"""The cells of the simulation: how many scenes of which kind, and what is estimated."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from experiments.judge.worlds import TUNED, UNSEEN, Scenes

Kind = Literal["rate", "paired", "broken", "difference"]
"""A rate, pairs of answers, pairs of which a few scenes break whole, or different cases."""

SCENES = (8, 24, 64, 300)
RATES = (0.002, 0.01, 0.05, 0.2, 0.5)
CORRELATIONS = (0.0, 0.05, 0.2, 0.5)
ALIKE = (0.0, 0.5, 0.9, 1.0)
CHANGES = (0.0, 0.02, 0.05)


@dataclass(frozen=True)
class Cell:
    """change: true difference of two rates, the first minus the second. alike: of two answers."""

    kind: Kind
    scenes: int
    world: Scenes
    change: float = 0.0
    alike: float = 0.0

    @property
    def truth(self) -> float:
        """What an interval should hold."""
        return self.world.rate if self.kind == "rate" else self.change

    def __str__(self) -> str:
        world = self.world
        text = f"{self.scenes} scenes of {world.size}, rate {world.rate:g}, ICC {world.icc:g}"
        if self.kind in ("paired", "difference"):
            text += f", difference {self.change:g}, alike {self.alike:g}"
        return text + (f", broken whole {self.change:g}" if self.kind == "broken" else "")


def rate_cells(spread: str, sizes: tuple[str, ...]) -> list[Cell]:
    """Every combination; single cases have no correlation."""
    found = product(SCENES, sizes, RATES, CORRELATIONS)
    return [
        Cell("rate", scenes, Scenes(size, rate, icc, spread))
        for scenes, size, rate, icc in found
        if not (size == "1" and icc) and not (spread == "broken whole" and icc)
    ]


def pair_cells(kind: Kind, spread: str, sizes: tuple[str, ...]) -> list[Cell]:
    """Every combination in which the second rate is not negative."""
    alike = ALIKE if kind == "paired" else (0.0,)
    found = product(SCENES, sizes, RATES, CORRELATIONS, CHANGES, alike)
    return [
        Cell(kind, scenes, Scenes(size, rate, icc, spread), change, tied)
        for scenes, size, rate, icc, change, tied in found
        if change < rate and not (size == "1" and icc)
    ]


def broken_cells() -> list[Cell]:
    """A change that breaks few scenes whole, of scenes with more than one case."""
    found = product((24, 64, 150, 300), ("10", "geometric"), (0.01, 0.2), (0.05, 0.5))
    return [
        Cell("broken", scenes, Scenes(size, rate, icc), change)
        for scenes, size, rate, icc in found
        for change in (0.01, 0.02, 0.05, 0.1)
    ]


def chosen(cells: list[Cell], count: int, rng: np.random.Generator) -> list[Cell]:
    """That many of the cells at random, in their order; all if there are fewer."""
    if count >= len(cells):
        return cells
    return [cells[place] for place in sorted(rng.choice(len(cells), count, replace=False))]


GROUPS: dict[str, list[Cell]] = {
    "rate": rate_cells("beta", TUNED),
    "rate, logit-normal scenes": rate_cells("logit-normal", ("2", "10", "geometric")),
    "rate, other sizes": rate_cells("beta", UNSEEN),
    "rate, scenes broken whole": rate_cells("broken whole", ("10", "geometric")),
    "rate, busy scenes fail more": rate_cells("busy", ("geometric",)),
    "paired difference": pair_cells("paired", "beta", TUNED),
    "paired difference, logit-normal scenes": pair_cells("paired", "logit-normal", ("2", "10")),
    "paired difference, other sizes": pair_cells("paired", "beta", UNSEEN),
    "paired difference, busy scenes": pair_cells("paired", "busy", ("geometric",)),
    "paired difference, few scenes broken whole": broken_cells(),
    "different cases": pair_cells("difference", "beta", TUNED),
    "different cases, busy scenes": pair_cells("difference", "busy", ("geometric",)),
    "rate, five scenes a site": rate_cells("sites", ("10",)),
}
"""The first of each kind was used to choose constants, and some busy and broken cells."""
WHOLE = (
    "rate",
    "paired difference",
    "different cases",
    "rate, busy scenes fail more",
    "rate, scenes broken whole",
    "paired difference, few scenes broken whole",
)
"""Groups of which every cell is tried; of the others, some cells chosen at random."""
LOWER = ("busy", "broken")
"""Groups that are to be held in 92% rather than 94% of sets."""


def bound_of(group: str) -> float:
    """The coverage that a group should reach."""
    return 0.92 if any(word in group for word in LOWER) else 0.94
