"""How often intervals hold the truth, and how long they are, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import special, stats

from experiments.judge import competitors
from experiments.judge.cells import Cell
from experiments.judge.worlds import broken_pairs, failing, pairs
from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.scene_counts import SceneCounts
from snellen.statistics.scene_curves import difference_curve, paired_curve, rate_curve
from snellen.vision.arrays import F64

TWO_SIDED, ONE_SIDED = (float(special.ndtri(tail)) for tail in (0.025, 0.05))
SURE = 0.01

Data = tuple[F64, ...]
"""Arrays (scenes,): cases and failing, or cases, both, only the first and only the second."""


@dataclass(frozen=True)
class Coverage:
    """Of one cell. held: sets whose 95% interval holds the truth. above, below: sets in which a
    one-sided 95% lower or upper bound lies beyond it. length: mean of the intervals.
    """

    cell: Cell
    sets: int
    held: int
    above: int
    below: int
    length: float

    @property
    def share(self) -> float:
        """Of sets that are held."""
        return self.held / self.sets

    def misses(self, bound: float) -> bool:
        """Whether the coverage is significantly (1%) below a bound."""
        return bool(stats.binom.cdf(self.held, self.sets, bound) < SURE)


def data_sets(cell: Cell, sets: int, rng: np.random.Generator) -> list[Data]:
    """Simulated data of a cell."""
    shape = sets, cell.scenes
    if cell.kind in ("paired", "broken"):
        drawn = (
            broken_pairs(cell.world, shape, cell.change, rng)
            if cell.kind == "broken"
            else pairs(cell.world, shape, cell.change, cell.alike, rng)
        )
        columns = [drawn.cases, drawn.both, drawn.first, drawn.second]
    else:
        cases, chance = cell.world.draw(shape, rng)
        columns = [cases, failing(cases, chance, rng)]
        if cell.kind == "difference":
            fewer = np.maximum(rng.binomial(cases, 0.5), 1)
            other = failing(fewer, chance * (1 - cell.change / cell.world.rate), rng)
            columns += [fewer, other]
    stacked = np.stack(columns).astype(np.float64)
    return [tuple(stacked[:, one]) for one in range(sets)]


def curve(cell: Cell, data: Data) -> ConfidenceCurve:
    """The judge's confidence curve of one data set."""
    if cell.kind == "rate":
        return rate_curve(SceneCounts(data[1], data[0]))
    if cell.kind == "difference":
        return difference_curve(SceneCounts(data[1], data[0]), SceneCounts(data[3], data[2]))
    cases, both, first, second = data
    return paired_curve(discordant_pairs(both + first, both + second, cases, first, second))


def coverage(cell: Cell, sets: int, rng: np.random.Generator) -> Coverage:
    """Of the judge's intervals in a cell."""
    rows = []
    for data in data_sets(cell, sets, rng):
        found = curve(cell, data)
        scores = (TWO_SIDED, ONE_SIDED)
        rows.append([end(one) for one in scores for end in (found.lower, found.upper)])
    low, high, lower, upper = np.array(rows).T
    truth = cell.truth
    return Coverage(
        cell,
        sets,
        int(np.sum((low <= truth) & (truth <= high))),
        int(np.sum(lower > truth)),
        int(np.sum(upper < truth)),
        float(np.mean(high - low)),
    )


NUMBERS = ("sets", "held", "above", "below", "length")
"""Of `Coverage`, as they are kept."""
AGAIN = 5
"""Times as many sets for a cell that seems to be below its bound."""


def group_coverage(
    cells: list[Cell], sets: int, bound: float, seed: int, kept: Path | None = None
) -> list[Coverage]:
    """Of many cells; those below the bound are tried again with more, new sets, which count.

    kept: a file with one line of numbers a cell, its place first; cells that it lacks are tried in
    a random order and appended, so that a part of it is a sample.
    """
    known = _known(cells, kept)
    for place in np.random.default_rng(seed).permutation(len(cells)).tolist():
        if place in known:
            continue
        one = coverage(cells[place], sets, np.random.default_rng([seed, place]))
        if one.share < bound:
            one = coverage(cells[place], AGAIN * sets, np.random.default_rng([seed, place, 1]))
        known[place] = one
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with kept.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([place, *(getattr(one, name) for name in NUMBERS)]) + "\n")
    return [known[place] for place in sorted(known)]


def _known(cells: list[Cell], kept: Path | None) -> dict[int, Coverage]:
    """By place, as far as the file goes."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept and kept.exists() else []
    rows = [json.loads(line) for line in lines]
    return {place: Coverage(cells[place], *numbers) for place, *numbers in rows}


@dataclass(frozen=True)
class Competitor:
    """An interval beside the judge's on the same data. worst: smallest coverage of a cell. below:
    cells below 94%. length: the judge's over its own, geometric mean over cells.
    """

    name: str
    cells: int
    worst: float
    below: int
    length: float


def compared(cells: list[Cell], sets: int, seed: int) -> list[Competitor]:
    """The judge and its competitors on the same data sets."""
    others: dict[str, Callable[..., competitors.Ends]] = dict(
        competitors.RATES if cells[0].kind == "rate" else competitors.PAIRS
    )
    held: dict[str, list[float]] = {name: [] for name in ("judge", *others)}
    lengths: dict[str, list[float]] = {name: [] for name in held}
    for place, cell in enumerate(cells):
        ends: dict[str, list[competitors.Ends]] = {name: [] for name in held}
        for data in data_sets(cell, sets, np.random.default_rng([seed, 7, place])):
            own = curve(cell, data)
            ends["judge"].append((own.lower(TWO_SIDED), own.upper(TWO_SIDED)))
            counts = (data[1], data[0]) if cell.kind == "rate" else (data[2], data[3], data[0])
            for name, interval in others.items():
                ends[name].append(interval(*counts))
        for name, found in ends.items():
            low, high = np.array(found).T
            held[name].append(float(np.mean((low <= cell.truth) & (cell.truth <= high))))
            lengths[name].append(float(np.mean(high - low)))
    return [
        Competitor(
            name,
            len(cells),
            min(held[name]),
            sum(one < 0.94 for one in held[name]),
            float(np.exp(np.mean(np.log(np.array(lengths["judge"]) / lengths[name])))),
        )
        for name in held
    ]
