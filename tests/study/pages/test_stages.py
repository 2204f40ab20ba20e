"""What a participant meets besides trials: consent, pauses, withdrawal, the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from snellen.study.trial import ClassAnswer, Stage, StudyTask, TrialKind
from tests.study.pages.scripted_person import ScriptedPerson
from tests.study.pages.scripted_study import WORDING, ScriptedStudy, scripted_trial
from tests.study.pages.study_visit import DESKTOP, PHONE, StudyVisit


def short_study(task: StudyTask = StudyTask.CLASSIFY, count: int = 2) -> ScriptedStudy:
    trials = [scripted_trial(task, f"t{place}") for place in range(count)]
    return ScriptedStudy({Stage.BATCHES: trials})


def test_nothing_is_kept_before_consent_which_says_what_matters(browser: Any, serve: Any) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study), path="?PROLIFIC_PID=p17&x=" + "y" * 500)
    visit.page.get_by_role("button", name="Take part").wait_for()
    text = visit.page.locator("main").inner_text()
    for words in (WORDING.purpose, WORDING.pay, WORDING.contact, "about 12 minutes"):
        assert words in text
    for words in ("photosensitive epilepsy", "voluntary", "delete everything"):
        assert words in text
    assert visit.page.locator("main p", has_text="They may be published").count() == 1
    assert visit.page.get_by_role("button", name="Take part").is_disabled()
    visit.page.reload()
    assert study.stages == {}
    assert visit.context.cookies() == []
    visit.agree()
    visit.page.get_by_text("What you do").wait_for()
    assert study.sources == [{"PROLIFIC_PID": "p17"}], "what the server takes of the address"
    visit.close()


@pytest.mark.thorough
def test_a_study_without_flashes_and_pay_says_so(browser: Any, serve: Any) -> None:
    study = short_study(StudyTask.RANK)
    study.wording = WORDING.model_copy(update={"tasks": (StudyTask.RANK,), "pay": ""})
    visit = StudyVisit(browser, serve(study))
    visit.page.get_by_text("This study is not paid.").wait_for()
    assert visit.page.get_by_text("Flashing").count() == 0
    visit.agree()
    visit.page.locator(".instructions").first.wait_for()
    assert visit.page.locator(".instructions").count() == 1
    visit.close()


def test_texts_of_the_study_are_shown_as_they_are(browser: Any, serve: Any) -> None:
    study = short_study()
    study.wording = WORDING.model_copy(
        update={"title": "<img src=x onerror=alert(1)>", "purpose": "<b>x</b>"}
    )
    visit = StudyVisit(browser, serve(study))
    visit.page.get_by_role("button", name="Take part").wait_for()
    assert visit.page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>"
    assert visit.page.locator("main img, main b").count() == 0
    visit.close()


@pytest.mark.thorough
def test_the_answer_is_said_in_practice_only(browser: Any, serve: Any) -> None:
    study = ScriptedStudy(
        {
            Stage.PRACTICE: [scripted_trial(StudyTask.CLASSIFY, "p", TrialKind.PRACTICE)],
            Stage.BATCHES: [scripted_trial(StudyTask.CLASSIFY, "t")],
        }
    )
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    person = ScriptedPerson(visit, choice=2)
    person.press("Start")
    person.choose()
    said = visit.page.locator(".feedback")
    said.wait_for()
    assert "Not quite. The right answer is: car." in said.inner_text().replace("\n", " ")
    person.press("Next")
    visit.page.get_by_text("There is no feedback").wait_for()
    person.press("Start")
    person.choose()
    visit.page.locator("#code").wait_for()
    assert visit.page.locator(".feedback").count() == 0
    visit.close()


@pytest.mark.thorough
def test_a_participant_pauses_between_pictures(browser: Any, serve: Any) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    person.press("Pause")
    person.choose()
    visit.page.get_by_text("Take your time").wait_for()
    assert len(study.answered) == 1
    person.press("Continue")
    person.choose()
    visit.page.locator("#code").wait_for()
    visit.close()


def test_a_stopped_study_keeps_the_answer_on_its_way(browser: Any, serve: Any) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    visit.page.locator(".choice:enabled").first.wait_for()
    study.running = False
    person.choose()
    visit.page.get_by_text("The study is paused").wait_for()
    assert study.answered == []
    study.running = True
    person.press("Try again")
    person.press("Start")
    visit.page.get_by_text("2 of 2").wait_for()
    assert len(study.answered) == 1
    visit.complaints[:] = [one for one in visit.complaints if "status of 409" not in one]
    visit.close()


@pytest.mark.thorough
def test_who_does_not_qualify_is_told_kindly(browser: Any, serve: Any) -> None:
    study = short_study(count=1)
    study.qualifies = False
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    person.choose()
    visit.page.get_by_text("The study ends here for you").wait_for()
    assert visit.page.locator("#code").count() == 0
    visit.close()


def test_a_participant_reads_and_deletes_what_is_kept(
    browser: Any, serve: Any, tmp_path: Path
) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    person.choose()
    visit.page.get_by_text("2 of 2").wait_for()
    person.press("My data")
    with visit.page.expect_download() as download:
        person.press("Download my data")
    download.value.save_as(tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text())["answers"] == ["t0"]
    person.press("Withdraw and delete my data")
    assert study.stages, "only after a second press"
    person.press("Yes, delete everything")
    visit.page.get_by_text("Your data are deleted").wait_for()
    assert study.stages == {}
    visit.page.keyboard.press("1")  # of the trial that was open
    visit.page.wait_for_timeout(200)
    assert visit.heading() == "Your data are deleted"
    visit.page.reload()
    visit.page.get_by_role("button", name="Take part").wait_for()
    assert visit.page.evaluate("localStorage.length") == 0
    visit.close()


@pytest.mark.thorough
def test_the_completion_code_is_copied(browser: Any, serve: Any) -> None:
    study = short_study(count=1)
    visit = StudyVisit(browser, serve(study))
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    person.choose()
    person.press("Copy")
    person.visit.page.get_by_role("button", name="Copied").wait_for()
    assert visit.page.evaluate("navigator.clipboard.readText()") == "SEEN-7431"
    visit.close()


@pytest.mark.thorough
def test_who_was_deleted_by_the_owner_starts_over(browser: Any, serve: Any) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    visit.page.get_by_role("button", name="Start").wait_for()
    [code] = study.stages
    study.delete_participant(code)
    visit.page.reload()
    visit.begin()
    visit.page.get_by_role("button", name="Start").wait_for()
    assert code not in study.stages
    assert len(study.stages) == 1
    visit.close()


@pytest.mark.thorough
def test_twenty_choices_leave_the_picture_in_view(browser: Any, serve: Any) -> None:
    many = tuple(f"class number {place}" for place in range(20))
    trial = scripted_trial(StudyTask.CLASSIFY_BOX, "t").model_copy(update={"choices": many})
    study = ScriptedStudy({Stage.BATCHES: [trial]})
    visit = StudyVisit(browser, serve(study), (1280, 720))
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    visit.page.locator(".choice:enabled").first.wait_for()
    canvas = visit.page.locator(".screen canvas").bounding_box()
    assert canvas["width"] == 320
    assert canvas["y"] + canvas["height"] < 720
    visit.page.keyboard.press("j")  # after the digits come letters: a is the eleventh
    visit.page.locator("#code").wait_for()
    assert study.answered[0].answer == ClassAnswer(choice="class number 19")
    visit.close()


@pytest.mark.thorough
def test_on_a_shared_computer_another_person_starts(browser: Any, serve: Any) -> None:
    study = short_study()
    visit = StudyVisit(browser, serve(study))
    visit.begin()
    visit.page.get_by_role("button", name="Start").wait_for()
    visit.page.goto(visit.served.address + "?fresh")
    visit.begin()
    visit.page.get_by_role("button", name="Start").wait_for()
    assert len(study.stages) == 2
    visit.page.reload()
    visit.page.get_by_role("button", name="Start").wait_for()
    assert len(study.stages) == 2
    visit.close()


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "large"), [((700, 300), DESKTOP), ((250, 600), PHONE)])
def test_a_small_window_is_said_to_be_too_small(
    size: tuple[int, int], large: tuple[int, int], browser: Any, serve: Any
) -> None:
    study = short_study(count=1)
    visit = StudyVisit(browser, serve(study), size)
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    visit.page.get_by_text("This window is too small").wait_for()
    visit.page.set_viewport_size({"width": large[0], "height": large[1]})
    person.choose()
    visit.page.locator("#code").wait_for()
    visit.close()
