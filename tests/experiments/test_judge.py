"""A small version of the judge's simulation: a few cells, and what the generator promises."""

from __future__ import annotations

import numpy as np
import pytest
from experiments.judge.cells import GROUPS, Cell, bound_of, chosen
from experiments.judge.competitors import PAIRS, RATES
from experiments.judge.coverage import compared, coverage, data_sets, group_coverage
from experiments.judge.decisions import controls, looked, sized, verdicts
from experiments.judge.tables import coverage_table, missed_table
from experiments.judge.worlds import Scenes, failing, pairs

RNG = np.random.default_rng


@pytest.mark.parametrize("group", ["rate", "paired difference", "different cases"])
def test_a_few_cells_of_the_grid_are_covered(group: str) -> None:
    cells = chosen(GROUPS[group], 3, RNG(3))
    found = group_coverage(cells, 100, bound_of(group), seed=2)
    assert not [str(one.cell) for one in found if one.misses(bound_of(group))]
    assert group in coverage_table({group: found})
    assert missed_table({group: found}) == "None."


@pytest.mark.parametrize(
    ("world", "spread_of_scenes"),
    [
        (Scenes("10", 0.2, 0.3), 0.3),
        (Scenes("10", 0.05, 0.1, "logit-normal"), 0.1),
        (Scenes("10", 0.1, 0.0, "broken whole"), 1.0),
    ],
)
def test_worlds_have_the_rate_and_the_correlation_that_they_say(
    world: Scenes, spread_of_scenes: float
) -> None:
    _, chance = world.draw((200, 400), RNG(1))
    assert chance.mean() == pytest.approx(world.rate, rel=0.05)
    assert chance.var() / (world.rate * (1 - world.rate)) == pytest.approx(
        spread_of_scenes, rel=0.1
    )


@pytest.mark.parametrize("size", ["geometric", "zipf"])
def test_busy_scenes_have_the_rate_over_all_cases(size: str) -> None:
    world, rng = Scenes(size, 0.2, 0.05, "busy"), RNG(1)
    cases, chance = world.draw((400, 1000), rng)
    counts = failing(cases, chance, rng)
    assert counts.sum() / cases.sum() == pytest.approx(0.2, rel=0.05)
    assert np.corrcoef(cases.ravel(), chance.ravel())[0, 1] > 0.2


def test_pairs_differ_by_the_change_and_not_at_all_if_tied() -> None:
    drawn = pairs(Scenes("10", 0.2, 0.3), (100, 500), 0.05, 0.5, RNG(1))
    assert (drawn.first - drawn.second).sum() / drawn.cases.sum() == pytest.approx(0.05, rel=0.1)
    same = pairs(Scenes("10", 0.2, 0.3), (10, 50), 0.0, 1.0, RNG(1))
    assert not same.first.any()
    assert not same.second.any()


def test_a_cell_that_is_not_covered_is_noticed() -> None:
    """Five scenes a site that pass for scenes of their own: intervals are far too short."""
    cell = Cell("rate", 60, Scenes("10", 0.3, 0.5, "sites"))
    found = coverage(cell, 60, RNG(1))
    assert found.misses(0.94)
    assert str(cell) in missed_table({"rate, five scenes a site": [found]})


def test_competitors_hold_the_middle_of_easy_data() -> None:
    for name, group in (("rate", RATES), ("paired difference", PAIRS)):
        cell = Cell("rate" if name == "rate" else "paired", 64, Scenes("10", 0.2, 0.05), 0.0)
        found = compared([cell], 30, 1)
        assert [one.name for one in found] == ["judge", *group]
        assert all(one.worst >= 0.8 for one in found)
    assert len(data_sets(cell, 3, RNG(1))) == 3


def test_decisions_err_seldom_at_the_border_and_save_scenes_with_looks() -> None:
    border = verdicts(64, 0.05, 0.05, 0.9, 80, 1)
    assert max(border.satisfied, border.violated) < 0.13
    early = looked("pocock", 0.05, 0.0, 0.95, 12, 1)
    assert early.satisfied > 0.8
    assert early.scenes < 200
    assert controls(24, 0.05, 0.05, 0.2, 25, 1).alarms < 0.15
    told = sized(0.02, 0.05, 0.8, 12, 1)
    assert 30 < told.told < 130
    assert told.planned_power >= 0.4
