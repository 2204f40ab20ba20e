"""Annealing under constraints."""

from typing import Any

import numpy as np
import pytest

from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.search.constrained_reduction import (
    coverage_of,
    reduced,
    without_idle_rows,
)
from snellen.methods.combinations.covering.search.greedy_fill import needed_sets_of, rows_for
from tests.methods.combinations.covering.covered_sets import covered_sets

CONSTRAINTS: dict[str, Any] = {
    "forbid": [(0, 1), (2, 3, 4), (5, 6, 7)],
    "exclusive": [(8, 9, 10)],
    "implies": {0: [11], 5: [12], 13: [14, 15], 3: [12]},
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [2, 3])
def test_reduced_rows_obey_every_constraint_and_cover_the_same_sets(size: int, seed: int) -> None:
    problem = problem_of(16, size, 5, **CONSTRAINTS)
    labels = tuple(range(16))
    given = np.array([[1, 5, 12, -1, -1]])
    rows = rows_for(problem, needed_sets_of(problem, labels, size), size, given, seed, 2)
    coverage = coverage_of(problem, needed_sets_of(problem, labels, size), size, given)
    fewer = reduced(coverage, rows, 1, 3_000_000, seed)
    assert len(fewer) < len(rows)
    assert all(problem.allows(set(row) - {-1}) for row in fewer.tolist())
    wanted = covered_sets(np.concatenate([given, rows]), size)
    feasible = {one for one in wanted if problem.feasible(frozenset(one), frozenset())}
    assert feasible <= covered_sets(np.concatenate([given, fewer]), size)


def test_only_rows_that_cover_nothing_alone_are_idle() -> None:
    coverage = coverage_of(problem_of(4, 2, 3), need_all(4, 2), 2, np.zeros((0, 3), np.int64))
    rows = np.array([[0, 1, 2], [0, 1, 3], [0, 3, -1], [0, 1, -1]])
    assert without_idle_rows(coverage, rows).tolist() == [[0, 1, 2], [0, 1, 3]]
