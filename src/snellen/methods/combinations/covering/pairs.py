"""Pairs without constraints: arrays worth a look, and the small ones that large ones hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.annealing import Task, fewer_rows, one_by_one
from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.cyclic import cyclic_rows
from snellen.methods.combinations.covering.filling import rows_for
from snellen.methods.combinations.covering.groups import grouped_rows, layouts
from snellen.methods.combinations.covering.holes import emptied
from snellen.methods.combinations.covering.members import Members, need_all
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.triple_systems import triple_system

CYCLIC_TRIES = {"normal": 4, "thorough": 40}
LAYOUTS = {"normal": 3, "thorough": 12}
MOVES = {"normal": 3_000_000, "thorough": 30_000_000}
BASES = {"normal": 140, "thorough": 1000}
CYCLIC_MOST, GROUPS_LEAST = 120, 41
ANNEALED_MOST = {"normal": 44, "thorough": 60}
"""Up to so many labels, annealing beats groups or is near enough to be worth its time."""


def pair_arrays(n: int, most: int, known: int, seed: int, effort: str) -> Iterator[Members]:
    """Rows that show every pair of n labels, by several ways; `known` rows are known to do."""
    if most == 3:
        found = triple_system(n, seed)
        if found is not None:
            yield found
        return
    if 2 * most < n <= CYCLIC_MOST:
        found = cyclic_rows(n, most, known, CYCLIC_TRIES[effort], seed)
        if found is not None:
            yield found
    if n >= GROUPS_LEAST:
        yield from _grouped(n, most, seed, effort)


def _grouped(n: int, most: int, seed: int, effort: str) -> Iterator[Members]:
    for layout in layouts(n, most)[: LAYOUTS[effort]]:
        yield grouped_rows(
            layout, most, lambda size, shared: pair_rows(size, most, shared, seed, effort)
        )


@lru_cache(maxsize=256)
def pair_rows(n: int, most: int, hole: int, seed: int, effort: str) -> Members:
    """Rows that show every pair of n labels, but those among the last `hole`."""
    if hole < 2:
        return _whole(n, most, seed, effort)
    best = emptied(pair_rows(n, most, 0, seed, effort), n, hole)
    if most < n <= ANNEALED_MOST[effort]:
        return one_by_one(_task(n, most, hole, seed, effort), best)
    return best


def _whole(n: int, most: int, seed: int, effort: str) -> Members:
    if n <= most:
        rows = np.full((1, most), -1, np.int64)
        rows[0, :n] = np.arange(n)
        return rows
    found = list(_grouped(n, most, seed, effort)) if n >= GROUPS_LEAST else []
    if not found:
        none = np.zeros((0, most), np.int64)
        found = [rows_for(problem_of(n, 2, most), need_all(n, 2), 2, none, seed, 8)]
    best = min(found, key=len)
    if n > ANNEALED_MOST[effort]:
        return best
    return fewer_rows(_task(n, most, 0, seed, effort), best)


def _task(n: int, most: int, hole: int, seed: int, effort: str) -> Task:
    need = need_all(n, 2)
    need.reshape(n, n)[n - hole :, n - hole :] = 0
    bound = schoenheim(n, most, 2) - -(-hole * (hole - 1) // (most * (most - 1)))
    return Task(problem_of(n, 2, most), need, 2, hole, bound, MOVES[effort], BASES[effort], seed)
