"""Arrays for pairs."""

from itertools import combinations

import pytest

from snellen.methods.combinations.covering.search.pair_arrays import pair_rows
from tests.methods.combinations.covering.covered_sets import covered_sets


@pytest.mark.parametrize(("n", "most", "hole"), [(15, 6, 7), (26, 6, 6), (30, 5, 9), (50, 6, 8),
                                                 (47, 8, 9), (5, 6, 2)])  # fmt: skip
def test_arrays_with_a_hole_cover_every_other_pair(n: int, most: int, hole: int) -> None:
    rows = pair_rows(n, most, hole, 1, "normal")
    wanted = {one for one in combinations(range(n), 2) if one[0] < n - hole}
    assert wanted <= covered_sets(rows, 2)
    assert len(rows) <= len(pair_rows(n, most, 0, 1, "normal"))
