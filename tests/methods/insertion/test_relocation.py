"""Relocation goes as far towards its target as the failure lasts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.insertion.relocation import Relocation, distance


def anywhere(point: tuple[int, int]) -> bool:
    return True


def driven(relocation: Relocation, reach: float) -> list[tuple[int, int]]:
    """Run it against a subject that fails within `reach` of the start."""
    asked = []
    while relocation.probe is not None:
        asked.append(relocation.probe)
        relocation.tell(distance(relocation.start, relocation.probe) <= reach)
    return asked


def test_a_failure_everywhere_reaches_the_target_in_one_step() -> None:
    relocation = Relocation((0, 0), (100, 0), 5, anywhere)
    assert driven(relocation, 1000) == [(100, 0)]
    assert relocation.progress == 1.0


def test_the_first_probes_are_those_of_the_paper() -> None:
    relocation = Relocation((0, 0), (160, 0), 5, anywhere)
    # The target holds, so half way back; that fails, so on towards the target from there.
    assert driven(relocation, 85)[:3] == [(160, 0), (80, 0), (120, 0)]


def test_a_failure_nowhere_else_stays() -> None:
    relocation = Relocation((0, 0), (100, 0), 5, anywhere)
    driven(relocation, 0)
    assert relocation.best == (0, 0)
    assert relocation.progress == 0.0


@given(st.integers(-300, 300), st.integers(-300, 300), st.floats(0, 1))
def test_it_stops_within_the_stop_rule_of_where_the_failure_ends(
    x: int, y: int, share: float
) -> None:
    whole = float(np.hypot(x, y))
    relocation = Relocation((0, 0), (x, y), 8, anywhere)
    asked = driven(relocation, share * whole)
    assert len(asked) <= 32, "after each failure it tries half the rest of the way, as published"
    assert distance((0, 0), relocation.best) <= share * whole + 1e-9
    if whole >= 8:
        assert distance((0, 0), relocation.best) >= share * whole - 2 * 8 - 2


def test_a_forbidden_place_is_not_asked_about_and_counts_as_no_failure() -> None:
    relocation = Relocation((0, 0), (160, 0), 5, lambda point: point[0] < 100)
    asked = driven(relocation, 1000)
    assert all(point[0] < 100 for point in asked)
    assert 80 <= relocation.best[0] < 100


def test_a_start_at_the_target_asks_nothing() -> None:
    relocation = Relocation((50, 50), (52, 50), 5, anywhere)
    assert relocation.probe is None
    assert relocation.progress == pytest.approx(0.0)
