"""Layouts of groups."""

import pytest

from snellen.methods.combinations.covering.constructions.label_groups import layouts


@pytest.mark.parametrize("most", [4, 5, 6, 8])
def test_a_layout_has_all_labels(most: int) -> None:
    for n in (60, 117, 200, 999):
        for one in layouts(n, most):
            assert (most - 1) * one.q + one.r + one.w == n
            assert one.r <= one.q
