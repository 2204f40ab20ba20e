"""What large arrays take: memory by what is made, and rows as members."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.members import members_of
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.search.absent_label_rows import complete_rows
from snellen.methods.combinations.covering.search_size import search_bytes
from snellen.methods.combinations.covering.verifier import missing_combinations
from tests.methods.combinations.covering.brute_force import brute_missing


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_pairs_with_absent_labels_are_completed_whatever_the_rows(data: st.DataObject) -> None:
    n, count = data.draw(st.integers(2, 7)), data.draw(st.integers(0, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    rows = rng.random((count, n)) < data.draw(st.sampled_from([0.1, 0.5, 0.9]))
    whole = complete_rows(problem_of(n, 2, n), members_of(rows, n))
    values = np.array([[label in row for label in range(n)] for row in whole.tolist()], bool)
    left = brute_missing(values.reshape(-1, n), 2, n)
    assert all(values == (1, 1) for _, values in left)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_verifier_reads_members_as_it_reads_values(data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 7))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    rows = rng.random((data.draw(st.integers(0, 12)), n)) < 0.4
    labels = sorted(rng.choice(n, 3, replace=False).tolist())
    found = [
        list(missing_combinations(one, 2, n, (), labels, (), total))
        for one, total in ((rows, None), (members_of(rows, n), n))
    ]
    assert found[0] == found[1]


def test_a_large_array_never_holds_its_zeros() -> None:
    cover(60, 2, 4, effort="quick")
    tracemalloc.start()
    array = cover(600, 2, 4, effort="quick")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert array.complete
    zeros = len(array.members) * 600
    assert peak < min(2 * zeros, 3 * search_bytes(600, 2, 4))


def test_the_size_guard_counts_the_labels_of_a_demand_and_no_others() -> None:
    array = cover(80, 2, 4, strength_on={tuple(range(9)): 6}, effort="quick")
    assert array.complete
    with pytest.raises(UserError, match=r"80 labels at strength 6 need about [\d.]+ GB"):
        cover(80, 6, 6)
    with pytest.raises(UserError, match="raise it for a few labels only"):
        cover(50_000, 2, 4)
