"""Removing rows one by one."""

from itertools import combinations

import numpy as np
import pytest

from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    random_rows,
)
from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.row_reduction import reduce_rows
from snellen.methods.combinations.covering.xorshift import xorshift_state
from tests.methods.combinations.covering.covered_sets import covered_sets


@pytest.mark.parametrize("hole", [0, 5])
def test_reduction_removes_rows_and_covers_the_same_pairs(hole: int) -> None:
    need = need_all(16, 2)
    need.reshape(16, 16)[16 - hole :, 16 - hole :] = 0
    pairs = np.array([[a, b, -1, -1] for a, b in combinations(range(16), 2)])
    first = np.concatenate([np.sort(random_rows(28, 16, 4, xorshift_state(3)), axis=1), pairs[:4]])
    rest = [one for one in pairs.tolist() if tuple(one[:2]) not in covered_sets(first, 2)]
    rows = np.concatenate([first, np.array(rest)])
    fewer = reduce_rows(rows, need, 16, 20, 150_000, 1)
    assert len(fewer) < len(rows) // 2
    wanted = {one for one in combinations(range(16), 2) if one[0] < 16 - hole}
    assert wanted <= covered_sets(fewer, 2)
