"""Annealing of base rows by orbits."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    anneal,
    orbits_of,
)
from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.search.shift_symmetry import (
    shift_of,
)
from snellen.methods.combinations.covering.xorshift import xorshift_state


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


def test_sets_that_are_not_needed_cost_nothing() -> None:
    need = need_all(8, 2)
    need.reshape(8, 8)[4:, 4:] = need.reshape(8, 8)[:4, :4] = 0
    orbit, total = orbits_of(need, np.arange(8), 2, 8)
    rows = np.array([[0, 1, 4, 5], [0, 1, 6, 7], [2, 3, 4, 5], [2, 3, 6, 7]], np.int64)
    assert anneal(rows, 8, 2, orbit, total, acceptance("0.1", "0.9", 1), 0, xorshift_state(1)) == 0
