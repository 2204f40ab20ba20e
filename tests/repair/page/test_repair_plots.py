"""Plots put numbers where they belong."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from snellen.pages.plots import PlotFrame, ceiling
from snellen.repair.evaluation.change import Change
from snellen.repair.page.repair_plots import levels_plot, scale
from snellen.statistics.intervals import Interval

numbers = st.floats(-1e4, 1e4).map(lambda x: round(x, 6))


@given(numbers, numbers)
def test_a_scale_reaches_around_what_is_drawn_in_even_steps(one: float, other: float) -> None:
    low, high = sorted((one, other))
    marks = scale(low, high)
    assert marks[0] <= low + 1e-6
    assert marks[-1] >= high - 1e-6
    assert 3 <= len(marks) <= 7
    steps = [b - a for a, b in zip(marks, marks[1:], strict=False)]  # noqa: RUF007
    assert max(steps) - min(steps) <= 1e-6 * max(1.0, *map(abs, marks))


def test_levels_are_drawn_before_and_after() -> None:
    before, after = Interval(0.4, 0.3, 0.5, "x"), Interval(0.1, 0.05, 0.2, "x")
    nothing = Interval(float("nan"), 0.0, 1.0, "x")
    gap = Interval(-0.3, -0.4, -0.2, "x")
    plot = levels_plot({1: Change(before, after, gap), 2: Change(nothing, nothing, gap)})
    ys = [float(y) for y in re.findall(r'<circle cx="[^"]+" cy="([^"]+)"', plot)]
    frame = PlotFrame(ceiling(0.5))
    assert ys == [frame.y(0.4), frame.y(0.1)]
    assert "level 1: 40.0% before, 10.0% after; level 2: no cases before" in plot
