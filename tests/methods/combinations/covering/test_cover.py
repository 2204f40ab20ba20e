import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.combinations.covering.cover import cover
from tests.methods.combinations.covering.brute_force import brute_missing


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_array_is_complete_under_any_constraints(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 9))
    strength = data.draw(st.integers(2, min(4, n)))
    most = data.draw(st.integers(1, n))
    sets = st.frozensets(st.integers(0, n - 1), min_size=1, max_size=min(4, n))
    forbid = data.draw(st.lists(sets, max_size=4))
    seed = data.draw(st.integers(0, 5))
    array = cover(n, strength, most, forbid=forbid, seed=seed, effort="quick")
    missing = brute_missing(array.rows, strength, most, tuple(forbid))
    assert not missing
    assert array.complete
    assert array.rows.sum(axis=1).max() <= most
    assert not any(array.rows[:, sorted(one)].all(axis=1).any() for one in forbid)
    assert len(array.rows) >= array.bound
    everything = brute_missing(array.rows[:0], strength, most, tuple(forbid))
    assert array.combinations == len(everything)


def test_the_same_seed_gives_the_same_array() -> None:
    first, again = (cover(20, 2, 5, seed=7, effort="quick").rows for _ in range(2))
    assert (first == again).all()


def test_rows_come_by_greatest_new_coverage() -> None:
    rows = cover(30, 2, 5, effort="quick").rows
    seen: set[tuple[int, int]] = set()
    fresh = []
    for row in rows:
        present = np.flatnonzero(row).tolist()
        pairs = {(a, b) for a in present for b in present if a < b}
        fresh.append(len(pairs - seen))
        seen |= pairs
    assert fresh == sorted(fresh, reverse=True)


def test_exclusive_labels_are_never_together_and_are_listed_as_infeasible() -> None:
    array = cover(["cat", "dog", "day", "night"], 2, 3, exclusive=[["day", "night"]])
    assert not (array.rows[:, 2] & array.rows[:, 3]).any()
    assert array.infeasible == (("day", "night"),)
    assert array.complete


def test_a_forbidden_set_larger_than_the_strength_makes_nothing_infeasible() -> None:
    array = cover(8, 2, 4, forbid=[(0, 1, 2)])
    assert array.infeasible == ()
    assert not array.rows[:, :3].all(axis=1).any()


def test_required_rows_are_in_the_array() -> None:
    wanted = np.zeros((2, 12), bool)
    wanted[0, [0, 5, 7]] = wanted[1, [2, 3]] = True
    rows = cover(12, 2, 4, must_include=wanted).rows
    assert {tuple(r) for r in wanted.tolist()} <= {tuple(r) for r in rows.tolist()}
    assert not brute_missing(rows, 2, 4)


def test_an_extended_array_keeps_its_rows_first_and_needs_fewer_new_ones() -> None:
    old = cover(40, 2, 4, effort="quick").rows[:60]
    array = cover(40, 2, 4, extend=old, effort="quick")
    assert (array.rows[:60] == old).all()
    assert array.complete
    assert len(array.rows) - 60 < len(cover(40, 2, 4, effort="quick").rows) - 40


def test_a_higher_strength_on_some_labels_is_reached() -> None:
    array = cover(10, 2, 5, strength_on={(0, 1, 2, 3, 4): 3})
    assert array.complete
    assert not brute_missing(array.rows, 3, 5, labels=(0, 1, 2, 3, 4))
    assert not brute_missing(array.rows, 2, 5)


def test_a_row_budget_is_kept_and_its_first_rows_cover_most() -> None:
    array = cover(30, 2, 4, rows=40, effort="quick")
    assert len(array.rows) == 40
    assert array.missing == len(brute_missing(array.rows, 2, 4))
    pairs = (array.rows.T.astype(int) @ array.rows)[np.triu_indices(30, 1)] > 0
    assert pairs.mean() > 0.5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"labels": 2, "strength": 3, "max_present": 2}, "expected at least 3, the strength"),
        ({"labels": 5, "strength": 2, "max_present": 0}, "max_present: found 0"),
        ({"labels": 5, "strength": 1, "max_present": 2}, "strength: found 1"),
        ({"labels": ["a", "a"], "strength": 2, "max_present": 2}, "occurs twice"),
        ({"labels": ["cat", "dog"], "strength": 2, "max_present": 2, "forbid": [["cut"]]}, "mean"),
        ({"labels": 4, "strength": 2, "max_present": 2, "must_include": [[1, 1, 1, 0]]}, "row 1"),
        (
            {"labels": 4, "strength": 2, "max_present": 4, "forbid": [[0, 1]],
             "extend": [[1, 1, 0, 0]]},
            "does not allow",
        ),
        ({"labels": 4, "strength": 2, "max_present": 2, "effort": "fast"}, "effort"),
        ({"labels": 4, "strength": 2, "max_present": 2, "strength_on": {(0, 1): 3}}, "strength_on"),
        ({"labels": 4, "strength": 2, "max_present": 2, "rows": 0}, "rows: found 0"),
    ],
)  # fmt: skip
def test_a_contradiction_is_reported_in_words(arguments: dict, said: str) -> None:
    with pytest.raises(UserError, match=said):
        cover(**arguments)
