"""Rows with a prescribed symmetry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    orbits_of,
)
from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.shift_symmetry import (
    all_shifts,
    anneal_base_rows,
    shift_of,
    shifts,
)
from tests.methods.combinations.covering.covered_sets import covered_sets


@pytest.mark.parametrize(("n", "size", "most", "around"), [(13, 2, 4, 13), (12, 2, 4, 5),
                                                          (10, 3, 5, 9), (9, 3, 4, 1)])  # fmt: skip
@pytest.mark.parametrize("count", [1, 2, 6])
def test_annealing_counts_the_orbits_that_its_rows_do_not_cover(
    n: int, size: int, most: int, around: int, count: int
) -> None:
    shift = shift_of(n, around, n % around)
    rows, left = anneal_base_rows(need_all(n, size), size, most, count, shift, 20_000, 3)
    orbit, total = orbits_of(need_all(n, size), shift, size, n)
    table = orbit.reshape((n,) * size)
    assert total - 1 - len({int(table[one]) for one in covered_sets(rows, size)}) == left


def test_a_perfect_difference_set_is_found_and_shifted_to_a_projective_plane() -> None:
    rows, left = anneal_base_rows(need_all(31, 2), 2, 6, 1, shift_of(31, 31, 0), 400_000, 1)
    assert left == 0
    assert len(rows) == 31
    assert len(covered_sets(rows, 2)) == 31 * 30 // 2


@given(st.integers(5, 40), st.integers(0, 8))
def test_every_shift_keeps_the_hole_and_moves_nearly_all_other_labels(n: int, hole: int) -> None:
    hole = min(hole, n - 2)
    for around, shift in shifts(n, hole, 2):
        assert sorted(shift.tolist()) == list(range(n))
        assert (shift[n - hole :] >= n - hole).all()
        assert len(all_shifts(np.array([[0]]), shift)) == around
        assert (shift == np.arange(n)).sum() <= max(2, hole)
