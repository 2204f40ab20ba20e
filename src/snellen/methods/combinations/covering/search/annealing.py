"""Fewer rows by annealing: orbits of rows first, then single rows, then values with zeros."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from snellen.methods.combinations.covering.members import members_of, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.search.greedy_fill import rows_for
from snellen.methods.combinations.covering.search.shift_symmetry import (
    anneal_base_rows,
    shift_of,
    shifts,
)
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Bytes, Ints

ROUNDS = 150
VALUE_TRIES = 5
LEAST_CYCLE = 4
FEW_LABELS = 24
MOVES_A_BASE = 150_000


@dataclass(frozen=True)
class CoverageTask:
    """A table of sets of `size` labels to cover, except those among the last `hole` labels.

    `moves` limits one annealing, `bases` the base rows of all tries with the same number of rows.
    """

    problem: Problem
    need: Bytes
    size: int
    hole: int
    bound: int
    moves: int
    bases: int
    seed: int


def fewer_rows(task: CoverageTask, best: Ints) -> Ints:
    """Rows that cover every needed set, at most as many as the best known."""
    n = len(task.problem.names)
    simple = task.size == 2 or n <= FEW_LABELS
    for around, shift in shifts(n, task.hole, LEAST_CYCLE if task.size == 2 else n - 1):
        best = _bisect(task, around, shift, best)
    return without_symmetry(task, best) if simple else best


def without_symmetry(task: CoverageTask, best: Ints) -> Ints:
    """The same without any symmetry of rows."""
    return _bisect(task, 1, shift_of(len(task.problem.names), 1, 0), best)


def _bisect(task: CoverageTask, around: int, shift: Ints, best: Ints) -> Ints:
    """The fewest rows found by bisection of the number of base rows."""
    low = -(-task.bound // around)
    while low * around < len(best):
        count = (low + (len(best) - 1) // around) // 2
        moves = min(task.moves, MOVES_A_BASE * count) if around > 1 else task.moves
        for attempt in range(_tries(task, around, count)):
            found, whole = _attempt(task, count, shift, moves, attempt)
            best = min(best, found, key=len)
            if whole:
                break
        else:
            low = count + 1
    return best


def _tries(task: CoverageTask, around: int, count: int) -> int:
    """The number of tries: more for few base rows and for long cycles, which succeed most often."""
    if around == 1:
        return 1
    long = around >= len(task.problem.names) - 1
    return max(1, task.bases // count) if long else 2


def _attempt(
    task: CoverageTask, count: int, shift: Ints, moves: int, attempt: int
) -> tuple[Ints, bool]:
    """Rows that cover all needed sets, and whether annealing alone sufficed."""
    most, salt = task.problem.most, task.seed * 100 + attempt
    rows, left = anneal_base_rows(task.need, task.size, most, count, shift, moves, salt)
    if left == 0:
        return rows, True
    rest = rows_for(task.problem, task.need.copy(), task.size, rows, salt, 20)
    return stacked([rows, rest], most), False


def annealed_values(
    n: int, strength: int, most: int, sizes: Iterable[int], moves: int, seed: int
) -> Iterator[Ints]:
    """Rows that cover every combination of values, zeros included, for each size that succeeds."""
    for count in sizes:
        tries = _value_tries(n, strength, most, count, moves, seed)
        found = next((one for one in tries if one is not None), None)
        if found is not None:
            yield found


def _value_tries(
    n: int, strength: int, most: int, count: int, moves: int, seed: int
) -> Iterator[Ints | None]:
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows
    from snellen.methods.combinations.covering.kernels.value_annealing import anneal_values

    limits = acceptance("0.8", "0.975", ROUNDS)
    for attempt in range(VALUE_TRIES):
        state = xorshift_state(seed, count * VALUE_TRIES + attempt)
        rows = np.zeros((count, n), np.uint8)
        np.put_along_axis(rows, random_rows(count, n, most, state), 1, axis=1)
        left = anneal_values(rows, strength, most, limits, moves // ROUNDS, state)
        yield None if left else members_of(rows.astype(bool), most)
