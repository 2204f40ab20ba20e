"""Candidate arrays without constraints, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from snellen.methods.combinations.covering.constructions.design_catalogue import known_designs
from snellen.methods.combinations.covering.constructions.finite_fields import curves, prime_power
from snellen.methods.combinations.covering.constructions.hexads import LABELS, LEAST, six_rows
from snellen.methods.combinations.covering.members import need_all, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.annealing import (
    CoverageTask,
    annealed_values,
    fewer_rows,
)
from snellen.methods.combinations.covering.search.greedy_fill import rows_for
from snellen.methods.combinations.covering.search.pair_arrays import BASES, pair_arrays
from snellen.vision.arrays import Ints

MOVES = {"normal": 6_000_000, "thorough": 100_000_000}
VALUE_MOVES = {"normal": 1_500_000, "thorough": 60_000_000}
HEXAD_MOVES = {"normal": 1_500_000, "thorough": 60_000_000}
ANNEAL_MOST = {"normal": 60, "thorough": 90}
LARGEST_TABLE = {"normal": 200_000, "thorough": 800_000}
DEEP, DEEP_TABLE = 4, {"normal": 2_000_000, "thorough": 70_000_000}
"""Strength from which on larger tables are annealed too, within fewer moves."""
VALUES_MOST = 24


def candidates(
    problem: Problem, best: Ints, bound: int, seed: int, effort: str, *, zeros: bool
) -> Iterator[Ints]:
    """Rows that cover all sets of present labels, roughly in order of improvement.

    zeros: search for rows that cover all combinations with absent labels too.
    """
    n, most, strength = len(problem.names), problem.most, problem.strength
    limit = len(best)
    if most < strength:
        return
    if strength == 2 and most > 2:
        ways = pair_arrays(n, most, len(best), seed, effort)
    elif strength == 3:
        ways = _triples(problem, bound, seed, effort)
    else:
        ways = known_designs(n, most, strength)
    for found in ways:
        yield found
        best = min(best, found, key=len)
    if strength == 3 and most == 6 and LEAST <= n <= LABELS:
        return
    if most < n <= ANNEAL_MOST[effort] and most > strength and len(best) > bound:
        moves, bases = _annealing(n, strength, most, effort)
        if moves:
            need = need_all(n, strength)
            task = CoverageTask(problem, need, strength, 0, bound, moves, bases, seed)
            best = fewer_rows(task, best)
            yield best
    if zeros and n <= VALUES_MOST and (n**strength) <= VALUES_MOST**2:
        yield from _with_zeros(problem, len(best), limit, bound, VALUE_MOVES[effort], seed)


def _annealing(n: int, strength: int, most: int, effort: str) -> tuple[int, int]:
    """The moves of an annealing, 0 if the table of sets is too large, and the base rows of all."""
    if n**strength <= LARGEST_TABLE[effort]:
        return MOVES[effort], BASES[effort]
    if strength < DEEP or n**strength > DEEP_TABLE[effort]:
        return 0, 0
    return 4 * MOVES[effort] // comb(most, strength), BASES[effort]


def _with_zeros(
    problem: Problem, known: int, limit: int, bound: int, moves: int, seed: int
) -> Iterator[Ints]:
    """Complete arrays: up from the known number of rows to the first that exists, or down."""
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


def _triples(problem: Problem, bound: int, seed: int, effort: str) -> Iterator[Ints]:
    n, most = len(problem.names), problem.most
    yield from known_designs(n, most, 3)
    if most == 6:
        found = six_rows(n, bound, HEXAD_MOVES[effort], seed)
        if found is not None:
            yield found
            return
    if most >= 4:
        for q in range(max(n // most - 1, most - 1), n // most + 4):
            if prime_power(q) is not None:
                yield _from_curves(problem, q, seed)


def _from_curves(problem: Problem, q: int, seed: int) -> Ints:
    """Polynomials over the field of q elements, and greedy rows for what they do not cover."""
    n, most = len(problem.names), problem.most
    rows = curves(q, most, 3) * most + np.arange(most)
    rows = np.sort(np.where(rows < n, rows, n), axis=1)
    rows = np.where(rows < n, rows, -1)
    rest = rows_for(problem, need_all(n, 3), 3, rows, seed, 8)
    return stacked([rows, rest], most)
