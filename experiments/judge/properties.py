"""What must hold for any counts: how far ends move the wrong way, and identical answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics import paired_difference
from snellen.statistics.intervals import Interval
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class Moves:
    """Random pairs of some scenes with up to `cases` cases.

    wrong: share of inputs in which a further pair in one direction moves an end the other way.
    beyond: by more than 5% of the length. most: the largest such move, in lengths. wider: share
    of inputs with identical answers being wider than these.
    """

    scenes: int
    cases: int
    wrong: float
    beyond: float
    most: float
    wider: float


def random_table(scenes: int, cases: int, rng: np.random.Generator) -> F64:
    """(4, scenes): both fail, only the first, only the second, neither."""
    rare = rng.choice([0.01, 0.05, 0.2])
    rest = rng.integers(1, cases + 1, scenes)
    found = []
    for chance in (rng.beta(0.6, 6, scenes), *rng.beta(0.5, 0.5 / rare, (2, scenes))):
        found.append(rng.binomial(rest, chance))
        rest = rest - found[-1]
    return np.array([*found, rest], dtype=np.float64)


def interval(table: F64) -> Interval:
    """The paired difference of a table."""
    both, first, second, _ = table
    cases = table.sum(axis=0)
    return paired_difference(
        both + first, both + second, cases, only_first=first, only_second=second
    )


def with_one_more(table: F64, rng: np.random.Generator) -> F64 | None:
    """The table with a pair that neither failed now failing in the first only."""
    places = np.flatnonzero(table[3] > 0)
    if not len(places):
        return None
    more = table.copy()
    more[[1, 3], rng.choice(places)] += (1, -1)
    return more


def wrong_way(before: Interval, after: Interval) -> float:
    """How far an end fell, in lengths, although it should rise; negative if both rose."""
    fall = max(before.low - after.low, before.high - after.high)
    return fall / (before.high - before.low)


def moves(scenes: int, cases: int, count: int, seed: int) -> Moves:
    """Over random tables."""
    rng = np.random.default_rng([seed, scenes, cases])
    falls, wider = [], []
    for _ in range(count):
        table = random_table(scenes, cases, rng)
        found, more = interval(table), with_one_more(table, rng)
        if more is not None:
            falls.append(wrong_way(found, interval(more)))
        same = np.array([table[0] + table[1], 0 * table[1], 0 * table[2], table[2] + table[3]])
        if table[1:3].any():
            alike = interval(same)
            wider.append(alike.high - alike.low > 1.0001 * (found.high - found.low))
    moved = np.array(falls)
    return Moves(
        scenes,
        cases,
        float(np.mean(moved > 1e-4)),
        float(np.mean(moved > 0.05)),
        float(max(moved.max(), 0)),
        float(np.mean(wider)),
    )
