"""Sizes that effort `normal` reaches, with digests of the rows and documented limits."""

from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.covering_array import CoveringArray
from tests.methods.combinations.covering.brute_force import brute_missing

EXACT = [
    (3, 2, 2, 4), (3, 2, 3, 4), (4, 2, 3, 5), (4, 2, 4, 5), (5, 2, 3, 6), (6, 2, 3, 6),
    (6, 2, 6, 6), (8, 2, 4, 7), (10, 2, 4, 9), (10, 2, 5, 6), (10, 2, 10, 6), (5, 3, 2, 10),
    (4, 3, 2, 7), (3, 3, 2, 7), (3, 3, 3, 8), (2, 2, 1, 3), (6, 2, 1, 6),
]  # fmt: skip
LARGE = pytest.mark.thorough
SIZES = [
    (20, 2, 2, 190, "21951d6e3b2f5f3e"),
    (20, 2, 3, 67, "bec00c2ee2cc6c1f"),
    (20, 2, 4, 35, "9b1563088302a27b"),
    (20, 2, 5, 21, "ff0198353e4d497e"),
    (20, 2, 6, 16, "19d4a3e0522b5f3d"),
    (80, 2, 2, 3160, "65587a0cfc7944d4"),
    (80, 2, 3, 1067, "fe1983cbf88991ed"),
    (80, 2, 4, 540, "fdb63944e2f5ecc6"),
    (80, 2, 5, 320, "e52e84a148bec73c"),
    (80, 2, 6, 229, "9aca1369f8be699a"),
    (200, 2, 3, 6667, "863244b406f1fdf5"),
    (200, 2, 4, 3467, "c66cbee824b9e2b7"),
    (200, 2, 5, 2070, "f9bd589b6a0e1e19"),
    pytest.param(200, 2, 6, 1380, "0119226538f89135", marks=LARGE),
    (365, 2, 3, 22144, "fdfa8d2fb94ddd96"),
    pytest.param(365, 2, 4, 11522, "6736b758e2ec348d", marks=LARGE),
    pytest.param(365, 2, 5, 6875, "9c4aaa9a48edcf1e", marks=LARGE),
    (365, 2, 6, 4596, "9b539b196db41a32"),
    (20, 3, 4, 285, "30680aaa2d52a09d"),
    (13, 3, 5, 41, "4762b73ba5443367"),
    pytest.param(20, 3, 5, 140, "8cdafe3d056acad7", marks=LARGE),
    (20, 3, 6, 74, "e72ae4492217ab80"),
    (80, 3, 4, 20540, "cc3b763469ce7fdc"),
    (80, 3, 5, 9600, "c69d5eb33f17e7c1"),
    (80, 3, 6, 5300, "a3f0ddba899c3593"),
]
"""Labels, strength, max_present, the maximum number of rows, and the digest of the rows."""
QUICK = [
    (20, 2, 4, "0c44804e7f33aa60"),
    (80, 2, 4, "020fb93fa436977f"),
    (20, 3, 5, "9d57cd5b5861691a"),
    (40, 3, 4, "9a910498b02a415f"),
]


@cache
def normal(n: int, strength: int, most: int) -> CoveringArray:
    return cover(n, strength, most)


def digest(array: CoveringArray) -> str:
    return sha256(np.packbits(array.rows).tobytes()).hexdigest()[:16]


@pytest.mark.parametrize(("n", "strength", "most", "rows"), EXACT)
def test_small_arrays_have_the_least_rows_possible(
    n: int, strength: int, most: int, rows: int
) -> None:
    array = cover(n, strength, most)
    assert len(array.rows) == rows
    assert array.bound <= rows
    assert not brute_missing(array.rows, strength, most)


@pytest.mark.parametrize(("n", "strength", "most", "limit", "_"), SIZES)
def test_arrays_of_normal_effort_are_complete_and_have_no_more_rows_than_promised(
    n: int, strength: int, most: int, limit: int, _: str
) -> None:
    array = normal(n, strength, most)
    assert array.complete
    assert array.bound <= len(array.rows) <= limit
    assert array.rows.sum(axis=1).max() <= most


@pytest.mark.parametrize(("n", "strength", "most", "_", "known"), SIZES)
def test_another_machine_gives_the_same_array(
    n: int, strength: int, most: int, _: int, known: str
) -> None:
    assert digest(normal(n, strength, most)) == known


@pytest.mark.parametrize(("n", "strength", "most", "known"), QUICK)
def test_another_machine_gives_the_same_array_with_quick_effort(
    n: int, strength: int, most: int, known: str
) -> None:
    assert digest(cover(n, strength, most, effort="quick")) == known


@pytest.mark.parametrize(
    ("n", "most"),
    [
        *[(206, 6), (231, 6), (250, 6), (294, 6), (421, 6)],
        *[pytest.param(417, 5, marks=LARGE), pytest.param(512, 4, marks=LARGE)],
    ],
)
def test_other_numbers_of_labels_stay_within_three_and_a_half_percent(n: int, most: int) -> None:
    array = cover(n, 2, most)
    assert array.complete
    assert array.gap <= 0.035


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


@pytest.mark.parametrize("effort", ["quick", "normal"])
@pytest.mark.parametrize("strength", [2, 3])
@pytest.mark.parametrize(("n", "mosts"), [(10, (3, 7)), (11, (2, 5, 11)), (12, (4, 6))])
def test_arrays_of_up_to_twelve_labels_are_complete_by_brute_force(
    n: int, mosts: tuple[int, ...], strength: int, effort: str
) -> None:
    for most in mosts:
        array = cover(n, strength, most, effort=effort)
        assert not brute_missing(array.rows, strength, most)
        assert array.complete


@pytest.mark.parametrize(
    ("n", "strength", "most", "limit"),
    [
        (13, 5, 7, 130),
        pytest.param(24, 4, 6, 1028, marks=LARGE),
        pytest.param(16, 5, 6, 885, marks=LARGE),
    ],
)
def test_normal_effort_searches_at_strength_four_and_more(
    n: int, strength: int, most: int, limit: int
) -> None:
    array = cover(n, strength, most)
    assert array.complete
    assert len(array.members) <= limit < len(cover(n, strength, most, effort="quick").members)
