"""The same cases found again on the other side, whatever happened there."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.repair.evaluation.evaluation_sides import opened_sides
from snellen.repair.evaluation.paired_cases import pair_cases
from tests.repair.evaluation.hand_made_journals import Scene, write_side

T, F = True, False
RUN: dict[str, Scene | None] = {"a": [[T, F], [T, T]], "b": [[F, F]], "c": [[T, T]], "d": []}
FIXED: dict[str, Scene | None] = {"a": [[F, F], [T, F]], "b": [[F, T]], "c": [[F, F]], "d": []}


def sides(tmp_path: Path, before: dict[str, Scene | None], after: dict[str, Scene | None]) -> None:
    write_side(tmp_path / "before", before)
    write_side(
        tmp_path / "after", after, fingerprint="after", replay_of=("c", "before"),
        gone=frozenset({("c", 0)}),
    )  # fmt: skip


def test_cases_are_paired_one_by_one(tmp_path: Path) -> None:
    sides(tmp_path, RUN, FIXED)
    with opened_sides(tmp_path / "before", tmp_path / "after") as (before, after):
        both = pair_cases(before, after)
    assert both.scenes == ("a", "b", "c", "d")
    assert both.failed[0].tolist() == [T, F, T, T, F, F, T, T]
    assert both.failed[1].tolist() == [F, F, T, F, F, T, T, T]  # c is gone
    assert both.level.tolist() == [1, 2] * 4
    assert both.names == ("car", "car", "dog", "dog", *["car"] * 4)
    assert both.by_instance(both.failed[0]).tolist() == [1, 2, 0, 2]


@pytest.mark.parametrize("errs", ["before", "after", "both"])
def test_a_scene_that_errs_on_one_side_is_left_out_on_both(errs: str, tmp_path: Path) -> None:
    before = {**RUN, "a": None} if errs != "after" else RUN
    after = {**FIXED, "a": None} if errs != "before" else FIXED
    sides(tmp_path, before, after)
    with opened_sides(tmp_path / "before", tmp_path / "after") as (first, second):
        both = pair_cases(first, second)
        assert (first.errors, second.errors) == (errs != "after", errs != "before")
    assert both.scenes == ("b", "c", "d")
    assert both.failed[0].tolist() == [F, F, T, T]
    assert both.failed[1].tolist() == [F, T, T, T]


def test_cases_that_are_missing_are_not_passed_over(tmp_path: Path) -> None:
    sides(tmp_path, RUN, {**FIXED, "a": [[F, F]]})
    with (
        opened_sides(tmp_path / "before", tmp_path / "after") as (before, after),
        pytest.raises(UserError, match="lacks 2 of the 8 cases"),
    ):
        pair_cases(before, after)


def test_two_runs_with_cases_of_their_own_are_refused(tmp_path: Path) -> None:
    write_side(tmp_path / "before", RUN)
    write_side(tmp_path / "after", FIXED, fingerprint="after")
    with (
        pytest.raises(UserError, match=r"(?s)not have the same cases.*Replay"),
        opened_sides(tmp_path / "before", tmp_path / "after"),
    ):
        pass


def test_two_replays_of_one_run_can_be_compared(tmp_path: Path) -> None:
    for name, scenes in (("one", RUN), ("two", FIXED)):
        write_side(tmp_path / name, scenes, fingerprint=name, replay_of=("c", "before"))
    with opened_sides(tmp_path / "one", tmp_path / "two") as (before, after):
        assert pair_cases(before, after).failed[0].sum() == 5


def test_nothing_in_common_is_an_error_that_says_so(tmp_path: Path) -> None:
    sides(tmp_path, {"a": None}, {"a": None})
    with (
        opened_sides(tmp_path / "before", tmp_path / "after") as (before, after),
        pytest.raises(UserError, match="no scene was completed in both"),
    ):
        pair_cases(before, after)


def test_uncertainty_is_read_of_instances_by_their_first_name(tmp_path: Path) -> None:
    write_side(tmp_path / "run", RUN, unsure={("a", 0): 2.5, ("b", 0): 1.0})
    with opened_sides(tmp_path / "run", tmp_path / "run") as (one, _):
        assert one.uncertainties() == {("a", 0): 2.5, ("b", 0): 1.0}
