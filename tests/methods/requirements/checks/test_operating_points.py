"""Score thresholds, and whether subjects are compared at like ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.requirements.checks.operating_points import (
    OperatingPoint,
    current_point,
    match_operating_points,
    operating_points,
    point_with_precision,
)
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.vision.decomposition.subtask_curves import stage_counts
from snellen.vision.decomposition.subtask_outcomes import pooled
from tests.methods.requirements.simulated_evidence import simulated, steady

RNG = np.random.default_rng


def evidence(kind: str = "correctness") -> RunEvidence:
    return simulated(RNG(1), 80, 1, kind=kind, redrawn=True)


def rates(found: RunEvidence, score: float, label: int | None) -> tuple[float, float]:
    clean = [o for o, t in zip(found.outcomes, found.transformation, strict=True) if t == CLEAN]
    seen, known = stage_counts(pooled(clean).above(score), label, 3)
    return seen[3] / seen[0], known[3] / known[0]


@pytest.mark.parametrize(("name", "label"), [("person", 0), ("bus", 1), ("any", None)])
def test_the_threshold_gives_the_wanted_precision_and_none_lower_does(
    name: str, label: int | None
) -> None:
    one = evidence()
    point = point_with_precision(one, 0.85, name)
    assert rates(one, point.score, label) == pytest.approx((point.precision, point.recall))
    assert point.precision >= 0.85
    lower = [p for p in operating_points(one, name) if p.score < point.score]
    assert lower
    assert all(p.precision < 0.85 for p in lower)
    assert all(p.recall >= point.recall for p in lower)


def test_a_segmenter_is_matched_on_masks_unless_boxes_are_asked_for() -> None:
    """Half of its masks are wrong: the precision of boxes says nothing about them."""
    one = simulated(RNG(2), 200, 1, rates=(steady(0.9), steady(0.95), steady(0.5)), redrawn=True)
    masks, boxes = point_with_precision(one, 0.5), point_with_precision(one, 0.5, task="detection")
    assert point_with_precision(one, 0.5, task="segmentation") == masks
    assert masks.score > boxes.score, "masks need a stricter threshold for the same precision"
    clean = [o for o, t in zip(one.outcomes, one.transformation, strict=True) if t == CLEAN]
    for point, stage in ((masks, 3), (boxes, 2)):
        seen, _ = stage_counts(pooled(clean).above(point.score), None, 3)
        assert seen[stage] / seen[0] == pytest.approx(point.precision)


def test_a_precision_that_no_threshold_gives_is_refused() -> None:
    with pytest.raises(UserError, match="the best is"):
        point_with_precision(evidence(), 1.01)


def test_the_current_point_is_that_of_the_evidences_threshold() -> None:
    one = replace(evidence(), score=0.6)
    point = current_point(one)
    assert point.score == 0.6
    assert (point.precision, point.recall) == pytest.approx(rates(one, 0.6, None))
    assert current_point(replace(one, score=2.0)).recall == 0


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ((0.5, 0.8), (0.5, 0.6), "score"),
        ((0.5, 0.8), (0.2, 0.79), "precision"),
        ((0.5, 0.8), (0.05, 0.5), None),
    ],
)
def test_thresholds_of_0_05_and_0_5_are_not_compared_without_a_warning(
    first: tuple[float, float], second: tuple[float, float], wanted: str | None
) -> None:
    found = match_operating_points([OperatingPoint(*one, 0.5) for one in (first, second)])
    assert found.by == wanted
    assert bool(found.warning) == (wanted is None)


def test_three_subjects_are_matched_only_if_all_are() -> None:
    points = [OperatingPoint(s, p, 0.5) for s, p in ((0.5, 0.8), (0.5, 0.7), (0.4, 0.8))]
    assert match_operating_points(points).by is None
