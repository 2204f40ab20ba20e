"""Greedy rows for any problem, with constraints and given rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from snellen.methods.combinations.covering.members import need_all, padded, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Bytes, Ints

UNLIMITED = 1 << 60
FEW_SETS = 64


def fill_rows(problem: Problem, given: Ints, seed: int, starts: int) -> Ints:
    """New rows that, with those given, cover every allowed set of present labels."""

    def filled(part: Problem, given: Ints) -> Ints:
        ((labels, strength),) = part.demands
        size = min(strength, part.most)
        return rows_for(part, needed_sets_of(part, labels, size), size, given, seed, starts)

    return rows_by_demand(problem, given, filled)


def rows_by_demand(problem: Problem, given: Ints, rows: Callable[[Problem, Ints], Ints]) -> Ints:
    """New rows for one demand after another, the highest strength first, each given all before.

    A demand on some labels is met in a problem of these alone: tables grow with all labels.
    """
    parts = [given]
    for labels, strength in sorted(problem.demands, key=lambda one: -one[1]):
        part, columns = problem.restricted(labels, strength)
        before = restricted_rows(stacked(parts, problem.most), columns, len(problem.names))
        parts.append(np.append(columns, -1)[rows(part, before)])
    return stacked(parts[1:], problem.most)


def restricted_rows(rows: Ints, columns: Ints, n: int) -> Ints:
    """The rows of n labels without all labels but some, which are renumbered."""
    place = np.full(n + 1, len(columns))
    place[columns] = np.arange(len(columns))
    kept = np.sort(place[rows], axis=1)
    return np.where(kept < len(columns), kept, -1)


def rows_for(
    problem: Problem,
    need: Bytes,
    size: int,
    given: Ints,
    seed: int,
    starts: int,
) -> Ints:
    """Rows that cover the needed sets that the given rows do not; clears `need`."""
    from snellen.methods.combinations.covering.kernels.greedy_rows import greedy, mark_rows

    n = len(problem.names)
    if size == 1:
        shown = set(given[given >= 0].tolist())
        left = (i for i in np.flatnonzero(need).tolist() if i not in shown)
        return padded((problem.closed([i]) for i in left), problem.most)
    mark_rows(need, given, size, n)
    several = [one for one in problem.forbidden if len(one) > 1]
    sets, first, of_label = sets_by_label(several, n)
    never = np.zeros(n, np.uint8)
    never[[min(one) for one in problem.forbidden if len(one) == 1]] = 1
    return greedy(
        n, size, problem.most, need, sets, first, of_label, never, *_implied(problem), starts,
        UNLIMITED, xorshift_state(seed),
    )  # fmt: skip


def needed_sets_of(problem: Problem, labels: tuple[int, ...], size: int) -> Bytes:
    """The table of sets of `size` of these labels that can be present together."""
    n = len(problem.names)
    need = need_all(n, size)
    table = need.reshape((n,) * size)
    outside = np.setdiff1d(np.arange(n), labels)
    for axis in range(size):
        np.moveaxis(table, axis, 0)[outside] = 0
    for one in problem.forbidden:
        if len(one) <= size:
            for axes in permutations(range(size), len(one)):
                at: list[slice | int] = [slice(None)] * size
                for axis, label in zip(axes, one, strict=True):
                    at[axis] = label
                table[tuple(at)] = 0
    return need


def _implied(problem: Problem) -> tuple[Ints, Ints]:
    """The labels implied by each label, one after another, and where those of each begin."""
    sizes = np.zeros(len(problem.names) + 1, np.int64)
    for label, more in problem.implied:
        sizes[label + 1] = len(more)
    labels = [other for _, more in problem.implied for other in sorted(more)]
    return np.cumsum(sizes), np.array(labels, np.int64)


def sets_by_label(given: list[frozenset[int]], n: int) -> tuple[Ints, Ints, Ints]:
    """Sets of labels padded with -1, and an index of them by label."""
    sets = padded(given, max((len(one) for one in given), default=1))
    at, column = np.nonzero(sets >= 0)
    labels = sets[at, column]
    order = np.argsort(labels, kind="stable")
    first = np.searchsorted(labels[order], np.arange(n + 1))
    return sets, first.astype(np.int64), at[order].astype(np.int64)
