"""A row budget: the coverage of truncated arrays."""

import numpy as np
import pytest

from snellen.methods.combinations.covering.cover import cover
from snellen.vision.arrays import Bools
from tests.methods.combinations.covering.brute_force import brute_missing


def greedily(n: int, most: int, count: int, seed: int) -> Bools:
    """Rows that each cover the most new combinations of values, out of 300 random ones."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(n, 1)
    seen = np.zeros((first.size, 4), bool)
    rows = []
    for _ in range(count):
        options = rng.random((300, n)).argsort(axis=1) < most
        codes = 2 * options[:, first] + options[:, second]
        fresh = (~seen[np.arange(first.size), codes]).sum(axis=1)
        at = int(fresh.argmax())
        rows.append(options[at])
        seen[np.arange(first.size), codes[at]] = True
    return np.array(rows)


@pytest.mark.parametrize(
    ("n", "most", "budget"),
    [(20, 4, 10), (20, 4, 15), (20, 4, 20), (20, 6, 4), (20, 6, 8), (30, 4, 25)],
)
def test_a_budget_shows_no_less_than_rows_chosen_for_it_alone(
    n: int, most: int, budget: int
) -> None:
    array = cover(n, 2, most, rows=budget, effort="quick")
    assert len(array.rows) == budget
    assert array.missing == len(brute_missing(array.rows, 2, most))
    direct = min(len(brute_missing(greedily(n, most, budget, s), 2, most)) for s in range(3))
    assert array.missing <= direct + 0.03 * array.combinations


def test_a_budget_of_normal_effort_shows_no_less_than_a_quick_one() -> None:
    normal, quick = (cover(14, 2, 4, rows=9, effort=effort) for effort in ("normal", "quick"))
    assert normal.missing <= quick.missing


def test_a_budget_that_is_enough_cuts_nothing() -> None:
    array = cover(12, 2, 4, rows=500, effort="quick")
    assert array.complete
    assert len(array.rows) < 500
