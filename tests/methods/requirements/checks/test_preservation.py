"""Preservation compares hardly changed cases with others, never a case with itself."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.human.people import ThresholdSource
from snellen.methods.requirements.checks.requirement_check import (
    RequirementCheck,
    check_requirement,
)
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.specification.idle_thresholds import (
    demanding_thresholds,
    why_idle,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.non_inferiority import LossStatus
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes

SCENES = 120


def requirement(*thresholds: float) -> Requirement:
    return Requirement(
        name="kept",
        task="detection",
        subtask="localise",
        transformation="frost",
        measure="vifp(sigma_nsq=2)",
        kind="preservation",
        threshold=thresholds[-1],
        thresholds=thresholds,
        margin=0.1,
        source=ThresholdSource(study="made up"),
    )


def seen(found: bool) -> SubtaskOutcomes:
    """Three objects, all found or all missed."""
    count = 3 if found else 0
    labels = np.zeros(count, np.int64)
    stage = np.full(count, 2, np.int64)
    return SubtaskOutcomes(
        np.full(count, 0.9, np.float32), labels, labels, stage, np.zeros(3, np.int64)
    )


def evidence(changes: tuple[float, ...], breaks: float) -> RunEvidence:
    """Each scene at these visual changes; nothing is found beyond `breaks`."""
    count = SCENES * len(changes)
    delta_v = np.tile(np.array(changes), SCENES)
    return RunEvidence(
        "preservation",
        ("localise", "classify"),
        np.repeat(np.arange(SCENES), len(changes)),
        np.array(["frost"] * count),
        delta_v,
        tuple(seen(change <= breaks) for change in delta_v),
        0.5,
        ("thing",),
    )


def found(changes: tuple[float, ...], breaks: float, *thresholds: float) -> RequirementCheck:
    rng = np.random.default_rng(1)
    weights = scene_weights(SCENES, 300, rng)
    return check_requirement(requirement(*thresholds), evidence(changes, breaks), weights, rng)


def status(changes: tuple[float, ...], breaks: float, threshold: float) -> str:
    return str(found(changes, breaks, threshold).status)


def test_cases_that_are_hardly_changed_alone_decide_nothing() -> None:
    assert status((0.1,), 1.0, 0.3) == "undecided"
    assert status((0.1, 0.8), 0.2, 0.3) == "undecided"


def test_a_subject_that_breaks_beyond_the_minimal_change_is_violated() -> None:
    assert status((0.1, 0.25), 0.2, 0.3) == "violated"


@pytest.mark.parametrize("changes", [(0.1, 0.25), (0.05, 0.15, 0.28, 0.3)])
def test_a_subject_that_does_not_break_is_satisfied(changes: tuple[float, ...]) -> None:
    assert status(changes, 1.0, 0.3) == "satisfied"


@pytest.mark.parametrize("breaks", [1.0, 0.1])
@pytest.mark.parametrize("threshold", [0.15, 0.2])
def test_a_check_that_cannot_fail_does_not_pass(threshold: float, breaks: float) -> None:
    got = found((0.05, 0.1, 0.18, 0.3), breaks, threshold)
    assert got.status == LossStatus.UNDECIDED
    why = f"demands nothing: its threshold {threshold:g} is not above minimal 0.2"
    assert got.says.endswith(why)
    assert all(np.isnan(one.interval.value) for one in got.thresholds[0].losses)
    written = got.to_json()
    assert written["demands_nothing"] == [threshold]
    assert written["value"] is None
    assert written["satisfied_as_published"] is False


def test_of_a_conjunction_only_what_demands_something_is_checked() -> None:
    for breaks, expected in ((1.0, "satisfied"), (0.2, "violated")):
        got = found((0.1, 0.25), breaks, 0.15, 0.2, 0.3)
        assert str(got.status) == expected
        assert [one.threshold for one in got.thresholds] == [0.3]
        assert got.says.endswith("; thresholds 0.15 and 0.2 demand nothing and are left out")
        assert got.to_json()["demands_nothing"] == [0.15, 0.2]
        alone = found((0.1, 0.25), breaks, 0.3)
        assert got.worst.interval == alone.worst.interval


def test_just_above_minimal_something_is_demanded() -> None:
    assert demanding_thresholds(requirement(0.2, 0.21)) == (0.21,)
    assert demanding_thresholds(requirement(0.2, 0.21), minimal=0.1) == (0.2, 0.21)


def test_correctness_without_any_change_demands_nothing() -> None:
    whole = requirement(0.0).model_copy(update={"kind": "correctness"})
    assert demanding_thresholds(whole) == ()
    assert why_idle(whole) == "demands nothing: its threshold is 0, no change at all"
    assert demanding_thresholds(whole.model_copy(update={"thresholds": (0.0, 0.1)})) == (0.1,)
