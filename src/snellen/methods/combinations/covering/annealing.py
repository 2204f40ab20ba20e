"""Fewer rows by annealing: at a fixed number of rows, then greedy for what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from snellen.methods.combinations.covering.dice import dice_of
from snellen.methods.combinations.covering.filling import rows_for
from snellen.methods.combinations.covering.members import Members, members_of, stacked
from snellen.methods.combinations.covering.problem import Problem

ROUNDS = 150
VALUE_TRIES = 5
SLICES = (0.0, 0.5, 0.75, 0.9)


def annealed_ones(
    problem: Problem,
    need: NDArray[np.uint8],
    size: int,
    best: Members,
    bound: int,
    moves: int,
    seed: int,
) -> Members:
    """Rows that show every needed set, at most as many as the best known.

    `moves` is the number of moves of one annealing; there are several, between the bound and the
    best known number of rows.
    """
    for attempt in range(2 * len(SLICES)):
        gap = len(best) - bound
        if gap <= 0:
            return best
        rows = bound + int(gap * SLICES[attempt % len(SLICES)])
        found = _once(problem, need, size, rows, moves, seed * 100 + attempt)
        if len(found) < len(best):
            best = found
    return best


def _once(
    problem: Problem, need: NDArray[np.uint8], size: int, count: int, moves: int, salt: int
) -> Members:
    from snellen.methods.combinations.covering.anneal_kernels import anneal_ones

    n, most = len(problem.names), problem.most
    rng = np.random.default_rng([salt, n, most, count])
    rows = np.sort(rng.random((count, n)).argsort(axis=1)[:, :most], axis=1).astype(np.int64)
    left = anneal_ones(rows, n, size, need, 0.6, 0.975, moves // ROUNDS, ROUNDS, dice_of(salt))
    if left == 0:
        return rows
    rest = rows_for(problem, need.copy(), size, rows, salt, 20)
    return stacked([rows, rest], most)


def annealed_values(
    n: int, strength: int, most: int, sizes: Iterable[int], moves: int, seed: int
) -> Iterator[Members]:
    """Rows that show every combination of values, zeros included, for each size that has some."""
    for count in sizes:
        tries = _value_tries(n, strength, most, count, moves, seed)
        found = next((one for one in tries if one is not None), None)
        if found is not None:
            yield found


def _value_tries(
    n: int, strength: int, most: int, count: int, moves: int, seed: int
) -> Iterator[Members | None]:
    from snellen.methods.combinations.covering.anneal_kernels import anneal_values

    for attempt in range(VALUE_TRIES):
        rng = np.random.default_rng([seed, n, most, count, attempt])
        rows = (rng.random((count, n)).argsort(axis=1) < most).astype(np.uint8)
        dice = dice_of(seed, count * VALUE_TRIES + attempt)
        steps = moves // ROUNDS
        left = anneal_values(rows, strength, most, 0.8, 0.975, steps, ROUNDS, dice)
        yield None if left else members_of(rows.astype(bool), most)
