"""Steiner systems: every set once, and every combination with zeros."""

from math import comb

import numpy as np
import pytest

from snellen.methods.combinations.covering.constructions.design_catalogue import known_designs
from snellen.methods.combinations.covering.constructions.line_orbits import BASE_ROWS, line_rows
from snellen.methods.combinations.covering.constructions.one_factors import (
    factors_without,
    near_factors,
    one_factors,
)
from snellen.methods.combinations.covering.constructions.quadruple_systems import quadruple_system
from snellen.methods.combinations.covering.constructions.spherical_geometries import (
    spherical_orders,
    spherical_rows,
)
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.members import values_of
from snellen.methods.combinations.covering.verifier import missing_combinations
from snellen.vision.arrays import Ints
from tests.methods.combinations.covering.covered_sets import covered_sets

NO_SYSTEM = (86, 110)
KNOWN = [
    (26, 3, 6, 130), (50, 3, 8, 350), (28, 3, 4, 819), (26, 3, 4, 650), (23, 4, 7, 253),
    (12, 5, 6, 132), (24, 5, 8, 759), (17, 3, 5, 68), (22, 3, 6, 77), (11, 4, 5, 66),
    (26, 3, 5, 260), (27, 4, 6, 1170), (65, 3, 9, 520),
]  # fmt: skip


def is_steiner_system(rows: Ints, n: int, strength: int) -> bool:
    """Whether each set is in some row, which by their number means in exactly one."""
    found = covered_sets(rows, strength)
    whole = comb(n, strength)
    return len(found) == whole == len(rows) * comb(rows.shape[1], strength)


@pytest.mark.parametrize("n", [n for n in range(4, 60) if n % 6 in (2, 4)])
def test_quadruple_systems_of_every_small_order_have_each_triple_once(n: int) -> None:
    rows = quadruple_system(n)
    assert rows is not None
    assert is_steiner_system(rows, n, 3)


@pytest.mark.thorough
@pytest.mark.parametrize("n", [n for n in range(60, 124) if n % 6 in (2, 4)])
def test_larger_quadruple_systems_have_each_triple_once(n: int) -> None:
    rows = quadruple_system(n)
    assert (rows is None) == (n in NO_SYSTEM)
    assert rows is None or is_steiner_system(rows, n, 3)


def test_there_is_no_quadruple_system_of_other_orders() -> None:
    assert all(quadruple_system(n) is None for n in range(40) if n < 4 or n % 6 not in (2, 4))


@pytest.mark.parametrize("most", [4, 5, 6, 8, 9])
def test_spherical_geometries_have_each_triple_once(most: int) -> None:
    orders = [n for n in spherical_orders(most) if n < 70]
    assert orders
    assert all(is_steiner_system(spherical_rows(n, most), n, 3) for n in orders)


@pytest.mark.parametrize(("n", "most"), BASE_ROWS)
@pytest.mark.parametrize("strength", [5, 4, 3])
def test_line_orbits_and_their_derived_systems_have_each_set_once(
    n: int, most: int, strength: int
) -> None:
    fixed = 5 - strength
    rows = line_rows(n - fixed, most - fixed, strength)
    assert is_steiner_system(rows, n - fixed, strength)


@pytest.mark.parametrize(("n", "strength", "most", "size"), KNOWN)
def test_arrays_of_known_designs_are_on_the_bound_with_all_zeros(
    n: int, strength: int, most: int, size: int
) -> None:
    array = cover(n, strength, most)
    assert array.complete
    assert len(array.rows) == array.bound == size
    assert not any(missing_combinations(array.rows, strength, most))


@pytest.mark.parametrize(
    ("n", "most", "strength"), [(25, 6, 3), (24, 6, 3), (22, 7, 4), (31, 4, 3)]
)
def test_a_system_without_some_labels_covers_the_others(n: int, most: int, strength: int) -> None:
    for rows in known_designs(n, most, strength):
        assert values_of(rows, n).sum(axis=1).max() <= most
        assert len(covered_sets(rows, strength)) == comb(n, strength)


@pytest.mark.parametrize("n", [6, 8, 10, 12, 18, 22])
def test_near_factors_miss_two_labels_each_and_hold_each_pair_once(n: int) -> None:
    near, whole = near_factors(n)
    pairs = [tuple(sorted(pair)) for one in (*near, *whole) for pair in one.tolist()]
    assert len(pairs) == len(set(pairs)) == comb(n, 2)
    for at, one in enumerate(near):
        assert sorted(one.ravel().tolist()) == [i for i in range(n) if i // 2 != at]
    assert all(sorted(one.ravel().tolist()) == list(range(n)) for one in whole)


@pytest.mark.parametrize(("n", "odd"), [(8, 1), (10, 1), (20, 5), (22, 5), (12, -1)])
def test_factors_without_some_differences_hold_all_others_once(n: int, odd: int) -> None:
    factors = factors_without(n, odd)
    pairs = [tuple(sorted(pair)) for one in factors for pair in one.tolist()]
    left = range(1, odd + 1, 2)
    wanted = {
        (a, b)
        for a in range(n)
        for b in range(a + 1, n)
        if (b - a) not in left and n - (b - a) not in left
    }
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == wanted
    assert all(len(np.unique(one)) == n == one.size for one in factors)
    assert len(one_factors(n)) == n - 1
