"""Fewer rows under constraints, by removing some and annealing the others at low heat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from snellen.methods.combinations.covering.members import padded
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.search.greedy_fill import sets_by_label
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Bytes, Ints, Ints32

HOT, COOL, ROUNDS = "0.3", "0.98", 100
COARSEST, TRIES = 24, 4
EACH, LEAST = 1000, 200_000
"""A first step removes one row in so many; how often a step of one row is tried; moves of an
annealing, for each row and label."""


@dataclass(frozen=True)
class CombinationCounts:
    """The needed sets of `size` labels, numbered from 1, and the rows given to cover them.

    `number`: the flat table of sets of labels, the empty place as the last one included; 0 where a
    set is not needed. `given`: how many given rows cover each number.
    """

    problem: Problem
    size: int
    number: Ints32
    given: Ints

    @property
    def labels(self) -> int:
        """The number of labels, the empty place included."""
        return len(self.problem.names) + 1

    def numbers_in(self, rows: Ints) -> Ints:
        """(rows, sets) the numbers of the sets in each row; rows are padded with -1."""
        full = np.where(rows < 0, self.labels - 1, rows)
        columns = list(combinations(range(rows.shape[1]), self.size))
        found = np.zeros((len(rows), len(columns)), np.int64)
        for at, some in enumerate(columns):
            place = np.zeros(len(rows), np.int64)
            for column in some:
                place = place * self.labels + full[:, column]
            found[:, at] = self.number[place]
        return found

    def counts(self, rows: Ints) -> Ints:
        """How many rows, given ones included, cover each number; those not needed count as many."""
        counts = self.given + np.bincount(self.numbers_in(rows).ravel(), minlength=self.given.size)
        counts[0] = 1 << 30
        return counts


def coverage_of(problem: Problem, need: Bytes, size: int, given: Ints) -> CombinationCounts:
    """The coverage of the needed sets, a table of n ** size bytes, by given rows."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import orbits_of

    n = len(problem.names)
    wide = np.zeros((n + 1,) * size, np.uint8)
    wide[(slice(n),) * size] = need.reshape((n,) * size)
    number, total = orbits_of(wide.reshape(-1), np.arange(n + 1), size, n + 1)
    np.maximum(number, 0, out=number)  # a set with the empty place twice has no number yet
    bare = CombinationCounts(problem, size, number, np.zeros(total, np.int64))
    return CombinationCounts(problem, size, number, bare.counts(given))


def without_idle_rows(coverage: CombinationCounts, rows: Ints) -> Ints:
    """The rows without those that cover no set alone, from the last one on."""
    numbers, counts = coverage.numbers_in(rows), coverage.counts(rows)
    keep = np.ones(len(rows), bool)
    for at in range(len(rows) - 1, -1, -1):
        if (counts[numbers[at]] > 1).all():
            keep[at] = False
            np.subtract.at(counts, numbers[at], 1)
    return rows[keep]


def reduced(coverage: CombinationCounts, rows: Ints, bound: int, moves: int, seed: int) -> Ints:
    """Fewer allowed rows that cover the same sets, within a number of moves.

    The step, first one row in `COARSEST`, is halved whenever annealing fails.
    """
    step, attempt = max(1, len(rows) // COARSEST), 0
    while moves > 0 and attempt < TRIES and len(rows) > bound:
        effort = min(moves, max(LEAST, EACH * len(rows) * len(coverage.problem.names)))
        moves -= effort
        step = min(step, len(rows) - bound)
        found, left = _annealed(coverage, _without(coverage, rows, step, attempt), effort, seed)
        if left == 0:
            rows, attempt = without_idle_rows(coverage, found), 0
        elif step > 1:
            step //= 2
        else:
            attempt, seed = attempt + 1, seed + 1
    return rows


def _without(coverage: CombinationCounts, rows: Ints, step: int, skipped: int) -> Ints:
    """All rows but `step` of those that cover the fewest sets alone."""
    numbers, counts = coverage.numbers_in(rows), coverage.counts(rows)
    alone = (counts[numbers] == 1).sum(axis=1)
    order = np.argsort(alone, kind="stable")
    return np.delete(rows, order[skipped : skipped + step], axis=0)


def _annealed(coverage: CombinationCounts, rows: Ints, moves: int, seed: int) -> tuple[Ints, int]:
    """The rows after annealing, and the number of sets that they do not cover."""
    from snellen.methods.combinations.covering.kernels.constrained_annealing import anneal_allowed

    n = coverage.labels
    full = np.where(rows < 0, n - 1, rows)
    counts = coverage.counts(rows)
    left = anneal_allowed(
        full, n, coverage.size, coverage.number, counts, int((counts == 0).sum()),
        *_constraints(coverage.problem), acceptance(HOT, COOL, ROUNDS), moves // ROUNDS,
        xorshift_state(seed, len(rows)),
    )  # fmt: skip
    filled = ([label for label in row if label < n - 1] for row in full.tolist())
    return padded(filled, rows.shape[1]), left


def _constraints(problem: Problem) -> tuple[Bytes, Ints, Ints, Ints, Ints]:
    """What the annealing of rows must respect; the empty place has no constraint."""
    from snellen.methods.combinations.covering.kernels.constrained_annealing import APART, NEEDS

    n = len(problem.names) + 1
    between, needs = np.zeros((n, n), np.uint8), np.zeros(n, np.int64)
    for label, more in problem.implied:
        between[label, sorted(more)] = NEEDS
        needs[label] = len(more)
    for one in problem.forbidden:
        some = sorted(one)
        if len(some) == 1:
            between[some[0]] = APART
        elif len(some) == 2:
            between[some, some[::-1]] = APART
    large = [one for one in problem.forbidden if len(one) > 2]
    return between.reshape(-1), needs, *sets_by_label(large, n)
