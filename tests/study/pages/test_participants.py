"""A scripted participant does every task by mouse, touch and keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    RankAnswer,
    Stage,
    StudyTask,
    TrialKind,
)
from tests.study.pages.scripted_person import (
    CORNERS,
    PEOPLE,
    KeyboardPerson,
    ScriptedPerson,
    TouchPerson,
)
from tests.study.pages.scripted_study import BOX, ScriptedStudy, scripted_trial
from tests.study.pages.study_visit import DESKTOP, PHONE, StudyVisit

KINDS = {
    Stage.PRACTICE: TrialKind.PRACTICE,
    Stage.QUALIFICATION: TrialKind.QUALIFICATION,
    Stage.BATCHES: TrialKind.TEST,
}


def whole_study() -> ScriptedStudy:
    """Every task in practice, and two of them after a qualification."""
    tasks = {
        Stage.PRACTICE: tuple(StudyTask),
        Stage.QUALIFICATION: (StudyTask.CLASSIFY,),
        Stage.BATCHES: (StudyTask.CLASSIFY, StudyTask.CLASSIFY),
    }
    return ScriptedStudy(
        {
            stage: [
                scripted_trial(task, f"{stage}-{place}", KINDS[stage])
                for place, task in enumerate(found)
            ]
            for stage, found in tasks.items()
        }
    )


@pytest.mark.parametrize(
    "kind", [*PEOPLE, pytest.param(ScriptedPerson, marks=pytest.mark.thorough)]
)
def test_a_participant_does_every_task(
    kind: type[ScriptedPerson], browser: Any, serve: Any
) -> None:
    study = whole_study()
    touch = kind is TouchPerson
    visit = StudyVisit(browser, serve(study), PHONE if touch else DESKTOP, touch=touch)
    person = kind(visit)
    person.agree()
    person.press("Take part")
    person.press("Continue to practice")
    for task in StudyTask:
        person.press("Start")
        person.do(task)
        visit.page.locator(".feedback").wait_for()
        person.press("Next")
    person.press("Start")  # of the qualification
    person.choose()
    person.press("Start")  # of the study
    person.choose()
    person.choice = 2
    visit.page.get_by_text("2 of 2").wait_for()
    person.choose()
    visit.page.locator("#code").wait_for()
    assert visit.page.locator("#code").input_value() == "SEEN-7431"
    assert visit.page.get_by_role("link").get_attribute("href") == (
        "https://site.example/done?cc=SEEN-7431"
    )
    check_answers(study, kind)
    visit.close()


def check_answers(study: ScriptedStudy, kind: type[ScriptedPerson]) -> None:
    given = [one.answer for one in study.answered]
    classified, boxes, in_box, outline, order, *rest = given
    assert classified == ClassAnswer(choice="car")
    assert in_box == ClassAnswer(choice="bicycle")
    assert rest == [ClassAnswer(choice=one) for one in ("car", "car", "no car")]
    assert isinstance(boxes, BoxesAnswer)
    [box] = boxes.boxes
    assert isinstance(outline, OutlineAnswer)
    [polygon] = outline.polygons
    names = [f"practice-4-{number}" for number in range(4)]
    assert isinstance(order, RankAnswer)
    if kind is KeyboardPerson:
        assert box[2] - box[0] == pytest.approx(box[3] - box[1], abs=0.2), "two steps each way"
        assert len(polygon) == 3
    else:
        assert box == pytest.approx(BOX, abs=1.5)
        assert polygon == tuple(pytest.approx(corner, abs=1.5) for corner in CORNERS)
    first = 1 if kind is TouchPerson else 3
    assert order.order == (names[first], *(one for one in names if one != names[first]))
    for one in study.answered:
        flashes = isinstance(one.answer, ClassAnswer)
        assert (one.exposure.frame_ms is not None) is flashes
        assert not one.exposure.hidden
        assert 0 < one.response_ms < 60_000
