"""What repair is told by robustness: where objects may go, and uncertainty as in the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from snellen.methods.robustness.repair_support import RobustnessRepairs
from snellen.vision.detections import Detections
from tests.methods.robustness.scene_driver import BOX, Explaining, driven, method_of, scene_of

REPAIRS = RobustnessRepairs()
SEEN = Detections(np.array([BOX]), np.array([0]), np.array([0.9]))


@pytest.mark.parametrize(
    ("options", "kept_clear"),
    [({"contour": "box"}, True), ({"cover": 0.3}, False), ({"contour": "mask"}, False)],
)
def test_failing_places_may_overlap_the_instance_only_where_the_run_lets_them(
    options: dict[str, Any], kept_clear: bool
) -> None:
    method = method_of(Explaining(), **options)
    allowed = REPAIRS.allowed_places(method, scene_of(), SEEN)
    assert allowed.obstacles.tolist() == ([list(BOX)] if kept_clear else [])
    free = allowed.free("cat", 20, 20, [(0.0, 0.0, 200.0, 30.0)])
    assert len(free)
    x, y = free.T
    assert y.min() == 30, "on what was inserted before"
    assert not ((x > BOX[0] - 20) & (x < BOX[2]) & (y > BOX[1] - 20) & (y < BOX[3])).any()


def asked(subject: Explaining, facts: dict[str, Any]) -> set[int]:
    """The draws that are asked for after a run with these facts, by a subject that may draw."""
    method = REPAIRS.for_subject(method_of(Explaining(), passes=3), subject, facts)
    found = driven(REPAIRS.uncertainties(method, scene_of(), SEEN), subject.answer)
    assert set(found) == ({0} if subject.asked else set())
    return {one.draw for one in subject.asked}


def test_uncertainty_is_measured_as_the_run_did_or_not_at_all() -> None:
    by_dropout = {"robustness": {"uncertainty": "dropout"}}
    assert asked(Explaining(), by_dropout) == {1, 2, 3}
    assert asked(Explaining(draws=False), by_dropout) == set(), "it cannot be compared"
    assert asked(Explaining(), {"robustness": {"uncertainty": "views"}}) == {0}
    assert asked(Explaining(), {}) == set()


def test_uncertainty_is_read_under_the_number_of_the_run() -> None:
    notes = {
        "instances": [
            {"base": 2, "uncertainty": {"total": 1.5}},
            {"base": 0, "was": 3, "uncertainty": {"total": 0.5}},
            {"base": 1, "uncertainty": None},
        ]
    }
    assert REPAIRS.noted_uncertainties(notes) == {2: 1.5, 3: 0.5}
