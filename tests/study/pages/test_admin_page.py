"""The owner's page: the token, the state of the study, stop and resume, the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.study.trial import AnswerBin, Stage, StudyTask
from tests.study.pages.scripted_study import SCRIPTED_CURVE, ScriptedStudy, scripted_trial
from tests.study.pages.study_visit import StudyVisit
from tests.study.pages.test_accessibility import check


def owned(browser: Any, serve: Any, **more: Any) -> tuple[ScriptedStudy, StudyVisit]:
    """The owner's page of a study, opened by the printed link."""
    study = ScriptedStudy({Stage.BATCHES: [scripted_trial(StudyTask.CLASSIFY, "t")]})
    served = serve(study)
    return study, StudyVisit(browser, served, path=f"admin#{served.token}", **more)


@pytest.mark.parametrize(("size", "scheme"), [((360, 740), "dark"), ((1280, 900), "light")])
def test_the_owner_sees_how_the_study_goes(
    size: tuple[int, int], scheme: str, browser: Any, serve: Any
) -> None:
    study, visit = owned(browser, serve, size=size, scheme=scheme)
    visit.page.locator("figure").wait_for()
    assert visit.served.token not in visit.page.url, "the token leaves the address"
    assert visit.page.locator("#name").inner_text() == "frost"
    text = visit.page.locator("main").inner_text()
    for words in ("120 of 400", "14 of 60", "97.3% of 120", "frost, car, classify"):
        assert words in text
    for words in ("149 answers", "Threshold 0.72 (0.66 to 0.80)", "About 140 more answers"):
        assert words in text
    check(visit, "admin")
    assert visit.unreachable() == []
    visit.press("Stop the study")
    check(visit, "confirmation")
    visit.close()
    assert study.running


@pytest.mark.thorough
def test_a_curve_grows_and_the_others_are_left_alone(browser: Any, serve: Any) -> None:
    study, visit = owned(browser, serve)
    other = SCRIPTED_CURVE.model_copy(update={"transformation": "snow", "threshold": None})
    study.curves = (*study.curves, other)
    visit.page.locator("figure").nth(1).wait_for()
    assert "No threshold can be fitted yet" in visit.page.locator("figure").nth(1).inner_text()
    visit.page.evaluate("document.querySelectorAll('figure')[0].dataset.same = 'yes'")
    assert visit.page.locator("figure").nth(1).locator(".dot").count() == 5
    bins = (*other.bins, AnswerBin(delta_v=1.0, share=0.5, answers=3))
    grown = other.model_copy(update={"bins": bins, "more_answers": 0})
    study.curves = (study.curves[0], grown)
    visit.wait_until("document.querySelectorAll('figure')[1].querySelectorAll('.dot').length === 6")
    assert "As narrow as wanted" in visit.page.locator("figure").nth(1).inner_text()
    assert visit.page.locator("figure[data-same=yes]").count() == 1, "untouched by the poll"
    visit.close()


def numbers(visit: StudyVisit, selector: str, *names: str) -> list[list[float]]:
    """Attributes of the elements of a drawing."""
    found: list[list[float]] = visit.page.evaluate(
        """([selector, names]) => [...document.querySelectorAll(selector)]
            .map(one => names.map(name => Number(one.getAttribute(name))))""",
        [selector, names],
    )
    return found


@pytest.mark.thorough
def test_dots_stand_where_the_answers_are(browser: Any, serve: Any) -> None:
    _, visit = owned(browser, serve)
    visit.page.locator("figure").wait_for()
    places = numbers(visit, ".dot", "cx", "cy", "r")
    [x0], *_, [x1], _ = numbers(visit, ".tick.middle", "x")  # the last names the axis
    [y0], *_, [y1] = numbers(visit, ".grid", "y1")
    for (x, y, _), one in zip(places, SCRIPTED_CURVE.bins, strict=True):
        assert (x - x0) / (x1 - x0) == pytest.approx(one.delta_v)
        assert (y - y0) / (y1 - y0) == pytest.approx(one.share)
    radii = [one[2] for one in places]
    answers = [one.answers for one in SCRIPTED_CURVE.bins]
    assert sorted(range(5), key=radii.__getitem__) == sorted(range(5), key=answers.__getitem__)
    visit.close()


def test_the_study_is_stopped_and_resumed_after_a_question(
    browser: Any, serve: Any, tmp_path: Path
) -> None:
    study, visit = owned(browser, serve)
    visit.press("Stop the study")
    visit.press("Cancel")
    assert study.running
    visit.press("Stop the study")
    visit.press("Stop")
    visit.page.get_by_text("The study is stopped").wait_for()
    assert not study.running
    visit.press("Resume the study")
    visit.press("Resume")
    visit.page.get_by_text("The study is running").wait_for()
    assert study.running
    code = study.enrol({})
    study.pass_stage(code, Stage.CONSENT)
    with visit.page.expect_download() as download:
        visit.press("Download all answers")
    assert download.value.suggested_filename == "answers.jsonl"
    visit.close()


def test_without_the_token_nothing_is_seen(browser: Any, serve: Any) -> None:
    study = ScriptedStudy({})
    served = serve(study)
    visit = StudyVisit(browser, served, path="admin")
    visit.page.locator("#token").wait_for()
    check(visit, "login")
    visit.page.fill("#token", "wrong")
    visit.press("Open")
    visit.page.get_by_text("This token is not the one of this study").wait_for()
    assert "frost" not in visit.page.content()
    visit.page.fill("#token", served.token)
    visit.page.keyboard.press("Enter")
    visit.page.get_by_role("heading", name="frost", exact=True).wait_for()
    visit.page.reload()
    visit.page.get_by_role("heading", name="frost", exact=True).wait_for()
    visit.press("Forget the token")
    assert visit.page.locator("#token").is_visible()
    assert "120 of 400" not in visit.page.content()
    visit.page.reload()
    visit.page.locator("#token").wait_for()
    visit.close()


@pytest.mark.thorough
def test_a_lost_server_is_said_and_found_again(browser: Any, serve: Any) -> None:
    _, visit = owned(browser, serve)
    visit.page.locator("figure").wait_for()
    visit.context.set_offline(True)
    visit.page.get_by_text("the figures are the last ones received").wait_for()
    assert visit.page.locator("figure").is_visible()
    visit.context.set_offline(False)
    visit.page.locator("#stale").wait_for(state="hidden")
    visit.complaints[:] = [one for one in visit.complaints if "ERR_" not in one]
    visit.close()
