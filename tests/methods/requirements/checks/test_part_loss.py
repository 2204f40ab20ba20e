"""Losses of parts: against a loop over objects, and as the exact parts of a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.requirements.checks.metric_loss import loss
from snellen.methods.requirements.checks.part_loss import part_loss
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import CaseTable, case_table
from snellen.methods.requirements.evidence.run_evidence import (
    CLEAN,
    RunEvidence,
    outcomes_from_json,
    outcomes_to_json,
)
from snellen.methods.requirements.evidence.subtask_counts import Metric, subtask_counts
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.non_inferiority import LossStatus
from snellen.vision.arrays import Ints
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes
from tests.methods.requirements.simulated_evidence import (
    SUBTASKS,
    falling,
    requirement,
    simulated,
    steady,
)

RNG = np.random.default_rng
RATES = (falling(0.75, 0.3, 0.3), falling(0.9, 0.2, 0.2), steady(0.8))
METRICS: tuple[Metric, ...] = ("recall", "precision", "accuracy")


def losses(table: CaseTable, metric: Metric, task: str = "segmentation") -> dict[str, float]:
    both = arms(table.evidence, "frost", -1.0, 0.9)
    names = (*SUBTASKS[: 3 if task == "segmentation" else 2], "whole")
    parts = {name: subtask_counts(requirement(task=task, subtask=name), table) for name in names}
    return {name: part_loss(part, metric, both).curve.value for name, part in parts.items()}


@pytest.mark.parametrize("label", [0, None])
def test_a_part_loses_objects_that_were_right_and_are_first_wrong_there(label: int | None) -> None:
    evidence = simulated(RNG(1), 40, 3, rates=RATES, redrawn=True)
    wanted, objects = np.zeros(3), 0.0
    for scene in range(evidence.scenes):
        cases = [k for k in range(len(evidence.scene)) if evidence.scene[k] == scene]
        [clean] = [k for k in cases if evidence.transformation[k] == CLEAN]
        changed = [k for k in cases if k != clean]
        for place, name in enumerate(evidence.outcomes[clean].objects):
            if label is not None and name != label:
                continue
            objects += 1
            before = _level(evidence, clean, place)
            for after in (_level(evidence, k, place) for k in changed):
                if before == 3 and after < 3:
                    wanted[after] += 1 / len(changed)
                if after == 3 and before < 3:
                    wanted[before] -= 1 / len(changed)
    both = arms(evidence, "frost", -1.0, 0.9)
    for at, subtask in enumerate(SUBTASKS):
        one = requirement(subtask=subtask, label="any" if label is None else "person")
        part = subtask_counts(one, case_table(evidence))
        value = part_loss(part, "recall", both).curve.value
        assert value == pytest.approx(wanted[at] / objects)


def _level(evidence: RunEvidence, case: int, place: int) -> int:
    seen = evidence.outcomes[case].above(evidence.score)
    assert seen.object is not None
    return max((int(s) for s, o in zip(seen.stage, seen.object, strict=True) if o == place),
               default=0)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    scenes=st.integers(1, 12),
    cases=st.integers(1, 3),
    breaks=st.tuples(*[st.floats(0, 0.7)] * 3),
    metric=st.sampled_from(METRICS),
    task=st.sampled_from(["detection", "segmentation"]),
    kind=st.sampled_from(["correctness", "preservation"]),
)
def test_the_losses_of_the_parts_add_up_to_that_of_the_whole(
    seed: int,
    scenes: int,
    cases: int,
    breaks: tuple[float, ...],
    metric: Metric,
    task: str,
    kind: str,
) -> None:
    falls = tuple(falling(0.9, 0.4, by) for by in breaks)
    rates = (falls[0], falls[1], falls[2])
    evidence = simulated(RNG(seed), scenes, cases, rates=rates, redrawn=True, kind=kind)
    found = losses(case_table(evidence), metric, task)
    whole = found.pop("whole")
    assert np.isnan(whole) or sum(found.values()) == pytest.approx(whole, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    breaks=st.tuples(*[st.floats(0, 0.12)] * 2),
    margins=st.tuples(*[st.floats(0.01, 0.2)] * 2),
    metric=st.sampled_from(["recall", "precision"]),
)
def test_satisfied_parts_never_leave_a_violated_whole(
    seed: int, breaks: tuple[float, float], margins: tuple[float, float], metric: Metric
) -> None:
    rates = (falling(0.9, 0.0, breaks[0]), falling(0.95, 0.0, breaks[1]), steady(1.0))
    table = case_table(simulated(RNG(seed), 60, 1, rates=rates))
    both = arms(table.evidence, "frost", -1.0, 0.9)

    def status(subtask: str, margin: float) -> LossStatus:
        part = subtask_counts(requirement(task="detection", subtask=subtask), table)
        return loss(part, metric, both, Margin.fixed(margin)).status

    parts = [status(one, by) for one, by in zip(SUBTASKS[:2], margins, strict=True)]
    if all(one == LossStatus.SATISFIED for one in parts):
        assert status("whole", sum(margins)) != LossStatus.VIOLATED


def test_a_task_with_more_subtasks_counts_other_objects_as_right() -> None:
    """Objects whose masks were wrong anyway are lost by detection and not by segmentation."""
    rates = (falling(0.9, 0.0, 0.3), steady(0.95), steady(0.5))
    evidence = simulated(RNG(3), 400, 1, rates=rates)
    detection, segmentation = (
        losses(case_table(evidence), "recall", task)["localise"]
        for task in ("detection", "segmentation")
    )
    assert segmentation == pytest.approx(detection / 2, rel=0.15)


def test_further_false_detections_lose_precision_at_localise_alone() -> None:
    evidence = simulated(RNG(5), 300, 1, rates=(steady(0.9),) * 3, false=falling(0.3, 0.0, -0.9))
    found = losses(case_table(evidence), "precision")
    assert found["localise"] >= found["whole"] > 0.1
    assert found["classify"] <= 0, "of more detections, a smaller share has the wrong label"


def test_runs_that_did_not_record_objects_lose_as_much_with_no_shorter_an_interval() -> None:
    evidence = simulated(RNG(2), 80, 2, rates=RATES, redrawn=True)
    bare = replace(evidence, outcomes=tuple(replace(one, object=None) for one in evidence.outcomes))
    both = arms(evidence, "frost", -1.0, 0.9)
    part, old = (
        subtask_counts(requirement(subtask="whole"), case_table(one)) for one in (evidence, bare)
    )
    new, known = (part_loss(one, "recall", both).curve.interval() for one in (part, old))
    assert known.value == pytest.approx(new.value)
    assert "least discordance" in known.method
    assert outcomes_from_json(outcomes_to_json(bare.outcomes[0])).object is None
    kept = outcomes_from_json(outcomes_to_json(evidence.outcomes[0])).object
    np.testing.assert_array_equal(kept, _object(evidence.outcomes[0]))


def _object(one: SubtaskOutcomes) -> Ints:
    assert one.object is not None
    return one.object


def test_a_subtask_of_two_tasks_is_judged_by_the_one_that_the_evidence_is_on() -> None:
    shared = requirement(task="segmentation", shared_with=("detection",), subtask="localise")
    evidence = simulated(RNG(1), 20, 1)
    detector = replace(evidence, subtasks=SUBTASKS[:2])
    assert subtask_counts(shared, case_table(evidence)).last == 3
    assert subtask_counts(shared, case_table(detector)).last == 2
