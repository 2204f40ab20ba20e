"""Losses, areas and verdicts, against plain loops over cases."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from snellen.methods.requirements.checks.metric_loss import FEWEST, Loss, loss
from snellen.methods.requirements.checks.requirement_check import (
    RequirementCheck,
    check_requirement,
)
from snellen.methods.requirements.curves.area_loss import area_loss, areas
from snellen.methods.requirements.curves.curve_rows import curve_rows, swapped
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import Metric, subtask_counts
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.non_inferiority import LossStatus
from snellen.vision.decomposition.subtask_curves import curves, stage_counts
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes, pooled
from tests.methods.requirements.simulated_evidence import (
    CLASSES,
    SUBTASKS,
    falling,
    requirement,
    simulated,
    steady,
)

RNG = np.random.default_rng
PARTS = [("localise", 0, 1), ("classify", 1, 2), ("segment", 2, 3), ("whole", 0, 3)]


def small(seed: int = 1, **values: Any) -> RunEvidence:
    return simulated(RNG(seed), 60, 3, **{"redrawn": True, **values})


def found(evidence: RunEvidence, **values: Any) -> RequirementCheck:
    weights = scene_weights(evidence.scenes, 300, RNG(7))
    return check_requirement(requirement(**values), evidence, weights, RNG(8))


@pytest.mark.parametrize("label", [None, 0, 1])
def test_counts_in_columns_are_those_of_each_case(label: int | None) -> None:
    evidence = small()
    np.testing.assert_array_equal(case_table(evidence).counts(label), evidence.counts(label))


@pytest.mark.parametrize(("subtask", "start", "end"), PARTS)
@pytest.mark.parametrize("metric", ["precision", "recall"])
def test_rates_are_those_of_a_plain_loop_over_scenes(
    subtask: str, start: int, end: int, metric: Metric
) -> None:
    evidence = small(rates=(falling(0.75, 0.3, 0.3), steady(0.9), steady(0.8)))
    side, sums = int(metric == "recall"), np.zeros((2, 2))
    for scene in range(evidence.scenes):
        cases = [k for k in range(len(evidence.scene)) if evidence.scene[k] == scene]
        clean = [k for k in cases if evidence.transformation[k] == CLEAN]
        frost = [k for k in cases if k not in clean and evidence.delta_v[k] <= 0.5]
        for arm, chosen in enumerate((clean, frost)):
            for k in chosen if frost else []:
                counts = stage_counts(evidence.outcomes[k].above(evidence.score), 0, 3)[side]
                sums[arm] += counts[[end, start]] / len(chosen)
    before, after = sums[:, 0] / sums[:, 1]
    got = _loss(evidence, metric, 0.5, subtask=subtask)
    assert got.before == pytest.approx(before)
    assert got.after == pytest.approx(after)
    if subtask == "whole":
        assert got.interval.value == pytest.approx(before - after)
    assert got.interval.low < got.interval.value < got.interval.high


def _loss(evidence: RunEvidence, metric: Metric, most: float, **values: Any) -> Loss:
    part = subtask_counts(requirement(**values), case_table(evidence))
    both = arms(evidence, "frost", -1.0, most)
    return loss(part, metric, both, Margin.fixed(0.02))


def test_a_subject_that_does_not_change_loses_exactly_nothing() -> None:
    evidence = simulated(RNG(3), 80, 3)
    for subtask, _, _ in PARTS:
        for metric in ("precision", "recall"):
            got = _loss(evidence, metric, 0.5, subtask=subtask)
            assert got.interval.value == 0
            assert got.p_value >= 0.5


def test_the_whole_task_is_the_product_of_its_subtasks() -> None:
    evidence = small(rates=(falling(0.75, 0.3, 0.3), falling(0.9, 0.2, 0.2), steady(0.8)))
    for metric in ("precision", "recall"):
        each = [_loss(evidence, metric, 0.9, subtask=one) for one, _, _ in PARTS]
        assert np.prod([one.after for one in each[:3]]) == pytest.approx(each[3].after)
        assert np.prod([one.before for one in each[:3]]) == pytest.approx(each[3].before)


def test_scenes_without_a_case_in_the_range_count_on_neither_side() -> None:
    evidence = small()
    both = arms(evidence, "frost", -1.0, 0.1)
    scenes = set(evidence.scene[both.after].tolist())
    assert 0 < len(scenes) < evidence.scenes
    assert set(evidence.scene[both.before].tolist()) == scenes


@pytest.mark.parametrize("end", [1, 2, 3])
def test_areas_are_those_of_the_curves_of_all_cases(end: int) -> None:
    evidence = small(rates=(falling(0.75, 0.3, 0.3), steady(0.9), steady(0.8)))
    for label, name in ((0, "person"), (None, "any")):
        part = subtask_counts(requirement(label=name), case_table(evidence))
        rows = curve_rows(part, arms(evidence, "frost", -1.0, 0.9))
        for after in (False, True):
            chosen = evidence.transformation == ("frost" if after else CLEAN)
            every = pooled([one for one, use in zip(evidence.outcomes, chosen, strict=True) if use])
            wanted = curves(every, label, 3).average_precision(end)
            [got] = areas(rows.arm(after), end, np.ones((1, evidence.scenes)))
            assert got == pytest.approx(wanted)


def test_a_weighted_area_is_that_of_scenes_repeated_so_often() -> None:
    evidence = small()
    weights = scene_weights(evidence.scenes, 5, RNG(2))
    part = subtask_counts(requirement(), case_table(evidence))
    rows = curve_rows(part, arms(evidence, "frost", -1.0, 0.9)).arm(False)
    for row, got in zip(weights, areas(rows, 2, weights), strict=True):
        repeated = [
            one
            for one, scene, name in zip(
                evidence.outcomes, evidence.scene, evidence.transformation, strict=True
            )
            if name == CLEAN
            for _ in range(int(row[scene]))
        ]
        assert got == pytest.approx(curves(pooled(repeated), 0, 3).average_precision(2))


def test_tied_scores_are_one_point_of_the_curve() -> None:
    evidence = small()
    coarse = tuple(replace(one, score=np.round(one.score, 1)) for one in evidence.outcomes)
    tied = replace(evidence, outcomes=coarse)
    part = subtask_counts(requirement(), case_table(tied))
    rows = curve_rows(part, arms(tied, "frost", -1.0, 0.9)).arm(True)
    every = pooled([o for o, t in zip(coarse, tied.transformation, strict=True) if t == "frost"])
    [got] = areas(rows, 2, np.ones((1, tied.scenes)))
    assert got == pytest.approx(curves(every, 0, 3).average_precision(2))


def test_swapping_every_scene_turns_the_loss_of_area_round() -> None:
    evidence = small(rates=(falling(0.75, 0.3, 0.3), steady(0.9), steady(0.8)))
    part = subtask_counts(requirement(), case_table(evidence))
    rows = curve_rows(part, arms(evidence, "frost", -1.0, 0.9))
    swaps = np.array([np.zeros(evidence.scenes), np.ones(evidence.scenes)])
    before, after = (areas(rows, 2, one) for one in swapped(swaps))
    assert before[0] - after[0] == pytest.approx(-(before[1] - after[1]))
    assert before[0] > after[0]


def test_the_p_value_of_an_area_is_small_for_a_real_loss_only() -> None:
    weights = scene_weights(200, 100, RNG(1))
    for rates, low, high in (
        ((falling(0.75, 0.2, 0.4), steady(0.9), steady(0.8)), 0.0, 0.01),
        ((steady(0.75), steady(0.9), steady(0.8)), 0.05, 1.0),
    ):
        evidence = simulated(RNG(5), 200, 2, rates=rates, redrawn=True)
        part = subtask_counts(requirement(), case_table(evidence))
        rows = curve_rows(part, arms(evidence, "frost", -1.0, 0.9))
        got = area_loss(rows, 2, weights, Margin.fixed(0.02), RNG(3))
        assert low < got.p_value <= high


def test_too_few_objects_are_never_a_pass() -> None:
    evidence = simulated(RNG(1), 12, 2)
    got = found(evidence, subtask="localise", margin=0.9)
    assert got.thresholds[0].losses[1].counted < FEWEST
    assert got.status == LossStatus.UNDECIDED
    assert "too few" in got.says


def test_many_objects_in_few_scenes_are_too_few_scenes() -> None:
    evidence = simulated(RNG(1), 7, 2, rates=(steady(1.0), steady(1.0), steady(1.0)))
    crowded = tuple(pooled([one] * 10) for one in evidence.outcomes)
    got = found(replace(evidence, outcomes=crowded), margin=0.9)
    assert got.thresholds[0].losses[1].counted >= FEWEST
    assert got.status == LossStatus.UNDECIDED
    assert "scenes" in got.says


def test_a_subject_that_never_sees_the_label_does_not_pass() -> None:
    blind = (steady(0.01), steady(1.0), steady(1.0))
    evidence = simulated(RNG(1), 800, 1, rates=blind, false=steady(0.0))
    got = found(evidence)
    assert got.status == LossStatus.UNDECIDED


def test_a_subject_that_sees_nothing_in_changed_images_violates() -> None:
    evidence = simulated(RNG(1), 100, 1, rates=(falling(0.8, 0.0, 0.8), steady(0.9), steady(0.9)),
                         false=lambda v: np.where(v > 0, 0.0, 0.3))  # fmt: skip
    got = found(evidence)
    assert got.status == LossStatus.VIOLATED
    assert "recall" in got.says


def test_one_threshold_of_the_conjunction_that_breaks_breaks_the_requirement() -> None:
    evidence = simulated(RNG(2), 1000, 1, rates=(falling(0.8, 0.6, 0.4), steady(0.9), steady(0.9)))
    got = found(evidence, thresholds=(0.6, 0.9))
    assert [one.status for one in got.thresholds] == [LossStatus.SATISFIED, LossStatus.VIOLATED]
    assert got.status == LossStatus.VIOLATED
    assert got.worst.metric == "recall"


def test_the_sentence_names_subtask_metric_label_and_range() -> None:
    evidence = simulated(RNG(2), 1000, 1, rates=(falling(0.8, 0.54, 0.4), steady(0.9), steady(0.9)))
    says = found(evidence).says
    assert says.startswith("localise: recall of person falls by ")
    assert says.endswith(
        "under frost up to visual change 0.9; it breaks from visual change 0.54 on"
    )


def test_preservation_compares_with_minimal_change_and_not_with_the_scene_itself() -> None:
    always = (lambda v: np.where(v > 0, 0.7, 1.0), steady(1.0), steady(1.0))
    evidence = simulated(RNG(4), 600, 4, rates=always, kind="preservation", false=steady(0.3))
    got = found(evidence, kind="preservation")
    assert got.status == LossStatus.SATISFIED
    assert got.thresholds[0].losses[1].before == pytest.approx(0.7, abs=0.05)


def test_preservation_that_breaks_beyond_minimal_change_is_violated() -> None:
    rates = (falling(0.9, 0.5, 0.3), steady(1.0), steady(1.0))
    evidence = simulated(RNG(4), 600, 4, rates=rates, kind="preservation")
    got = found(evidence, kind="preservation")
    assert got.status == LossStatus.VIOLATED
    assert got.breaks_from == pytest.approx(0.5, abs=0.07)


def test_evidence_of_the_other_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="preservation"):
        found(small(), kind="preservation")


def test_detection_is_checked_on_a_segmenters_evidence() -> None:
    evidence = simulated(RNG(2), 600, 1, rates=(steady(0.9), steady(0.95), falling(0.9, 0.2, 0.5)))
    detection = found(evidence, task="detection", subtask="whole")
    segmentation = found(evidence, task="segmentation", subtask="whole")
    assert detection.status == LossStatus.SATISFIED
    assert segmentation.status == LossStatus.VIOLATED


def test_accuracy_counts_cases_that_are_wholly_right() -> None:
    rng, scenes = RNG(6), 300
    there = rng.random(scenes) < 0.5
    outcomes = [_labelled(one, one) for one in there]
    outcomes += [_labelled(one, one ^ (k % 3 == 0)) for k, one in enumerate(there)]
    evidence = RunEvidence(
        "correctness",
        ("classify",),
        np.tile(np.arange(scenes), 2),
        np.repeat(np.array([CLEAN, "frost"]), scenes),
        np.concatenate([np.zeros(scenes), rng.uniform(0, 0.9, scenes)]),
        tuple(outcomes),
        0.5,
        CLASSES,
    )
    got = found(evidence, task="classification", subtask="classify", metric="accuracy")
    [lost] = got.thresholds[0].losses
    assert [lost.before, lost.after] == pytest.approx([1.0, 2 / 3])
    assert lost.interval.low < 1 / 3 < lost.interval.high
    assert got.status == LossStatus.VIOLATED


def _labelled(there: bool, said: bool) -> SubtaskOutcomes:
    """A classifier's answer on person: what is there, and what it says."""
    score = np.array([0.9 if said else 0.1], dtype=np.float32)
    truth = np.array([0 if there else -1])
    return SubtaskOutcomes(
        score, np.array([0]), truth, np.array([int(there)]), np.zeros(int(there), int)
    )


def test_what_is_reported_is_plain_json() -> None:
    values = found(small()).to_json()
    assert json.loads(json.dumps(values, allow_nan=False))["status"] == values["status"]
    assert {"name", "status", "value", "low", "high"} <= set(values)


def test_the_subtasks_of_the_evidence_must_be_those_of_the_task() -> None:
    shuffled = replace(small(), subtasks=(SUBTASKS[1], SUBTASKS[0], SUBTASKS[2]))
    with pytest.raises(ValueError, match="in this order"):
        found(shuffled)
