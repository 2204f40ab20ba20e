"""Arrays with a hole."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.combinations.covering.constructions.holes import rows_with_hole
from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    random_rows,
)
from snellen.methods.combinations.covering.xorshift import xorshift_state
from tests.methods.combinations.covering.covered_sets import covered_sets


@settings(max_examples=30, deadline=None)
@given(st.integers(6, 14), st.integers(2, 5), st.integers(0, 99))
def test_only_pairs_of_the_hole_are_not_covered(n: int, hole: int, seed: int) -> None:
    pairs = [[a, b, -1, -1] for a, b in combinations(range(n), 2)]
    drawn = random_rows(12, n, 4, xorshift_state(seed))
    rows = np.concatenate([np.sort(drawn, axis=1), np.array(pairs)])
    found = rows_with_hole(rows, n, hole)
    wanted = {one for one in combinations(range(n), 2) if one[0] < n - hole}
    assert wanted <= covered_sets(found, 2)
    assert not any(set(row) - {-1} <= set(range(n - hole, n)) for row in found.tolist())
