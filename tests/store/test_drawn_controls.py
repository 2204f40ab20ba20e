"""Drawn controls stand for the tests whose controls were not asked."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from snellen.contract.verdict import CHANCE, TEST, Case, Status
from snellen.report.summary import summarise
from snellen.statistics.stratified_controls import controlled_difference
from snellen.store.rates import Rates
from tests.report.test_summary import LOST, case, journal_of

PATCH = "control:patch"


def drawn(status: Status, parent: int, chance: float) -> Case:
    """The control of a test."""
    events = (LOST,) if status == Status.FAILING else ()
    return replace(case(PATCH, status, *events), parent=parent, measurements={CHANCE: chance})


def unit(failing: int, holding: int, *controls: Case) -> list[Case]:
    """Tests of a scene, failing ones first, and controls."""
    tests = [case(TEST, Status.FAILING, LOST)] * failing + [case(TEST, Status.HOLDS)] * holding
    return [*tests, *controls]


def test_rates_are_those_of_the_estimator(tmp_path: Path) -> None:
    units = [
        unit(1, 4, drawn(Status.HOLDS, 0, 1.0), drawn(Status.FAILING, 2, 0.2)),
        unit(2, 3, drawn(Status.FAILING, 0, 1.0), drawn(Status.HOLDS, 1, 1.0)),
        unit(0, 5, drawn(Status.HOLDS, 4, 0.5), drawn(Status.FAILING, 4, 0.5)),
    ]
    scenes, failing = np.repeat([0, 1, 2], 5), np.array([1, 0, 0, 0, 0, 1, 1, *[0] * 8], bool)
    shares, chance = np.full(15, np.nan), np.ones(15)
    shares[[0, 2, 5, 6, 14]] = 0, 1, 1, 0, 0.5
    chance[[2, 14]] = 0.2, 0.5
    known = controlled_difference(scenes, failing, chance, shares)
    with closing(journal_of(tmp_path, units)) as journal:
        assert Rates(journal).controlled(PATCH) == known
        summary = summarise(journal)
    assert summary.difference is not None
    assert summary.difference.value == pytest.approx(known.difference.value)
    assert summary.control.rate.value == pytest.approx(known.controls.value)
    assert (summary.control.cases, summary.control.failing) == (6, 3), "as asked, not weighted"
    assert summary.controls["patch"].difference == summary.difference


def test_controls_without_a_chance_are_compared_by_scene(tmp_path: Path) -> None:
    units = [unit(1, 4, case(PATCH, Status.HOLDS), drawn(Status.HOLDS, 0, 1.0)) for _ in range(9)]
    with closing(journal_of(tmp_path, units)) as journal:
        rates = Rates(journal)
        assert rates.controlled(PATCH) is None
        found = summarise(journal).difference
        assert found is not None
        assert found.value == rates.of(TEST).value - rates.of(PATCH).value


def test_checks_are_counted_but_not_compared_with(tmp_path: Path) -> None:
    units = [
        unit(1, 4, case("check:self-paste", Status.FAILING, LOST), case("check:zero", Status.HOLDS))
    ]
    with closing(journal_of(tmp_path, units)) as journal:
        summary = summarise(journal)
    assert summary.difference is None
    assert summary.control.cases == 0
    assert {name: one.failing for name, one in summary.checks.items()} == {
        "self-paste": 1,
        "zero": 0,
    }


@pytest.mark.parametrize("chance", [1.0, None])
def test_an_undecided_rate_says_how_many_more_scenes_would_decide(
    chance: float | None, tmp_path: Path
) -> None:
    def control(parent: int) -> Case:
        made = drawn(Status.HOLDS, parent, 1.0)
        return made if chance else replace(made, measurements={}, parent=None)

    units = [unit(int(n < 3), 4 - int(n < 3), *map(control, range(4))) for n in range(12)]
    with closing(journal_of(tmp_path, units)) as journal:
        journal.put({"method": "absent"})  # a method without a verdict of its own
        summary = summarise(journal)
    assert summary.difference is not None
    assert summary.difference.low < 0 < summary.difference.value  # type: ignore[operator]
    assert summary.verdict.status == "undecided"
    assert summary.verdict.more_scenes is not None
    assert 1 <= summary.verdict.more_scenes <= 40
    assert f"About {summary.verdict.more_scenes} more scene" in summary.verdict.outlook
