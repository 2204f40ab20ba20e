"""The rows of a run: what they show, what they cover, and what they can't."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.row_plan import RowPlan, plan_rows

CLASSES = ("cat", "dog", "car", "bus", "traffic light", "cup")


def planned(usable: set[int] | None = None, folder: Path = Path(), **options: object) -> RowPlan:
    chosen = CombinationOptions.model_validate({"max_present": 3, **options})
    known = set(range(len(CLASSES))) if usable is None else usable
    return plan_rows(chosen, CLASSES, known, 1, folder)


def shown(rows: tuple[tuple[int, ...], ...], labels: list[int], most: int) -> tuple[int, int]:
    """Combinations of values of two labels that rows show, and how many there are, one by one."""
    demanded = [
        (pair, values)
        for pair in combinations(labels, 2)
        for values in product((0, 1), repeat=2)
        if sum(values) <= most
    ]
    found = {
        (pair, tuple(int(label in row) for label in pair))
        for row in rows
        for pair in combinations(labels, 2)
    }
    return sum(one in found for one in demanded), len(demanded)


def test_every_combination_is_covered_and_the_row_with_nothing_is_there() -> None:
    plan = planned()
    assert () in plan.rows
    assert len(set(plan.rows)) == len(plan.rows)
    covered, total = shown(plan.rows, list(range(6)), 3)
    assert (covered, total) == (60, 60)
    assert plan.facts["covered"] == plan.facts["combinations"] == 60
    assert all(len(row) <= 3 for row in plan.rows)


@pytest.mark.parametrize("gone", [{0}, {1, 4}, {0, 2, 5}])
def test_what_needs_a_label_without_objects_is_counted_as_uncovered(gone: set[int]) -> None:
    plan = planned(set(range(6)) - gone)
    assert not any(set(row) & gone for row in plan.rows)
    covered, total = shown(plan.rows, list(range(6)), 3)
    assert plan.facts["combinations"] == total
    assert plan.facts["covered"] == covered < total
    assert plan.facts["uncovered"] == total - covered


def test_only_the_labels_wanted_are_shown() -> None:
    plan = planned(labels=("Dog", "traffic_light", "cup"))
    assert set().union(*map(set, plan.rows)) == {1, 4, 5}
    assert plan.facts["combinations"] == 12


def test_labels_that_are_forbidden_together_are_never_shown_together() -> None:
    plan = planned(forbid=(("cat", "dog"),), exclusive=(("car", "bus", "cup"),))
    for row in plan.rows:
        assert not {0, 1} <= set(row)
        assert len({2, 3, 5} & set(row)) <= 1
    assert plan.facts["covered"] == plan.facts["combinations"]


def test_a_forbidden_label_without_objects_forbids_nothing_else() -> None:
    plan = planned({0, 1, 2, 3, 4}, forbid=(("cat", "cup"),))
    assert any({0, 1} <= set(row) for row in plan.rows)


def test_a_row_budget_keeps_the_first_rows() -> None:
    whole, cut = planned(), planned(rows=3)
    assert cut.rows[:3] == whole.rows[:3]
    assert cut.rows[3:] == ((),)
    assert cut.facts["uncovered"] > 0


def array_file(folder: Path, text: str) -> Path:
    (folder / "rows.csv").write_text(text)
    return Path("rows.csv")


def test_rows_of_ones_own_are_taken_as_they_are(tmp_path: Path) -> None:
    text = "dog,Traffic-Light,cat\n1,1,0\n0,0,1\n0,0,0\n"
    plan = planned(folder=tmp_path, array=array_file(tmp_path, text))
    assert plan.rows == ((1, 4), (0,), ())
    assert plan.facts["bound"] is None
    assert plan.facts["uncovered"] > 0


def test_a_given_row_with_a_label_without_objects_is_left_out_and_told(tmp_path: Path) -> None:
    path = array_file(tmp_path, "dog,cat\n1,1\n0,1\n1,0\n0,0\n")
    plan = planned({1, 2}, tmp_path, array=path)
    assert plan.rows == ((1,), ())
    assert plan.left_out == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog,cow\n1,1\n", "rows.csv: the subject has no label 'cow'"),
        ("dog,DOG\n1,1\n", "a label has two columns"),
        ("dog,cat\n1,2\n", "row 1: expected 2 values, each 0 or 1"),
    ],
)
def test_a_wrong_array_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        planned(folder=tmp_path, array=array_file(tmp_path, text))


def test_a_label_that_the_subject_does_not_have_is_a_mistake() -> None:
    with pytest.raises(
        UserError, match=r"combinations.labels: the subject has no label 'kat'.*cat"
    ):
        planned(labels=("kat", "dog"))


def test_too_few_labels_with_objects_are_told() -> None:
    with pytest.raises(UserError, match="1 labels have a usable object"):
        planned({2})


def test_the_same_seed_gives_the_same_rows() -> None:
    assert planned().rows == planned().rows


def test_a_label_is_shown_only_with_what_it_implies() -> None:
    plan = planned(implies={"cup": ("cat",)})
    assert all(0 in row for row in plan.rows if 5 in row)
    assert any(5 in row for row in plan.rows)
    assert plan.facts["uncovered"] == 0
    assert plan.facts["combinations"] == planned().facts["combinations"] - 1


def test_a_label_that_needs_one_without_objects_is_not_shown() -> None:
    plan = planned({1, 2, 3, 4, 5}, implies={"cup": ("cat",)})
    assert not any({0, 5} & set(row) for row in plan.rows)


def test_strength_one_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="A single label is no combination"):
        CombinationOptions(strength=1)
    schema = CombinationOptions.model_json_schema()
    assert schema["properties"]["strength"]["minimum"] == 2
