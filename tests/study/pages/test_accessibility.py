"""Nobody is kept out of any stage: axe, the Tab key, small screens, dark and light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from snellen.study.trial import Stage, StudyTask, TrialKind
from tests.study.pages.scripted_person import ScriptedPerson
from tests.study.pages.scripted_study import ScriptedStudy, scripted_trial
from tests.study.pages.study_visit import StudyVisit

SIZES = [((360, 740), "dark")]
MORE_SIZES = [
    ((1280, 900), "light"),
    ((390, 844), "light"),
    ((768, 1024), "dark"),
    ((1440, 900), "dark"),
]
SMALL_TARGETS = """() => [...document.querySelectorAll(
        'button, summary, input:not([type=checkbox]), .handle, .agree')]
    .filter(one => one.checkVisibility())
    .filter(one => [one.getBoundingClientRect()]
        .some(({ width, height }) => height < 43.5 || width < 43.5))
    .map(one => one.outerHTML.slice(0, 120))"""


def check(visit: StudyVisit, stage: str) -> None:
    width = visit.page.viewport_size["width"]
    visit.page.wait_for_timeout(50)
    assert visit.barriers() == [], stage
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, stage
    assert visit.page.evaluate(SMALL_TARGETS) == [], stage


def walk(visit: StudyVisit, person: ScriptedPerson, look: Callable[[str], None]) -> None:
    """Through every stage and task, looking at each."""
    page = visit.page
    page.locator("#agree").wait_for()
    look("consent")
    person.agree()
    person.press("Take part")
    page.locator(".instructions").first.wait_for()
    look("instructions")
    person.press("Continue to practice")
    for task in StudyTask:
        page.get_by_role("button", name="Start", exact=True).wait_for()
        look(f"introduction of {task}")
        person.press("Start")
        if task is StudyTask.LOCALISE:
            look("before the boxes")
            person.press("Show the picture")
        page.locator(".choice:enabled, .surface, .handle").first.wait_for()
        look(f"{task}")
        if task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX):
            person.choose()
        elif task is StudyTask.SEGMENT:
            person.press("Brush")
            look("brush")
            person.segment_by_brush()
        elif task is StudyTask.RANK:
            person.press("Done")
        page.locator(".feedback").wait_for()
        look(f"feedback of {task}")
        person.press("Next")
    person.press("My data")
    person.press("Withdraw and delete my data")
    look("my data")
    person.press("Close")
    person.press("Start")
    person.press("Pause")
    person.choose()
    page.get_by_role("button", name="Continue").wait_for()
    look("pause")
    person.press("Continue")
    person.choose()
    page.locator("#code").wait_for()
    look("finished")


def whole_study() -> ScriptedStudy:
    practice = [scripted_trial(task, f"p-{task}", TrialKind.PRACTICE, 3) for task in StudyTask]
    batch = [scripted_trial(StudyTask.CLASSIFY, f"t{place}") for place in range(2)]
    return ScriptedStudy({Stage.PRACTICE: practice, Stage.BATCHES: batch})


@pytest.mark.parametrize(
    ("size", "scheme"),
    [*SIZES, *[pytest.param(*one, marks=pytest.mark.thorough) for one in MORE_SIZES]],
)
def test_every_stage_is_open_to_everyone(
    size: tuple[int, int], scheme: str, browser: Any, serve: Any
) -> None:
    visit = StudyVisit(browser, serve(whole_study()), size, scheme)
    seen: list[str] = []

    def look(stage: str) -> None:
        seen.append(stage)
        check(visit, stage)

    walk(visit, ScriptedPerson(visit), look)
    assert len(seen) == 22
    visit.close()


@pytest.mark.thorough
@pytest.mark.parametrize("stage", ["paused", "unqualified", "small"])
def test_the_other_pages_are_open_to_everyone(stage: str, browser: Any, serve: Any) -> None:
    study = ScriptedStudy({Stage.BATCHES: [scripted_trial(StudyTask.CLASSIFY, "t")]})
    study.qualifies = stage != "unqualified"
    visit = StudyVisit(browser, serve(study), (360, 740), "dark")
    visit.begin()
    person = ScriptedPerson(visit)
    person.press("Start")
    if stage == "small":
        visit.page.set_viewport_size({"width": 360, "height": 250})
        visit.page.reload()
        person.press("Start")
        visit.page.get_by_text("too small").wait_for()
    elif stage == "paused":
        study.running = False
        visit.page.reload()
        visit.page.get_by_text("is paused").wait_for()
    else:
        person.choose()
        visit.page.get_by_text("The study ends here").wait_for()
    check(visit, stage)
    visit.close()
