"""What the plots of distance show."""

from __future__ import annotations

import re

from snellen.methods.insertion.distance_plots import how_far, rates_by_distance
from snellen.methods.insertion.numbers import GapBin
from snellen.store.estimate import Estimate


def gap_bin(low: float, high: float, failing: int, cases: int, rate: Estimate) -> GapBin:
    return GapBin(low=low, high=high, cases=cases, failing=failing, rate=rate)


def test_a_higher_rate_is_drawn_higher() -> None:
    bins = [
        gap_bin(0.0, 4.0, 5, 10, Estimate(value=0.5, low=0.25, high=0.75)),
        gap_bin(4.0, 8.0, 1, 10, Estimate(value=0.1, low=0.05, high=0.15)),
        gap_bin(8.0, 16.0, 0, 0, Estimate(value=None, low=0.0, high=1.0)),
    ]
    svg = rates_by_distance(bins, Estimate(value=0.02, low=0.01, high=0.03))
    places = [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', svg)]
    assert len(places) == 2
    assert places[0] < places[1], "y grows downwards"
    assert "0–4 px: 50.0%" in svg
    assert "8–16 px: no cases" in svg


def test_the_relocation_plot_tells_how_many_went_how_far() -> None:
    svg = how_far([0.0, 0.0, 0.6, 1.0])
    assert "Of 4 relocations, 2 still fail half of the way" in svg
    assert "and 1 at the target" in svg
