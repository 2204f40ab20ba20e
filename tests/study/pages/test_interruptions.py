"""A reload, a lost response or a lost network loses nothing and doubles nothing."""

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
)
from tests.study.pages.scripted_person import CORNERS, ScriptedPerson
from tests.study.pages.scripted_study import BOX, ScriptedStudy, scripted_trial
from tests.study.pages.study_visit import StudyVisit


def study_of(*tasks: StudyTask, seconds: float = 1.5) -> ScriptedStudy:
    trials = [
        scripted_trial(task, f"t{place}", seconds=seconds) for place, task in enumerate(tasks)
    ]
    return ScriptedStudy({Stage.BATCHES: trials})


def begun(study: ScriptedStudy, browser: Any, serve: Any) -> tuple[StudyVisit, ScriptedPerson]:
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    return visit, ScriptedPerson(visit)


def test_a_picture_that_was_flashed_is_not_flashed_again_after_a_reload(
    browser: Any, serve: Any
) -> None:
    study = study_of(StudyTask.CLASSIFY)
    visit, person = begun(study, browser, serve)
    person.press("Start")
    visit.page.locator(".choice:enabled").first.wait_for()
    kept = visit.page.evaluate("JSON.parse(localStorage['snellen-study-draft']).draft.exposure")
    visit.page.reload()
    visit.page.evaluate(
        """() => {
            window.drawn = 0;
            const draw = CanvasRenderingContext2D.prototype.drawImage;
            CanvasRenderingContext2D.prototype.drawImage = function (source, ...rest) {
                if (document.querySelector('.screen canvas') === this.canvas) window.drawn += 1;
                return draw.call(this, source, ...rest);
            };
        }"""
    )
    person.press("Start")
    visit.page.locator(".choice:enabled").first.wait_for()
    visit.page.wait_for_timeout(300)
    assert visit.page.evaluate("window.drawn") == 0
    person.choose()
    visit.page.locator("#code").wait_for()
    [answer] = study.answered
    assert answer.exposure.model_dump() == kept, "the exposure is that of the only flash"
    assert answer.response_ms > 300
    visit.close()


@pytest.mark.thorough
def test_boxes_outlines_and_orders_survive_a_reload(browser: Any, serve: Any) -> None:
    study = study_of(StudyTask.LOCALISE, StudyTask.SEGMENT, StudyTask.RANK, seconds=3)
    visit, person = begun(study, browser, serve)
    person.press("Start")
    person.localise()
    visit.wait_until("document.querySelector('.count')?.textContent === '1 box'")
    visit.page.reload()
    person.press("Start")
    person.press("Show the picture")
    person.surface()
    person.drag(person.at(10, 10), person.at(60, 50))

    person.press("Start")  # of the outline, after the boxes' time is up
    person.surface()
    for corner in CORNERS:
        person.tap(person.at(*corner))
    person.press("Close outline")
    person.press("Brush")
    person.drag(person.at(20, 20), person.at(60, 20))
    visit.page.reload()
    person.press("Start")
    person.surface()
    person.press("Undo")
    person.press("Redo")
    person.press("Done")

    person.press("Start")
    visit.page.get_by_role("button", name="Move picture D earlier").click()
    visit.page.reload()
    person.press("Start")
    person.press("Done")
    visit.page.locator("#code").wait_for()

    boxes, outline, order = (one.answer for one in study.answered)
    assert isinstance(boxes, BoxesAnswer)
    assert len(boxes.boxes) == 2
    assert abs(boxes.boxes[0][0] - BOX[0]) < 1.5
    assert isinstance(outline, OutlineAnswer)
    assert len(outline.polygons) == len(outline.strokes) == 1
    assert isinstance(order, RankAnswer)
    assert order.order == ("t2-0", "t2-1", "t2-3", "t2-2")
    visit.close()


def test_a_lost_response_and_a_lost_network_are_repeated_until_they_pass(
    browser: Any, serve: Any
) -> None:
    study = study_of(*[StudyTask.CLASSIFY] * 3)
    visit, person = begun(study, browser, serve)
    lost: list[str] = []

    def lose_response(route: Any) -> None:
        route.fetch()  # the server has it
        lost.append(route.request.post_data)
        route.abort()

    visit.page.route("**/api/answer", lose_response, times=1)
    person.press("Start")
    person.choose()
    visit.page.get_by_text("2 of 3").wait_for()
    assert len(lost) == 1
    assert [one.trial for one in study.answered] == ["t0"], "kept once"

    visit.page.locator(".choice:enabled").first.wait_for()
    visit.context.set_offline(True)
    person.choose()
    trouble = visit.page.get_by_text("No connection to the study")
    trouble.wait_for()
    assert len(study.answered) == 1
    visit.context.set_offline(False)
    visit.page.get_by_text("3 of 3").wait_for()
    trouble.wait_for(state="hidden")

    # An answer on its way when the page is loaded again arrives afterwards.
    visit.page.locator(".choice:enabled").first.wait_for()
    visit.page.route("**/api/answer", lambda route: route.abort())
    person.choice = 2
    person.choose()
    trouble.wait_for()
    visit.page.unroute("**/api/answer")
    visit.page.reload()
    visit.page.locator("#code").wait_for()
    assert [one.trial for one in study.answered] == ["t0", "t1", "t2"]
    assert study.answered[2].answer == ClassAnswer(choice="no car")
    failed = [one for one in visit.complaints if "ERR_" not in one]
    visit.complaints[:] = failed
    visit.close()


@pytest.mark.thorough
def test_a_server_that_fails_or_is_busy_is_asked_again(browser: Any, serve: Any) -> None:
    study = study_of(StudyTask.CLASSIFY)
    visit = StudyVisit(browser, serve(study))
    asked: list[int] = []

    def busy(route: Any) -> None:
        asked.append(1)
        status = (500, 429, 503)[len(asked) - 1]
        route.fulfill(status=status, headers={"Retry-After": "1"}, body="{}")

    visit.page.route("**/api/trial", busy, times=3)
    visit.begin()
    ScriptedPerson(visit).press("Start")
    assert len(asked) == 3
    visit.complaints.clear()
    visit.close()


@pytest.mark.thorough
def test_a_trial_answered_in_another_tab_is_left_out(browser: Any, serve: Any) -> None:
    study = study_of(*[StudyTask.CLASSIFY] * 2)
    visit, person = begun(study, browser, serve)
    person.press("Start")
    visit.page.locator(".choice:enabled").first.wait_for()
    other = visit.context.new_page()
    other.goto(visit.served.address)
    other.get_by_role("button", name="Start", exact=True).click()
    other.locator(".choice:enabled").last.click()
    other.get_by_text("2 of 2").wait_for()
    person.choose()
    person.press("Start")
    person.choose()
    visit.page.locator("#code").wait_for()
    answers = [one.answer for one in study.answered]
    assert answers == [ClassAnswer(choice="no car"), ClassAnswer(choice="car")]
    visit.complaints[:] = [one for one in visit.complaints if "status of 409" not in one]
    visit.close()
