"""Rows of three."""

import pytest

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.constructions.triple_systems import triple_system


@pytest.mark.parametrize("n", [*range(7, 40), 59, 60, 61, 62, 63, 64])
def test_rows_of_three_are_on_the_bound_for_any_number_of_labels(n: int) -> None:
    rows = triple_system(n, 1)
    if rows is None:
        assert n in (11, 12)
        return
    pairs = {(a, b) for row in rows.tolist() for a in row for b in row if a < b}
    assert len(pairs) == n * (n - 1) // 2
    assert len(rows) == schoenheim(n, 3, 2)
