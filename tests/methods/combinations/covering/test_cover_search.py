"""The parts of the search, each against its definition."""

from itertools import combinations
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.constructions.difference_families import (
    families,
    family_rows,
)
from snellen.methods.combinations.covering.constructions.holes import rows_with_hole
from snellen.methods.combinations.covering.constructions.label_groups import layouts
from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    anneal,
    orbits_of,
    random_rows,
)
from snellen.methods.combinations.covering.kernels.pair_annealing import anneal_pairs
from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST, acceptance
from snellen.methods.combinations.covering.search.pair_arrays import pair_rows
from snellen.methods.combinations.covering.search.row_reduction import reduce_rows
from snellen.methods.combinations.covering.search.shift_symmetry import (
    annealed,
    shift_of,
    shifted,
    shifts,
)
from snellen.methods.combinations.covering.xorshift import dice_of


def shown(rows: np.ndarray, size: int) -> set[tuple[int, ...]]:
    return {one for row in rows.tolist() for one in combinations(sorted(set(row) - {-1}), size)}


def test_a_loss_is_accepted_with_the_chance_that_annealing_names() -> None:
    limits = acceptance("0.45", "0.98", 150)
    for at in (0, 70, 149):
        heat = 0.45 * 0.98**at
        expected = [exp(-loss / heat) for loss in range(STEEPEST)]
        assert np.allclose(limits[at] / 2**32, expected, atol=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_an_orbit_holds_a_set_and_all_its_shifts_and_no_other(data: st.DataObject) -> None:
    n, size = data.draw(st.integers(4, 9)), data.draw(st.integers(2, 3))
    around = data.draw(st.integers(1, n))
    shift = shift_of(n, around, n % around)
    orbit, total = orbits_of(need_all(n, size), shift, size, n)
    table = orbit.reshape((n,) * size)
    numbers = {}
    for one in combinations(range(n), size):
        numbers[one] = int(table[one])
        moved = tuple(sorted(int(shift[i]) for i in one))
        assert table[moved] == numbers[one]
    found: list[set[tuple[int, ...]]] = []
    for one in combinations(range(n), size):
        if not any(one in other for other in found):
            group, now = set(), one
            while now not in group:
                group.add(now)
                now = tuple(sorted(int(shift[i]) for i in now))
            found.append(group)
    assert len(found) == total - 1 == len(set(numbers.values()))


@pytest.mark.parametrize(("n", "size", "most", "around"), [(13, 2, 4, 13), (12, 2, 4, 5),
                                                          (10, 3, 5, 9), (9, 3, 4, 1)])  # fmt: skip
@pytest.mark.parametrize("count", [1, 2, 6])
def test_annealing_tells_truly_how_many_orbits_its_rows_lack(
    n: int, size: int, most: int, around: int, count: int
) -> None:
    shift = shift_of(n, around, n % around)
    rows, left = annealed(need_all(n, size), size, most, count, shift, 20_000, 3)
    orbit, total = orbits_of(need_all(n, size), shift, size, n)
    table = orbit.reshape((n,) * size)
    assert total - 1 - len({int(table[one]) for one in shown(rows, size)}) == left


def test_sets_that_nobody_needs_cost_nothing() -> None:
    need = need_all(8, 2)
    need.reshape(8, 8)[4:, 4:] = need.reshape(8, 8)[:4, :4] = 0
    orbit, total = orbits_of(need, np.arange(8), 2, 8)
    rows = np.array([[0, 1, 4, 5], [0, 1, 6, 7], [2, 3, 4, 5], [2, 3, 6, 7]], np.int64)
    assert anneal(rows, 8, 2, orbit, total, acceptance("0.1", "0.9", 1), 0, dice_of(1)) == 0


@pytest.mark.parametrize(("n", "most", "hole"), [(13, 4, 0), (20, 5, 3), (64, 6, 0), (9, 2, 4)])
@pytest.mark.parametrize("count", [2, 12])
def test_bits_anneal_pairs_to_the_rows_of_the_slower_way(
    n: int, most: int, hole: int, count: int
) -> None:
    need = need_all(n, 2)
    need.reshape(n, n)[n - hole :, n - hole :] = 0
    orbit, total = orbits_of(need, np.arange(n), 2, n)
    slow, limits = random_rows(count, n, most, dice_of(1)), acceptance("0.45", "0.9", 30)
    fast = slow.copy()
    left = anneal(slow, n, 2, orbit, total, limits, 400, dice_of(2))
    assert anneal_pairs(fast, n, need, limits, 400, dice_of(2)) == left
    assert (fast == slow).all()


def test_a_perfect_difference_set_is_found_and_shifted_to_a_projective_plane() -> None:
    rows, left = annealed(need_all(31, 2), 2, 6, 1, shift_of(31, 31, 0), 400_000, 1)
    assert left == 0
    assert len(rows) == 31
    assert len(shown(rows, 2)) == 31 * 30 // 2


@given(st.integers(5, 40), st.integers(0, 8))
def test_every_shift_keeps_the_hole_and_moves_nearly_all_other_labels(n: int, hole: int) -> None:
    hole = min(hole, n - 2)
    for around, shift in shifts(n, hole, 2):
        assert sorted(shift.tolist()) == list(range(n))
        assert (shift[n - hole :] >= n - hole).all()
        assert len(shifted(np.array([[0]]), shift)) == around
        assert (shift == np.arange(n)).sum() <= max(2, hole)


@settings(max_examples=30, deadline=None)
@given(st.integers(6, 14), st.integers(2, 5), st.integers(0, 99))
def test_an_emptied_array_lacks_pairs_of_the_hole_only(n: int, hole: int, seed: int) -> None:
    pairs = [[a, b, -1, -1] for a, b in combinations(range(n), 2)]
    rows = np.concatenate([np.sort(random_rows(12, n, 4, dice_of(seed)), axis=1), np.array(pairs)])
    found = rows_with_hole(rows, n, hole)
    wanted = {one for one in combinations(range(n), 2) if one[0] < n - hole}
    assert wanted <= shown(found, 2)
    assert not any(set(row) - {-1} <= set(range(n - hole, n)) for row in found.tolist())


@pytest.mark.parametrize(("n", "most", "hole"), [(15, 6, 7), (26, 6, 6), (30, 5, 9), (50, 6, 8),
                                                 (47, 8, 9), (5, 6, 2)])  # fmt: skip
def test_arrays_with_a_hole_show_every_other_pair(n: int, most: int, hole: int) -> None:
    rows = pair_rows(n, most, hole, 1, "normal")
    wanted = {one for one in combinations(range(n), 2) if one[0] < n - hole}
    assert wanted <= shown(rows, 2)
    assert len(rows) <= len(pair_rows(n, most, 0, 1, "normal"))


@pytest.mark.parametrize("most", [4, 5, 6, 8])
def test_a_layout_has_all_labels(most: int) -> None:
    for n in (60, 117, 200, 999):
        for one in layouts(n, most):
            assert (most - 1) * one.q + one.r + one.w == n
            assert one.r <= one.q


@pytest.mark.parametrize(("n", "most", "over"), [(211, 6, 0), (216, 6, 0), (246, 6, 0),
                                                 (206, 6, 34), (61, 5, 0), (37, 4, 0)])  # fmt: skip
@pytest.mark.parametrize("seed", [1, 2])
def test_a_family_shows_every_pair_in_as_many_rows_as_it_says(
    n: int, most: int, over: int, seed: int
) -> None:
    shapes = families(n, most)
    fewest = [one for one in shapes if one.rows == shapes[0].rows]
    rows = family_rows(fewest, seed)
    assert rows is not None
    assert len(rows) == fewest[0].rows == schoenheim(n, most, 2) + over
    assert len(shown(rows, 2)) == n * (n - 1) // 2


@pytest.mark.parametrize("hole", [0, 5])
def test_polishing_drops_rows_and_shows_the_same_pairs(hole: int) -> None:
    need = need_all(16, 2)
    need.reshape(16, 16)[16 - hole :, 16 - hole :] = 0
    pairs = np.array([[a, b, -1, -1] for a, b in combinations(range(16), 2)])
    first = np.concatenate([np.sort(random_rows(28, 16, 4, dice_of(3)), axis=1), pairs[:4]])
    rest = [one for one in pairs.tolist() if tuple(one[:2]) not in shown(first, 2)]
    rows = np.concatenate([first, np.array(rest)])
    fewer = reduce_rows(rows, need, 16, 20, 150_000, 1)
    assert len(fewer) < len(rows) // 2
    wanted = {one for one in combinations(range(16), 2) if one[0] < 16 - hole}
    assert wanted <= shown(fewer, 2)
