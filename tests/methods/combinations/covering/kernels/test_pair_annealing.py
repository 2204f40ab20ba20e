"""Annealing of pairs by bits."""

import numpy as np
import pytest

from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    anneal,
    orbits_of,
    random_rows,
)
from snellen.methods.combinations.covering.kernels.pair_annealing import anneal_pairs
from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import xorshift_state


@pytest.mark.parametrize(("n", "most", "hole"), [(13, 4, 0), (20, 5, 3), (64, 6, 0), (9, 2, 4)])
@pytest.mark.parametrize("count", [2, 12])
def test_bits_anneal_pairs_to_the_same_rows_as_orbits(
    n: int, most: int, hole: int, count: int
) -> None:
    need = need_all(n, 2)
    need.reshape(n, n)[n - hole :, n - hole :] = 0
    orbit, total = orbits_of(need, np.arange(n), 2, n)
    slow, limits = random_rows(count, n, most, xorshift_state(1)), acceptance("0.45", "0.9", 30)
    fast = slow.copy()
    left = anneal(slow, n, 2, orbit, total, limits, 400, xorshift_state(2))
    assert anneal_pairs(fast, n, need, limits, 400, xorshift_state(2)) == left
    assert (fast == slow).all()
