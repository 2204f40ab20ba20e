"""Constraints: what they rule out, by brute force, and the sizes of arrays under them."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.covering_array import CoveringArray

Combination = tuple[tuple[int, int], ...]
"""(label, value) of some labels."""


def allowed_rows(n: int, most: int, forbid: Any, implies: Any) -> list[tuple[int, ...]]:
    """Every row that satisfies the constraints, by trying all."""
    return [
        row
        for row in product((0, 1), repeat=n)
        if sum(row) <= most
        and not any(all(row[i] for i in one) for one in forbid)
        and all(row[b] or not row[a] for a, others in implies.items() for b in others)
    ]


def shown_by(rows: Any, labels: tuple[int, ...]) -> set[Combination]:
    return {tuple((i, int(row[i])) for i in labels) for row in rows}


def listed_as_impossible(array: CoveringArray, some: Combination) -> bool:
    ones = {str(label) for label, value in some if value}
    zeros = {str(label) for label, value in some if not value}
    return any(set(one) <= ones for one in array.infeasible) or any(
        a in ones and b in zeros for a, b in array.implied
    )


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(3, 7))
    labels = st.integers(0, n - 1)
    groups = st.lists(labels, min_size=1, max_size=3, unique=True)
    return {
        "labels": n,
        "strength": draw(st.integers(2, 3)),
        "max_present": draw(st.integers(1, n)),
        "forbid": draw(st.lists(groups, max_size=3)),
        "implies": draw(st.dictionaries(labels, groups, max_size=3)),
    }


def verify(asked: dict[str, Any], array: CoveringArray) -> None:
    n, most = asked["labels"], asked["max_present"]
    possible = allowed_rows(n, most, asked["forbid"], asked["implies"])
    assert {tuple(row) for row in array.rows.astype(int).tolist()} <= set(possible)
    required = 0
    for some in combinations(range(n), asked["strength"]):
        feasible = shown_by(possible, some)
        assert shown_by(array.rows, some) == feasible
        required += len(feasible)
        for values in product((0, 1), repeat=len(some)):
            if sum(values) <= most:
                one = tuple(zip(some, values, strict=True))
                assert listed_as_impossible(array, one) == (one not in feasible)
    assert array.combinations == required
    assert array.complete
    assert len(array.rows) >= array.bound


@settings(max_examples=120, deadline=None)
@given(problems())
def test_what_constraints_make_impossible_is_listed_exactly_and_all_else_is_covered(
    asked: dict[str, Any],
) -> None:
    verify(asked, cover(**asked, effort="quick"))


@settings(max_examples=12, deadline=None)
@given(problems())
def test_annealed_rows_obey_every_constraint(asked: dict[str, Any]) -> None:
    verify(asked, cover(**asked, effort="normal"))


@pytest.mark.parametrize(
    ("asked", "most"),
    [
        ({"labels": 80, "strength": 2, "max_present": 4, "forbid": [(0, 1)]}, 541),
        ({"labels": 80, "strength": 2, "max_present": 6, "forbid": [(3, 60)]}, 229),
        ({"labels": 20, "strength": 3, "max_present": 6, "forbid": [(0, 1)]}, 76),
        ({"labels": 20, "strength": 3, "max_present": 6, "forbid": [(4, 9, 17)]}, 76),
        pytest.param(
            {"labels": 200, "strength": 2, "max_present": 4, "forbid": [(0, 1)]}, 3363,
            marks=pytest.mark.thorough,
        ),
    ],
)  # fmt: skip
def test_one_forbidden_set_keeps_the_good_array(asked: dict[str, Any], most: int) -> None:
    array = cover(**asked)
    assert array.complete
    assert array.bound <= len(array.rows) <= most


def tenth(n: int) -> list[tuple[int, int]]:
    """A tenth of all pairs, forbidden."""
    pairs = list(combinations(range(n), 2))
    chosen = np.random.default_rng(1).permutation(len(pairs))[: len(pairs) // 10]
    return [pairs[at] for at in chosen]


GROUPS = [range(at, at + 4) for at in range(0, 80, 4)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("most", "constraints", "limit"),
    [
        (4, {"forbid": tenth(80)}, 572),
        (4, {"exclusive": GROUPS}, 572),
        (6, {"forbid": tenth(80)}, 226),
        (4, {"exclusive": [range(10), range(10, 40)]}, 572),
        (4, {"implies": {0: [1], 2: [1], 3: [4, 5]}}, 670),
        (4, {"strength_on": {tuple(range(10)): 3}}, 572),
    ],
)
def test_many_constraints_stay_near_the_bound_without_any(
    most: int, constraints: dict[str, Any], limit: int
) -> None:
    array = cover(80, 2, most, **constraints)
    assert array.complete
    assert array.bound <= len(array.rows) <= limit


def test_the_bound_counts_the_rows_of_each_label_under_constraints() -> None:
    assert cover(80, 2, 4, forbid=[(0, 1)], effort="quick").bound == 540
    assert cover(12, 2, 4, exclusive=[range(6), range(6, 12)], effort="quick").bound == 36


def test_the_same_seed_gives_the_same_array_under_constraints() -> None:
    asked: dict[str, Any] = {"forbid": [(0, 1), (2, 3, 4)], "implies": {5: [6]}, "seed": 3}
    first, again = (cover(14, 2, 4, **asked).rows for _ in range(2))
    assert np.array_equal(first, again)


def test_a_row_that_breaks_an_implication_is_refused() -> None:
    with pytest.raises(UserError, match="implies does not allow"):
        cover(4, 2, 2, implies={0: [1]}, must_include=[[1, 0, 0, 0]])
    with pytest.raises(UserError, match="expected a list of labels"):
        cover(["cat", "dog"], 2, 2, implies={"cat": "dog"})
