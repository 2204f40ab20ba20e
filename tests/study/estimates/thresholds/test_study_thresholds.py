"""Thresholds of a study: every task, procedure and kind, and requirements made from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.methods.requirements.specification.estimate_file import read_estimates
from snellen.methods.requirements.specification.generation import generate_requirements
from snellen.study.estimates.simulation.simulated_people import (
    SimulatedPeople,
    SimulatedView,
    simulated_answer,
)
from snellen.study.estimates.simulation.simulated_session import SimulatedStudy
from snellen.study.estimates.thresholds.study_thresholds import StudySource, study_thresholds
from snellen.study.record import PlannedTrial, StudyRecord, TrueObject
from snellen.study.trial import StudyBox, StudyTask
from snellen.vision.masks.rle_masks import Masks
from tests.study.fake_study import FakeStudy, classify_design, sample_of
from tests.study.records import given, record_of

SOURCE = StudySource(Path("frost-study"), "0" * 64)
PEOPLE = SimulatedPeople()
BOXES: dict[str, StudyBox] = {"car": (5, 5, 25, 20), "bus": (30, 5, 55, 35)}
QUICK = EstimateRequest(replicates=40)
FITTED = replace(QUICK, procedure="psychometric")


def of_tasks(people: SimulatedPeople, seed: int = 1) -> StudyRecord:
    """Answers of 40 people to the three parts of segmentation, each about a scene once."""
    rng = np.random.default_rng(seed)
    objects = {f"s{n}": _objects() for n in range(60)}
    samples, trials, answers = [], [], []
    for scene in objects:
        for place, change in enumerate((0.0, *np.round(rng.uniform(0.02, 1, 4), 3).tolist())):
            samples.append(sample_of(f"{scene}-{place}", scene, change))
            trials += _trials(f"{scene}-{place}")
    named = {one.sample: one for one in samples}
    by_name = {one.trial: one for one in trials}
    for number in range(40):
        person = people.person(rng)
        for place, scene in enumerate(rng.permutation(sorted(objects))[:36]):
            name = f"{scene}-{rng.integers(5)}-{list(StudyTask)[1 + place % 3]}-{'cb'[place % 2]}"
            view = SimulatedView(by_name[name], named, objects[scene], place / 36, seed)
            answer = simulated_answer(people, person, view, rng)
            answers.append(given(f"p{number}", name, answer, place))
    return record_of(samples, trials, answers, objects)


def _objects() -> tuple[TrueObject, ...]:
    found = []
    for label, box in BOXES.items():
        mask = np.zeros((40, 60), bool)
        x1, y1, x2, y2 = (int(one) for one in box)
        mask[y1:y2, x1:x2] = True
        [coco] = Masks.from_array(mask[None]).to_coco()
        found.append(TrueObject(id=label, label=label, box=box, mask=coco))
    return tuple(found)


def _trials(sample: str) -> list[PlannedTrial]:
    choices = ("car", "bus", "dog", "cat")
    found = []
    for label, box in BOXES.items():
        about: dict[StudyTask, dict[str, Any]] = {
            StudyTask.LOCALISE: {},
            StudyTask.CLASSIFY_BOX: {
                "object": label, "box": box, "choices": choices, "right": label,
            },
            StudyTask.SEGMENT: {"object": label, "box": box, "label": label},
        }  # fmt: skip
        for task, fields in about.items():
            values = {"trial": f"{sample}-{task}-{label[0]}", "task": task, "samples": (sample,)}
            found.append(PlannedTrial.model_validate({**values, "kind": "test", **fields}))
    return found


@pytest.fixture(scope="module")
def classified() -> StudyRecord:
    design = classify_design(5)
    study = FakeStudy(design)
    people = SimulatedPeople(inattentive=0.1)
    SimulatedStudy(study, design, people).run(60, np.random.default_rng(5))
    return study.read()


@pytest.fixture(scope="module")
def segmented() -> StudyRecord:
    return of_tasks(PEOPLE)


@pytest.fixture(scope="module")
def whole(segmented: StudyRecord) -> list[HumanEstimate]:
    return study_thresholds(segmented, SOURCE, replace(FITTED, kind="correctness"))


def only(estimates: list[HumanEstimate], **wanted: str) -> HumanEstimate:
    def fits(one: HumanEstimate) -> bool:
        has = {"label": one.request.label, "kind": one.kind, "task": one.task}
        return all(has[name] == value for name, value in wanted.items())

    [found] = [one for one in estimates if fits(one)]
    return found


def test_a_classification_study_gives_both_kinds_by_three_procedures(
    classified: StudyRecord,
) -> None:
    found = study_thresholds(classified, SOURCE, QUICK)
    assert [(one.task, one.kind) for one in found] == [
        ("classification", "correctness"),
        ("classification", "preservation"),
    ]
    assert found[0].composed.value == pytest.approx(PEOPLE.threshold(), abs=0.1)
    for one in found:
        assert [other.request.procedure for other in one.others] == ["icraf", "decompovision"]
        written = one.to_json()
        assert written["low"] <= written["threshold"] <= written["high"]
        assert written["procedure"] == "psychometric"
        assert written["raters"]["removed"] > 0
        assert written["left_out"]["exposure off target"] > 0
        assert json.loads(json.dumps(written, allow_nan=False)) == written


def test_every_subtask_of_segmentation_has_a_threshold_near_the_true_one(
    whole: list[HumanEstimate],
) -> None:
    assert {one.request.label for one in whole} == {"any", "bus", "car"}
    found = only(whole, label="any")
    assert found.task == "segmentation"
    assert found.others == ()
    assert list(found.subtasks) == ["localise", "classify", "segment"]
    for name, part in found.subtasks.items():
        assert part.value is not None
        assert part.low is not None
        assert part.high is not None
        assert part.low - 0.03 <= PEOPLE.threshold() <= part.high + 0.03, name
    assert found.composed.value == min(one.value or 9 for one in found.subtasks.values())


def test_the_answers_of_segmentation_serve_detection(
    segmented: StudyRecord, whole: list[HumanEstimate]
) -> None:
    request = replace(FITTED, task="detection", kind="correctness")
    part = study_thresholds(segmented, SOURCE, request)
    one, two = (only(found, label="any", kind="correctness") for found in (whole, part))
    assert list(two.subtasks) == ["localise", "classify"]
    for name, threshold in two.subtasks.items():
        assert threshold.value == one.subtasks[name].value


def test_a_study_of_one_part_gives_the_threshold_of_that_part(segmented: StudyRecord) -> None:
    """Drawn boxes alone must not pass for answers about classes."""
    boxes = tuple(
        one for one in segmented.answers if segmented.trials[one.trial].task is StudyTask.LOCALISE
    )
    request = replace(FITTED, label="car", kind="correctness")
    [found] = study_thresholds(replace(segmented, answers=boxes), SOURCE, request)
    assert (found.task, list(found.subtasks)) == ("detection", ["localise"])
    assert list(found.to_json()["subtasks"]) == ["localise"]


def test_the_parts_of_detection_are_estimated_by_published_procedures_too(
    segmented: StudyRecord,
) -> None:
    request = replace(QUICK, task="detection", label="car", procedure="decompovision")
    found = only(study_thresholds(segmented, SOURCE, request), kind="correctness")
    for part in found.subtasks.values():
        assert part.value == pytest.approx(PEOPLE.threshold(), abs=0.3)
    assert [one.what for one in found.subtasks["classify"].curves] == ["recall", "precision"]


@pytest.mark.parametrize("procedure", ["icraf", "decompovision"])
def test_a_published_procedure_can_be_asked_for(classified: StudyRecord, procedure: Any) -> None:
    request = replace(QUICK, procedure=procedure, kind="correctness")
    [found] = study_thresholds(classified, SOURCE, request)
    assert found.request.procedure == procedure
    assert found.others == ()
    assert found.composed.value is not None


def test_what_people_lose_up_to_the_threshold_becomes_a_margin(
    classified: StudyRecord, tmp_path: Path
) -> None:
    [found] = study_thresholds(classified, SOURCE, replace(QUICK, kind="correctness"))
    written = tmp_path / "thresholds.json"
    written.write_text(json.dumps(found.to_json()), encoding="utf-8")
    requirements = generate_requirements(read_estimates(written), ["classification"], "human")
    source = requirements[0].source
    assert source.procedure == "psychometric"
    assert source.people is not None
    loss = source.people[0].loss
    assert loss is not None
    assert loss.low <= loss.value <= loss.high
    assert -0.05 < loss.value < 0.1


def test_people_are_drawn_with_all_their_answers(classified: StudyRecord) -> None:
    """The bounds of the loss are wider than those of answers that stand alone."""
    apart = tuple(
        one.model_copy(update={"participant": f"{one.participant}/{one.place}"})
        for one in classified.answers
    )
    widths = []
    for record in (classified, replace(classified, answers=apart)):
        [found] = study_thresholds(record, SOURCE, replace(FITTED, kind="correctness"))
        psychometric = found.to_json()["psychometric"]["classify"]
        widths.append(psychometric["design_effect"])
    assert widths[0] > widths[1]


def test_another_class_or_task_is_an_error_that_names_the_nearest(
    classified: StudyRecord, segmented: StudyRecord
) -> None:
    with pytest.raises(UserError, match="--task segmentation"):
        study_thresholds(classified, SOURCE, replace(QUICK, task="segmentation"))
    with pytest.raises(UserError, match="did you mean 'bus'"):
        study_thresholds(segmented, SOURCE, replace(QUICK, label="buss"))
    with pytest.raises(UserError, match="no answers to estimate"):
        study_thresholds(replace(classified, answers=()), SOURCE, QUICK)


def test_a_larger_fall_is_tolerated_further(classified: StudyRecord) -> None:
    values = []
    for fall in (0.05, 0.1, 0.5):
        request = replace(FITTED, fall=fall, kind="correctness")
        [found] = study_thresholds(classified, SOURCE, request)
        values.append(found.composed.value or 0)
    assert values == sorted(values)
    assert values[2] == pytest.approx(PEOPLE.middle, abs=0.08)
