"""When a run may end by default: tests fail more often than controls, or hardly more often."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from snellen.methods.view import View
from snellen.statistics.scene_counts import scene_counts
from snellen.statistics.scene_curves import difference_curve


def record(scenes: int, failing: int) -> Any:
    """Ten tests and ten controls a scene; so many tests of each fail, and no control."""
    cases = np.full(scenes, 10.0)
    tests, controls = scene_counts(np.full(scenes, failing), cases), scene_counts(0 * cases, cases)
    curve = difference_curve(tests, controls)
    return SimpleNamespace(rates=SimpleNamespace(compared=lambda role: curve))


@pytest.mark.parametrize(
    ("scenes", "failing", "ends"),
    [(300, 0, True), (8, 0, False), (40, 3, True), (4, 1, False)],
)
def test_a_run_ends_when_failures_are_shown_or_shown_to_be_rare(
    scenes: int, failing: int, ends: bool
) -> None:
    assert View().decided(record(scenes, failing), lambda level: level / 2) is ends


def test_a_run_without_controls_never_ends_early() -> None:
    nothing = scene_counts([0.0, 0.0], [0.0, 0.0])
    curve = difference_curve(nothing, nothing)
    empty: Any = SimpleNamespace(rates=SimpleNamespace(compared=lambda role: curve))
    assert not View().decided(empty, lambda level: level)
