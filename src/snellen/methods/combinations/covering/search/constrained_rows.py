"""Rows under constraints: the array without constraints, repaired, and fewer rows by annealing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb

import numpy as np

from snellen.methods.combinations.covering.bound import lower_bound
from snellen.methods.combinations.covering.members import padded, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.constrained_reduction import (
    CombinationCounts,
    coverage_of,
    reduced,
    without_idle_rows,
)
from snellen.methods.combinations.covering.search.greedy_fill import (
    needed_sets_of,
    rows_by_demand,
    rows_for,
)
from snellen.vision.arrays import Ints

MOST_MOVES = {"normal": 220_000_000, "thorough": 2_000_000_000}
EACH = {"normal": 12_000, "thorough": 120_000}
"""Moves of all annealing, at most and for each row and label."""
FAR = 50
"""Thousandths over the bound from which on all these moves are made."""
STARTS = {"normal": 8, "thorough": 16}
LARGEST_TABLE = 20_000_000
"""Entries of a table of sets up to which rows are annealed."""
Free = Callable[[Problem], Ints]
"""The best rows of a problem without constraints."""


def constrained_rows(problem: Problem, given: Ints, seed: int, effort: str, free: Free) -> Ints:
    """New rows that, with those given, cover every set of labels that can be present together.

    The demand of the highest strength comes first; its rows count as given for the next.
    """
    return rows_by_demand(
        problem, given, lambda part, before: _rows_of(part, before, seed, effort, free)
    )


def _rows_of(problem: Problem, given: Ints, seed: int, effort: str, free: Free) -> Ints:
    """New rows for a single demand."""
    ((labels, strength),) = problem.demands
    n, size = len(problem.names), min(strength, problem.most)
    need = needed_sets_of(problem, labels, size)
    if size == 1 or (n + 1) ** size > LARGEST_TABLE:
        return rows_for(problem, need, size, given, seed, STARTS[effort])
    coverage = coverage_of(problem, need, size, given)
    array = _free_rows(problem, labels, strength, free)
    starts = (np.zeros((0, problem.most), np.int64), repaired(coverage, array))
    filled = (_filled(coverage, start, given, seed, effort) for start in starts)
    best = min(filled, key=len)
    bound = max(0, lower_bound(problem) - len(given))
    return reduced(coverage, best, bound, _moves(problem, len(best), size, bound, effort), seed)


def _moves(problem: Problem, rows: int, size: int, bound: int, effort: str) -> int:
    """The moves that reducing an array is worth: fewer near the bound, and for costly ones."""
    whole = EACH[effort] * rows * len(problem.names)
    cost = max(1, comb(problem.most, size) // comb(problem.most, 2))
    over = 1000 * (rows - bound) // rows
    return min(MOST_MOVES[effort], whole) * min(over, FAR) // FAR // cost


def _free_rows(problem: Problem, labels: tuple[int, ...], strength: int, free: Free) -> Ints:
    """The rows of the demand without constraints, in the columns of the problem."""
    some = tuple(problem.names[label] for label in labels)
    most = min(problem.most, len(labels))
    whole = (tuple(range(len(labels))), strength)
    rows = free(Problem(some, strength, most, (), (whole,)))
    column = np.append(np.array(labels, np.int64), -1)
    return column[rows]


def repaired(coverage: CombinationCounts, rows: Ints) -> Ints:
    """Allowed rows: from each that breaks a constraint, labels are removed until it does not.

    The label that goes is the one without which the row covers the most sets.
    """
    problem = coverage.problem
    kept = (_repair(coverage, frozenset(row) - {-1}) for row in rows.tolist())
    useful = padded((one for one in kept if len(one) >= coverage.size), problem.most)
    return without_idle_rows(coverage, useful)


def _repair(coverage: CombinationCounts, row: frozenset[int]) -> frozenset[int]:
    problem = coverage.problem
    while row and not problem.allows(row):
        options = [row - {label} for label in sorted(row) if _at_fault(problem, row, label)]
        row = min(options, key=lambda one: _faults(problem, one))
    return row


def _at_fault(problem: Problem, row: frozenset[int], label: int) -> bool:
    """Whether some broken constraint of the row has this label."""
    if problem.closed((label,)) - row:
        return True
    return any(label in one for one in problem.broken(row))


def _faults(problem: Problem, row: frozenset[int]) -> int:
    """How many constraints a row breaks."""
    lacking = sum(1 for label in row if problem.closed((label,)) - row)
    return lacking + sum(1 for _ in problem.broken(row))


def _filled(coverage: CombinationCounts, rows: Ints, given: Ints, seed: int, effort: str) -> Ints:
    """The rows, extended where they have room, and greedy rows for what none of them covers."""
    problem = coverage.problem
    ((labels, _),) = problem.demands
    rows = _extended(coverage, rows)
    need = needed_sets_of(problem, labels, coverage.size)
    before = stacked([given, rows], problem.most)
    more = rows_for(problem, need, coverage.size, before, seed, STARTS[effort])
    return without_idle_rows(coverage, stacked([rows, more], problem.most))


def _extended(coverage: CombinationCounts, rows: Ints) -> Ints:
    """The rows with labels added to those that have room, as long as more sets are covered."""
    problem = coverage.problem
    counts = coverage.counts(rows)
    found = []
    for row in rows.tolist():
        members = [label for label in row if label >= 0]
        while len(members) < problem.most:
            gain, more = max(_gains(coverage, members, counts), default=(0, -1))
            if gain == 0:
                break
            before = coverage.numbers_in(padded([members], problem.most))
            members.append(-more)
            after = coverage.numbers_in(padded([members], problem.most))
            np.subtract.at(counts, before, 1)
            np.add.at(counts, after, 1)
        found.append(members)
    return padded(found, problem.most)


def _gains(
    coverage: CombinationCounts, members: list[int], counts: Ints
) -> Iterable[tuple[int, int]]:
    """(sets gained, label) for each label that may join, the label negative: the least wins."""
    problem = coverage.problem
    others = [label for label in range(len(problem.names)) if label not in members]
    rows = padded(([*members, label] for label in others), problem.most)
    gained = (counts[coverage.numbers_in(rows)] == 0).sum(axis=1)
    for at in np.flatnonzero(gained).tolist():
        if problem.allows([*members, others[at]]):
            yield int(gained[at]), -others[at]
