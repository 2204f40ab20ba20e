"""What is right and wrong in each task, what is left out, and what is preserved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from snellen.study.estimates.scores.preservation import preserved_answers
from snellen.study.estimates.scores.score_options import ScoreOptions
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.record import GivenAnswer, PlannedTrial, StudyRecord, TrueObject
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    Exposure,
    OutlineAnswer,
    StudyBox,
    StudyTask,
    TrialKind,
)
from snellen.vision.masks.rle_masks import Masks
from tests.study.fake_study import sample_of
from tests.study.records import SEEN, given, record_of

CAR: StudyBox = (10, 10, 30, 20)
BUS: StudyBox = (40, 10, 60, 30)


def mask_of(box: StudyBox) -> dict:
    mask = np.zeros((40, 80), bool)
    x1, y1, x2, y2 = (int(one) for one in box)
    mask[y1:y2, x1:x2] = True
    return Masks.from_array(mask[None]).to_coco()[0]


OBJECTS = {
    "s1": (
        TrueObject(id="a", label="car", box=CAR, mask=mask_of(CAR)),
        TrueObject(id="b", label="bus", box=BUS, mask=mask_of(BUS)),
    )
}
SAMPLES = [sample_of("o", "s1", 0.0), sample_of("f", "s1", 0.6)]


def trial(name: str, task: StudyTask, sample: str = "f", **fields: Any) -> PlannedTrial:
    values = {"trial": name, "task": task, "kind": TrialKind.TEST, "samples": (sample,), **fields}
    return PlannedTrial.model_validate(values)


CLASSIFY: dict[str, Any] = {"label": "car", "choices": ("car", "no car"), "right": "car"}
TRIALS = [
    trial("classify", StudyTask.CLASSIFY, **CLASSIFY),
    trial("classify-o", StudyTask.CLASSIFY, "o", **CLASSIFY),
    trial("name", StudyTask.CLASSIFY_BOX, choices=("car", "bus", "dog", "cat"), right="bus",
          object="b", box=BUS),
    trial("localise", StudyTask.LOCALISE),
    trial("localise-o", StudyTask.LOCALISE, "o"),
    trial("segment", StudyTask.SEGMENT, label="car", object="a", box=CAR),
    trial("segment-o", StudyTask.SEGMENT, "o", label="car", object="a", box=CAR),
    trial("segment-drawn", StudyTask.SEGMENT, label="bus", box=(41, 11, 60, 30)),
    trial("segment-nothing", StudyTask.SEGMENT, label="bus", box=CAR),
]  # fmt: skip


def scored(*answers: GivenAnswer, options: ScoreOptions | None = None) -> list[ScoredAnswer]:
    return list(score_answers(study(*answers), options).answers)


def study(*answers: GivenAnswer) -> StudyRecord:
    return record_of(SAMPLES, TRIALS, answers, OBJECTS)


def square(box: StudyBox) -> OutlineAnswer:
    x1, y1, x2, y2 = box
    return OutlineAnswer(polygons=(((x1, y1), (x2, y1), (x2, y2), (x1, y2)),))


@pytest.mark.parametrize(
    ("name", "choice", "right", "chance", "label"),
    [
        ("classify", "car", True, 0.5, "car"),
        ("classify", "no car", False, 0.5, "car"),
        ("name", "bus", True, 0.25, "bus"),
        ("name", "car", False, 0.25, "bus"),
    ],
)
def test_a_choice_is_right_if_it_is_the_right_one(
    name: str, choice: str, right: bool, chance: float, label: str
) -> None:
    [found] = scored(given("p", name, ClassAnswer(choice=choice)))
    assert (found.right, found.chance, found.label) == (right, chance, label)


def test_boxes_are_matched_one_to_one() -> None:
    """A second box on the car is a box on nothing, and does not find the bus."""
    boxes = ((10.5, 10, 30, 20), (10, 10, 30, 19.5))
    found = scored(given("p", "localise", BoxesAnswer(boxes=boxes)))
    objects = {one.label: one.right for one in found if one.unit is ScoredUnit.OBJECT}
    assert objects == {"car": True, "bus": False}
    assert [one.right for one in found if one.unit is ScoredUnit.BOX].count(True) == 1


def test_nothing_drawn_misses_every_object() -> None:
    found = scored(given("p", "localise", BoxesAnswer(boxes=())))
    assert [one.right for one in found] == [False, False]


def test_the_iou_of_boxes_is_an_option() -> None:
    answer = given("p", "localise", BoxesAnswer(boxes=((10, 10, 30, 26),)))  # IoU 0.625
    assert any(one.right for one in scored(answer))
    assert not any(one.right for one in scored(answer, options=ScoreOptions(box_iou=0.7)))


def test_an_outline_is_right_if_it_covers_the_object() -> None:
    assert [one.right for one in scored(given("p", "segment", square(CAR)))] == [True]
    assert [one.right for one in scored(given("p", "segment", square(BUS)))] == [False]


def test_an_outline_in_a_box_that_people_drew_is_about_the_object_it_fits() -> None:
    [found] = scored(given("p", "segment-drawn", square(BUS)))
    assert (found.right, found.object) == (True, "b")
    result = score_answers(study(given("p", "segment-nothing", square(CAR))))
    assert result.answers == ()
    assert sum(result.left_out.values()) == 1


@pytest.mark.parametrize(
    ("exposure", "reason"),
    [
        (SEEN, None),
        (Exposure(shown_ms=216.5, frame_ms=16.7), None),
        (Exposure(shown_ms=233.4, frame_ms=16.7), "exposure off target"),
        (Exposure(shown_ms=183, frame_ms=8.3), "exposure off target"),
        (Exposure(shown_ms=None), "exposure not measured"),
        (Exposure(shown_ms=200, frame_ms=16.7, hidden=True), "hidden tab"),
    ],
)
def test_pictures_that_were_not_seen_as_meant_are_left_out(
    exposure: Exposure, reason: str | None
) -> None:
    answer = given("p", "classify", ClassAnswer(choice="car"), exposure=exposure)
    found = score_answers(study(answer))
    assert list(found.left_out) == ([reason] if reason else [])
    assert len(found.answers) == (reason is None)
    every = ScoreOptions(frames=None, keep_hidden=True)
    assert len(score_answers(study(answer), every).answers) == 1


def test_tasks_without_a_flash_need_no_exposure() -> None:
    answer = given("p", "localise", BoxesAnswer(boxes=()), exposure=Exposure())
    assert len(scored(answer)) == 2


def test_a_choice_is_preserved_if_most_people_chose_it_on_the_original() -> None:
    votes = [given(f"q{n}", "classify-o", ClassAnswer(choice="no car")) for n in range(2)]
    votes.append(given("q3", "classify-o", ClassAnswer(choice="car")))
    kept = [
        given("p", "classify", ClassAnswer(choice="no car")),
        given("r", "classify", ClassAnswer(choice="car")),
    ]
    found = preserved_answers(score_answers(study(*votes, *kept))).answers
    assert [(one.participant, one.right) for one in found] == [("p", True), ("r", False)]


def test_an_object_that_most_people_missed_in_the_original_need_not_be_found() -> None:
    before = [given(f"q{n}", "localise-o", BoxesAnswer(boxes=(CAR,))) for n in range(3)]
    after = given("p", "localise", BoxesAnswer(boxes=(BUS,)))
    found = preserved_answers(score_answers(study(*before, after))).answers
    assert [(one.label, one.right) for one in found] == [("car", False)]


def test_an_outline_is_preserved_if_it_covers_what_most_people_outlined() -> None:
    """People outlined the car far too high; who does the same on the changed picture agrees."""
    high: StudyBox = (10, 2, 30, 12)
    before = [given(f"q{n}", "segment-o", square(high)) for n in range(3)]
    after = [given("p", "segment", square(high)), given("r", "segment", square(CAR))]
    found = preserved_answers(score_answers(study(*before, *after))).answers
    assert [one.right for one in found] == [True, False]


def test_scenes_that_nobody_saw_unchanged_are_not_preserved() -> None:
    found = preserved_answers(
        score_answers(study(given("p", "classify", ClassAnswer(choice="car"))))
    )
    assert found.answers == ()
