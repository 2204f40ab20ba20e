"""Rates by level: levels of equal width as in numpy's histogram, and rates that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.statistics.intervals import wilson_rate
from snellen.statistics.levels import equal_width_levels, rate_table, rates_by_level
from snellen.statistics.scene_rates import rate


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=80), st.integers(1, 7))
@settings(max_examples=60)
def test_levels_are_the_bins_of_a_histogram(values: list[float], count: int) -> None:
    levels = equal_width_levels(values, count)
    assert levels.sizes().sum() == len(values)
    if max(values) - min(values) > 1e-6:
        sizes, edges = np.histogram(values, bins=count)
        assert np.allclose(levels.edges, edges)
        away = np.abs(np.array(values)[:, None] - edges[1:-1]).min(axis=1, initial=np.inf) > 1e-9
        if away.all():
            assert np.array_equal(levels.sizes(), sizes)
    for level in set(levels.level.tolist()):
        own = np.array(values)[levels.level == level]
        assert levels.means()[level] == pytest.approx(own.mean(), abs=1e-9)
        assert own.min() >= levels.edges[level] - 1e-9
        assert own.max() <= levels.edges[level + 1] + 1e-9


def test_a_value_on_an_edge_belongs_to_the_upper_level() -> None:
    assert equal_width_levels([0, 1, 2, 3, 4, 5]).level.tolist() == [0, 1, 2, 3, 4, 4]


def test_one_odd_value_does_not_swallow_the_levels_where_limits_are_given() -> None:
    values = [1.0, 1.5, 2.0, 2.5, 3.0, 28.7, np.nan]
    assert equal_width_levels(values).level.tolist() == [0, 0, 0, 0, 0, 4, -1]
    kept = equal_width_levels(values, limits=(1.0, 3.0))
    assert kept.level.tolist() == [0, 1, 2, 3, 4, 4, -1]
    assert kept.sizes().tolist() == [1, 1, 1, 1, 2]


def test_equal_values_and_no_values_have_levels_too() -> None:
    assert equal_width_levels([2.0, 2.0]).level.tolist() == [0, 0]
    assert equal_width_levels([]).sizes().tolist() == [0] * 5
    assert np.isnan(equal_width_levels([1.0, 2.0]).means()[2])
    with pytest.raises(ValueError, match="low <= high"):
        equal_width_levels([1.0], limits=(3.0, 1.0))


def test_rates_of_levels_are_wilsons_and_cells_add_up_to_them() -> None:
    rng = np.random.default_rng(1)
    cases = rng.integers(1, 20, 200)
    failing = rng.binomial(cases, 0.3)
    rows = equal_width_levels(rng.normal(size=200))
    columns = equal_width_levels(rng.random(200), 4)
    by_row = rates_by_level(failing, cases, rows)
    table = rate_table(failing, cases, rows, columns)
    assert [len(line) for line in table] == [4] * 5
    for level, one in enumerate(by_row):
        own = rows.level == level
        assert one == wilson_rate(failing[own].sum(), cases[own].sum())
        assert sum(cell.failing for cell in table[level]) == one.failing
        assert sum(cell.cases for cell in table[level]) == one.cases
    own = (rows.level == 2) & (columns.level == 1)
    assert table[2][1] == wilson_rate(failing[own].sum(), cases[own].sum())


def test_an_empty_cell_has_no_rate_and_the_widest_interval() -> None:
    levels = equal_width_levels([0.0, 1.0])
    empty = rates_by_level([1, 0], [2, 2], levels)[2]
    assert np.isnan(empty.value)
    assert (empty.low, empty.high, empty.cases) == (0, 1, 0)


def test_with_scenes_the_interval_is_that_of_scenes() -> None:
    rng = np.random.default_rng(2)
    scenes = rng.integers(0, 40, 300)
    bad = rng.random(40)
    cases = np.full(300, 10)
    failing = rng.binomial(10, bad[scenes])
    levels = equal_width_levels(rng.random(300), 2)
    own = levels.level == 1
    [_, found] = rates_by_level(failing, cases, levels, scenes)
    counts = [np.bincount(scenes[own], one[own], minlength=40) for one in (failing, cases)]
    assert found == rate(counts[0], counts[1])
    plain = rates_by_level(failing, cases, levels)[1]
    assert found.value == pytest.approx(plain.value)
    assert found.high - found.low > 1.5 * (plain.high - plain.low)
