"""Fewer rows by annealing: whole orbits of rows first, then rows one by one, then with zeros."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from snellen.methods.combinations.covering.members import members_of, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.search.greedy_fill import rows_for
from snellen.methods.combinations.covering.search.shift_symmetry import annealed, shift_of, shifts
from snellen.methods.combinations.covering.xorshift import dice_of
from snellen.vision.arrays import Bytes, Ints

ROUNDS = 150
VALUE_TRIES = 5
LEAST_CYCLE = 4
FEW_LABELS = 24
MOVES_A_BASE = 150_000


@dataclass(frozen=True)
class CoverageTask:
    """Sets of `size` labels to show, as a table; those among the last `hole` labels need not be.

    `moves` limits one annealing, and `bases` the base rows of all tries at one number of rows.
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
    """Rows that show every needed set, at most as many as the best known."""
    n = len(task.problem.names)
    simple = task.size == 2 or n <= FEW_LABELS
    for around, shift in shifts(n, task.hole, LEAST_CYCLE if task.size == 2 else n - 1):
        best = _narrowed(task, around, shift, best)
    return one_by_one(task, best) if simple else best


def one_by_one(task: CoverageTask, best: Ints) -> Ints:
    """The same without any symmetry."""
    return _narrowed(task, 1, shift_of(len(task.problem.names), 1, 0), best)


def _narrowed(task: CoverageTask, around: int, shift: Ints, best: Ints) -> Ints:
    """Halve the gap between numbers of base rows that sufficed and that did not."""
    low = -(-task.bound // around)
    while low * around < len(best):
        count = (low + (len(best) - 1) // around) // 2
        moves = min(task.moves, MOVES_A_BASE * count) if around > 1 else task.moves
        for attempt in range(_tries(task, around, count)):
            found, whole = _tried(task, count, shift, moves, attempt)
            best = min(best, found, key=len)
            if whole:
                break
        else:
            low = count + 1
    return best


def _tries(task: CoverageTask, around: int, count: int) -> int:
    """More where there are few base rows, and long cycles, which pay best."""
    if around == 1:
        return 1
    long = around >= len(task.problem.names) - 1
    return max(1, task.bases // count) if long else 2


def _tried(
    task: CoverageTask, count: int, shift: Ints, moves: int, attempt: int
) -> tuple[Ints, bool]:
    """Rows that show all needed sets, and whether annealing alone sufficed."""
    most, salt = task.problem.most, task.seed * 100 + attempt
    rows, left = annealed(task.need, task.size, most, count, shift, moves, salt)
    if left == 0:
        return rows, True
    rest = rows_for(task.problem, task.need.copy(), task.size, rows, salt, 20)
    return stacked([rows, rest], most), False


def annealed_values(
    n: int, strength: int, most: int, sizes: Iterable[int], moves: int, seed: int
) -> Iterator[Ints]:
    """Rows that show every combination of values, zeros included, for each size that has some."""
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
        dice = dice_of(seed, count * VALUE_TRIES + attempt)
        rows = np.zeros((count, n), np.uint8)
        np.put_along_axis(rows, random_rows(count, n, most, dice), 1, axis=1)
        left = anneal_values(rows, strength, most, limits, moves // ROUNDS, dice)
        yield None if left else members_of(rows.astype(bool), most)
