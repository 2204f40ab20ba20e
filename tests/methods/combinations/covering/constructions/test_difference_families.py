"""Arrays by difference families."""

import pytest

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.constructions.difference_families import (
    families,
    family_rows,
)
from tests.methods.combinations.covering.covered_sets import covered_sets


@pytest.mark.parametrize(("n", "most", "over"), [(211, 6, 0), (216, 6, 0), (246, 6, 0),
                                                 (206, 6, 34), (61, 5, 0), (37, 4, 0)])  # fmt: skip
@pytest.mark.parametrize("seed", [1, 2])
def test_a_family_covers_every_pair_in_as_many_rows_as_it_says(
    n: int, most: int, over: int, seed: int
) -> None:
    shapes = families(n, most)
    fewest = [one for one in shapes if one.rows == shapes[0].rows]
    rows = family_rows(fewest, seed)
    assert rows is not None
    assert len(rows) == fewest[0].rows == schoenheim(n, most, 2) + over
    assert len(covered_sets(rows, 2)) == n * (n - 1) // 2
