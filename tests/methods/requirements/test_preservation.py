"""Preservation compares hardly changed cases with others, never a case with itself."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.requirements.checking import checked
from snellen.methods.requirements.evidence import Evidence
from snellen.methods.requirements.requirement import Requirement, Source
from snellen.statistics.bootstrap import scene_weights
from snellen.vision.decomposition.outcomes import Outcomes

SCENES = 120


def requirement(threshold: float) -> Requirement:
    return Requirement(
        name="kept",
        task="detection",
        subtask="localise",
        transformation="frost",
        measure="vifp(sigma_nsq=2)",
        kind="preservation",
        threshold=threshold,
        thresholds=(threshold,),
        margin=0.1,
        source=Source(study="made up"),
    )


def seen(found: bool) -> Outcomes:
    """Three objects, all found or all missed."""
    count = 3 if found else 0
    labels = np.zeros(count, np.int64)
    stage = np.full(count, 2, np.int64)
    return Outcomes(np.full(count, 0.9, np.float32), labels, labels, stage, np.zeros(3, np.int64))


def evidence(changes: tuple[float, ...], breaks: float) -> Evidence:
    """Each scene at these visual changes; nothing is found beyond `breaks`."""
    count = SCENES * len(changes)
    delta_v = np.tile(np.array(changes), SCENES)
    return Evidence(
        "preservation",
        ("localise", "classify"),
        np.repeat(np.arange(SCENES), len(changes)),
        np.array(["frost"] * count),
        delta_v,
        tuple(seen(change <= breaks) for change in delta_v),
        0.5,
        ("thing",),
    )


def status(changes: tuple[float, ...], breaks: float, threshold: float) -> str:
    rng = np.random.default_rng(1)
    weights = scene_weights(SCENES, 300, rng)
    found = checked(requirement(threshold), evidence(changes, breaks), weights, rng)
    assert found.told
    return str(found.status)


def test_cases_that_are_hardly_changed_alone_decide_nothing() -> None:
    assert status((0.1,), 1.0, 0.3) == "undecided"
    assert status((0.1, 0.8), 0.2, 0.3) == "undecided"


def test_a_subject_that_breaks_beyond_the_minimal_change_is_violated() -> None:
    assert status((0.1, 0.25), 0.2, 0.3) == "violated"


@pytest.mark.parametrize("changes", [(0.1, 0.25), (0.05, 0.15, 0.28, 0.3)])
def test_a_subject_that_does_not_break_is_satisfied(changes: tuple[float, ...]) -> None:
    assert status(changes, 1.0, 0.3) == "satisfied"
