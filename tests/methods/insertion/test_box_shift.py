"""A systematic shift of boxes is reported though no case fails; jitter is not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.insertion.box_shift import (
    MARGIN,
    ShiftNumbers,
    mean_by_scene,
    scene_means,
    shift_numbers,
    shift_rows,
    shift_section,
    shift_steps,
)
from snellen.methods.insertion.numbers import InsertionNumbers
from snellen.report.summary import write_summary
from snellen.store.rates import JudgedCases
from snellen.subjects.planted import deviations
from snellen.subjects.planted.deviations import Deviation, DeviationContext
from snellen.vision.arrays import F64, Bools
from snellen.vision.detections import Detections
from tests.methods.insertion.test_truth import Run, rows, run

__all__ = ["run"]
NAMES = ("shift_x", "shift_y", "shift_size", "shift_iou")


def cases(shifts: F64) -> JudgedCases:
    """Cases with these shifts, (scenes, cases, 3) of x, y and size."""
    scenes, each, _ = shifts.shape
    measured = [
        dict(zip(NAMES, [*one.tolist(), 0.1], strict=True)) for one in shifts.reshape(-1, 3)
    ]
    return JudgedCases(
        np.repeat(np.arange(scenes), each),
        np.zeros(scenes * each, bool),
        ({},) * (scenes * each),
        tuple(measured),
    )


def drawn(seed: int, mean: tuple[float, float, float], spread: float, scenes: int = 20) -> F64:
    return np.random.default_rng(seed).normal(mean, spread, (scenes, 4, 3))


def found_in(tests: F64, controls: F64) -> ShiftNumbers:
    found = shift_numbers(cases(tests), cases(controls))
    assert found is not None
    return found


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_shift_of_15_percent_is_reported_along_its_axis(axis: int, sign: int) -> None:
    mean = [0.0, 0.0, 0.0]
    mean[axis] = 0.15 * sign
    found = found_in(drawn(1, tuple(mean), 0.05), drawn(2, (0, 0, 0), 0.05))  # type: ignore[arg-type]
    assert found.reported
    assert not found.any_change
    assert found.axis == NAMES[axis]
    assert found.tests is not None
    assert found.tests.value == pytest.approx(0.15 * sign, abs=0.02)
    words = {0: ("right", "left"), 1: ("down", "up"), 2: ("grow", "shrink")}[axis]
    assert words[sign < 0] in found.sentence
    assert "15." in found.sentence or "14." in found.sentence
    assert shift_rows(found)
    assert shift_steps(found)


def test_a_shift_in_controls_too_is_called_one_of_any_change() -> None:
    found = found_in(drawn(1, (0.15, 0, 0), 0.02), drawn(2, (0.14, 0, 0), 0.02))
    assert found.reported
    assert found.any_change
    assert "any change" in found.sentence


def test_a_shift_the_other_way_in_controls_is_not_the_same() -> None:
    found = found_in(drawn(1, (0.15, 0, 0), 0.02), drawn(2, (-0.14, 0, 0), 0.02))
    assert found.reported
    assert not found.any_change


@given(st.integers(0, 10_000), st.floats(0, 0.3))
def test_jitter_without_a_direction_is_almost_never_reported(seed: int, spread: float) -> None:
    """The margin lies two standard errors or more beyond 0 for every spread tried."""
    found = found_in(drawn(seed, (0, 0, 0), spread, 60), drawn(seed + 1, (0, 0, 0), spread))
    assert not found.reported
    assert shift_rows(found) == {}
    assert shift_steps(found) == []


def test_a_shift_within_the_margin_is_not_reported() -> None:
    found = found_in(drawn(1, (MARGIN - 0.01, 0, 0), 0.001), drawn(2, (0, 0, 0), 0.001))
    assert not found.reported
    assert "no systematic shift" in found.sentence


def test_two_scenes_are_too_few() -> None:
    found = found_in(drawn(1, (0.15, 0, 0), 0.01, 2), drawn(2, (0, 0, 0), 0.01, 2))
    assert not found.reported
    assert found.tests is None
    assert shift_section(found) is None


def test_scenes_count_equally_however_many_cases_they_have() -> None:
    tests = JudgedCases(
        np.array([0, 0, 0, 2]),
        np.zeros(4, bool),
        ({},) * 4,
        ({"shift_x": 0.3}, {"shift_x": 0.1}, {}, {"shift_x": 0.4}),
    )
    assert scene_means(tests, "shift_x").tolist() == pytest.approx([0.2, 0.4])


def test_the_interval_is_students() -> None:
    values = np.array([0.1, 0.2, 0.4, 0.5, math.nan])
    found = mean_by_scene(values)
    assert found is not None
    # By hand: mean 0.3, standard deviation 0.182574, t of 3 degrees of freedom 3.182446.
    half = 3.182446 * 0.1825742 / 2
    assert (found.value, found.low, found.high) == pytest.approx(
        (0.3, 0.3 - half, 0.3 + half), abs=1e-6
    )


def test_runs_without_the_measurements_have_no_numbers() -> None:
    bare = JudgedCases(np.array([0]), np.zeros(1, bool), ({},), ({"gap": 1.0},))
    assert shift_numbers(bare, bare) is None
    assert shift_section(None) is None


def right(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:
    """Every struck box 15% of its width further right."""
    boxes = detections.boxes.copy()
    boxes[struck, 0::2] += 0.15 * (boxes[struck, 2] - boxes[struck, 0])[:, None]
    boxes[:, 0::2] = boxes[:, 0::2].clip(0, context.size[1])
    return Detections(boxes, detections.labels, detections.scores)


def jitter(detections: Detections, struck: Bools, context: DeviationContext) -> Detections:
    """Every struck box by 15% of its width, right or left by its content."""
    boxes = detections.boxes.copy()
    rng = np.random.default_rng(len(boxes) + int(1000 * boxes.sum()))
    sides = (boxes[struck, 2] - boxes[struck, 0]) * rng.choice([-0.15, 0.15], int(struck.sum()))
    boxes[struck, 0::2] += sides[:, None].astype(np.float32)
    boxes[:, 0::2] = boxes[:, 0::2].clip(0, context.size[1])
    return Detections(boxes, detections.labels, detections.scores)


PLANTED = {"fault": "shifts", "distance": 1000}


@pytest.mark.parametrize(("deviation", "reported"), [(right, True), (jitter, False), (None, False)])
def test_planted_shifts_of_every_inserted_picture(
    run: Run, monkeypatch: pytest.MonkeyPatch, deviation: object, *, reported: bool
) -> None:
    if deviation is not None:
        monkeypatch.setitem(deviations.DEVIATIONS, Deviation.SHIFTS, deviation)
    subject = {} if deviation is None else PLANTED
    campaign = run(subject, {"relocate": False, "per_object": 4, "controls": 0.3}, count=12)
    summary = write_summary(campaign.out_folder)
    assert summary.failing_cases == 0, "no single case is hard"
    shift = InsertionNumbers.model_validate(summary.own).shift
    assert shift is not None
    assert shift.reported == reported
    assert shift.controls is not None
    assert shift.controls.value == pytest.approx(0, abs=1e-6)
    if reported:
        assert shift.tests is not None
        assert shift.tests.value == pytest.approx(0.15, abs=0.02)
        assert "shift right by" in shift.sentence


def test_the_shift_of_a_planted_subject_is_on_the_page_and_in_the_table(run: Run) -> None:
    """`fault: shifts` moves boxes right where there is room, by 15% of their side."""
    from snellen.methods.insertion.view import VIEW

    campaign = run({**PLANTED, "shift": 0.15}, {"relocate": False, "per_object": 4}, count=8)
    summary = write_summary(campaign.out_folder)
    assert summary.failing_cases == 0
    assert "right by" in VIEW.rows(summary)["box shift"]
    assert any("Box shifts" in step for step in VIEW.steps(summary, campaign.out_folder))
    page = str(shift_section(InsertionNumbers.model_validate(summary.own).shift))
    assert "Box shifts" in page
    assert "1 - IoU" in page
    assert rows(campaign, "SELECT count(*) FROM events WHERE severity = 'hard'") == [(0,)]
