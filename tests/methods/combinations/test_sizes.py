"""Sizes that `normal` reaches and that are quick to compute; limits from the literature."""

from itertools import combinations

import pytest

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.hexads import hexads
from snellen.methods.combinations.covering.triple_systems import triple_system
from tests.methods.combinations.brute import brute_missing

EXACT = [
    (3, 2, 2, 4), (3, 2, 3, 4), (4, 2, 3, 5), (4, 2, 4, 5), (5, 2, 3, 6), (6, 2, 3, 6),
    (6, 2, 6, 6), (8, 2, 4, 7), (10, 2, 4, 9), (10, 2, 5, 6), (10, 2, 10, 6), (5, 3, 2, 10),
    (4, 3, 2, 7), (3, 3, 2, 7), (3, 3, 3, 8), (2, 2, 1, 3), (6, 2, 1, 6),
]  # fmt: skip
ON_THE_BOUND = [(20, 2, 2, 190), (20, 2, 3, 67), (80, 2, 2, 3160), (80, 2, 3, 1067),
                (80, 2, 4, 540), (365, 2, 3, 22144), (20, 3, 4, 285), (40, 3, 4, 2470)]  # fmt: skip


@pytest.mark.parametrize(("n", "strength", "most", "rows"), EXACT)
def test_small_arrays_have_the_least_rows_possible(
    n: int, strength: int, most: int, rows: int
) -> None:
    array = cover(n, strength, most)
    assert len(array.rows) == rows
    assert array.bound <= rows
    assert not brute_missing(array.rows, strength, most)


@pytest.mark.parametrize(("n", "strength", "most", "rows"), ON_THE_BOUND)
def test_structured_arrays_are_complete_and_on_the_bound(
    n: int, strength: int, most: int, rows: int
) -> None:
    array = cover(n, strength, most)
    assert (len(array.rows), array.bound, array.missing) == (rows, rows, 0)


@pytest.mark.parametrize(("most", "rows"), [(4, 35), (5, 21), (6, 16)])
def test_twenty_labels_reach_the_best_known_pairs(most: int, rows: int) -> None:
    array = cover(20, 2, most)
    assert len(array.rows) == rows
    assert array.complete


def test_triples_of_twenty_labels_in_rows_of_six_reach_74() -> None:
    array = cover(20, 3, 6)
    assert len(array.rows) <= 74
    assert array.complete


def test_each_triple_of_22_labels_lies_in_one_hexad() -> None:
    triples = [t for one in hexads() for t in combinations(one, 3)]
    assert len(hexads()) == 77
    assert len(triples) == len(set(triples)) == 22 * 21 * 20 // 6


@pytest.mark.parametrize("n", [*range(7, 40), 59, 60, 61, 62, 63, 64])
def test_rows_of_three_are_on_the_bound_for_any_number_of_labels(n: int) -> None:
    rows = triple_system(n, 1)
    if rows is None:
        assert n in (11, 12)
        return
    pairs = {(a, b) for row in rows.tolist() for a in row for b in row if a < b}
    assert len(pairs) == n * (n - 1) // 2
    assert len(rows) == schoenheim(n, 3, 2)


@pytest.mark.parametrize(
    ("n", "strength", "bounds"),
    [
        (20, 2, [190, 67, 35, 20, 14, 12, 8]),
        (365, 2, [66430, 22144, 11133, 6643, 4441, 3181, 2373]),
        (80, 3, [82160, 20540, 8224, 4214, 2412, 1470]),
        (20, 4, [4845, 1028, 344, 163, 83]),
    ],
)
def test_the_bound_is_the_published_one(n: int, strength: int, bounds: list[int]) -> None:
    found = [schoenheim(n, most, strength) for most in range(strength, strength + len(bounds))]
    assert found == bounds
