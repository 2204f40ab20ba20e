"""Arrays without constraints that are worth a look, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.annealing import annealed_ones, annealed_values
from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.cyclic import cyclic_rows
from snellen.methods.combinations.covering.fields import curves, prime_power
from snellen.methods.combinations.covering.filling import rows_for
from snellen.methods.combinations.covering.groups import grouped_rows, layouts
from snellen.methods.combinations.covering.hexads import LABELS, LEAST, six_rows
from snellen.methods.combinations.covering.members import Members, need_all, stacked
from snellen.methods.combinations.covering.orbits import orbit_rows
from snellen.methods.combinations.covering.problem import Problem, problem_of
from snellen.methods.combinations.covering.quadruples import quadruple_system
from snellen.methods.combinations.covering.triple_systems import triple_system

MOVES = {"normal": 1_500_000, "thorough": 60_000_000}
ORBIT_STEPS = {"normal": 15_000, "thorough": 150_000}
TRIES = {"normal": 4, "thorough": 40}
LAYOUTS = {"normal": 2, "thorough": 12}
MANY = 400
ANNEAL_MOST = {"normal": 45, "thorough": 90}
CYCLIC_MOST, VALUES_MOST, GROUPS_LEAST = 120, 24, 60


def candidates(
    problem: Problem, best: Members, bound: int, seed: int, effort: str
) -> Iterator[Members]:
    """Rows that show all sets of present labels, better and better on the whole."""
    n, most, strength = len(problem.names), problem.most, problem.strength
    limit = len(best)
    if most < strength:
        return
    if strength == 2 and most > 2:
        yield from _pairs(n, most, len(best), seed, effort)
    elif strength == 3:
        yield from _triples(problem, len(best), bound, seed, effort)
        if most == 6 and LEAST <= n <= LABELS:
            return
    if n <= ANNEAL_MOST[effort] and n > most > strength and n**strength <= 200_000:
        need = need_all(n, strength)
        moves = MOVES[effort] * (strength - 1)
        best = annealed_ones(problem, need, strength, best, bound, moves, seed)
        yield best
    if n <= VALUES_MOST and (n**strength) <= VALUES_MOST**2:
        yield from _with_zeros(problem, len(best), limit, bound, MOVES[effort], seed)


def _with_zeros(
    problem: Problem, known: int, limit: int, bound: int, moves: int, seed: int
) -> Iterator[Members]:
    """Up from the rows that show all present labels to the first complete array, or down."""
    n, most, strength = len(problem.names), problem.most, problem.strength
    up = annealed_values(n, strength, most, range(known, limit), moves, seed)
    found = next(up, None)
    if found is not None:
        yield found
    if found is None or len(found) == known:
        for count in range(known - 1, bound - 1, -1):
            fewer = next(annealed_values(n, strength, most, (count,), moves, seed), None)
            if fewer is None:
                return
            yield fewer


def _pairs(n: int, most: int, known: int, seed: int, effort: str) -> Iterator[Members]:
    if most == 3:
        found = triple_system(n, seed)
        if found is not None:
            yield found
        return
    if 2 * most < n <= CYCLIC_MOST:
        found = cyclic_rows(n, most, known, TRIES[effort], seed)
        if found is not None:
            yield found
    if n >= GROUPS_LEAST:
        yield from grouped(n, most, LAYOUTS[effort] if n <= MANY else 1, seed, effort)


def grouped(n: int, most: int, tried: int, seed: int, effort: str) -> Iterator[Members]:
    """Rows by the layouts in groups that are most likely to be small."""
    for layout in layouts(n, most)[:tried]:
        yield grouped_rows(
            layout, most, lambda size, shared: pair_rows(size, most, shared, seed, effort)
        )


@lru_cache(maxsize=64)
def pair_rows(n: int, most: int, hole: int, seed: int, effort: str) -> Members:
    """Rows that show every pair of n labels, but those among the last `hole`."""
    if n >= CYCLIC_MOST:
        return min(grouped(n, most, 1, seed, effort), key=len)
    return _small_pairs(n, min(most, n), hole, seed, effort)


def _small_pairs(n: int, most: int, hole: int, seed: int, effort: str) -> Members:
    if n <= most:
        return np.arange(n)[None]
    problem = problem_of(n, 2, most)
    need = need_all(n, 2)
    need.reshape(n, n)[n - hole :, n - hole :] = 0
    best = rows_for(problem, need.copy(), 2, np.zeros((0, most), np.int64), seed, 8)
    bound = schoenheim(n, most, 2) - hole * (hole - 1) // (most * (most - 1))
    moves = MOVES[effort]
    return annealed_ones(problem, need, 2, best, bound, moves, seed)


def _triples(problem: Problem, known: int, bound: int, seed: int, effort: str) -> Iterator[Members]:
    n, most = len(problem.names), problem.most
    if most == 4:
        found = quadruple_system(n)
        if found is not None:
            yield found
    if most == 6:
        found = six_rows(n, bound, MOVES[effort], seed)
        if found is not None:
            yield found
            return
    if most > 4:
        found = orbit_rows(n, most, 3, bound, known, ORBIT_STEPS[effort], seed)
        if found is not None:
            yield found
    if most >= 4:
        for q in range(max(n // most - 1, most - 1), n // most + 4):
            if prime_power(q) is not None:
                yield _from_curves(problem, q, seed)


def _from_curves(problem: Problem, q: int, seed: int) -> Members:
    """Curves over the field of q elements, and greedy rows for what they do not show."""
    n, most = len(problem.names), problem.most
    rows = curves(q, most, 3) * most + np.arange(most)
    rows = np.sort(np.where(rows < n, rows, n), axis=1)
    rows = np.where(rows < n, rows, -1)
    rest = rows_for(problem, need_all(n, 3), 3, rows, seed, 8)
    return stacked([rows, rest], most)
