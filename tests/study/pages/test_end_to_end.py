"""A study that is created and served by the commands, and taken in a browser from end to end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.configuration import parse
from snellen.study.data.opened_study import open_study
from snellen.study.options import StudyOptions
from snellen.study.trial import StudyTask
from tests.documentation.blocks import blocks
from tests.study.pages.scripted_person import ScriptedPerson
from tests.study.pages.study_visit import StudyVisit

TASKS = (StudyTask.CLASSIFY, StudyTask.LOCALISE)
PAGE = "docs/how-to/study.md"
SMALL = {
    "scenes": {"kind": "synthetic", "count": 16},
    "classes": [],
    "corruptions": ["contrast"],
    "originals": 0.5,
    "answers": 1,
    "batch": 2,
    "sanity": 0,
    "practice": 1,
    "qualification": 0,
    "box_seconds": 1,
}
"""What the study of the page takes to be small, and to need no files."""


class CommandPages:
    """A study served by the command. address: of the participant's page; token: the owner's."""

    def __init__(self, links: dict[str, str]) -> None:
        self.address, self.token = links["participants"], links["token"]


def created(folder: Path, tasks: tuple[StudyTask, ...]) -> Path:
    """The study of the page, but small, made by the command."""
    [block] = [one for one in blocks() if one.page == PAGE and one.language == "yaml"]
    described = yaml.safe_load(block.text)
    parse(StudyOptions, described, PAGE)
    values = {
        **described,
        **SMALL,
        "tasks": [task.value for task in tasks],
        "samples": 2 * len(tasks),
    }
    (folder / "tiny.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    snellen("study", "create", str(folder / "tiny.yaml"))
    return folder / "tiny"


def snellen(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "snellen", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def command_pages(study: Path) -> Iterator[CommandPages]:
    """Serve a study by the command, until Ctrl-C."""
    command = [sys.executable, "-m", "snellen", "study", "serve", str(study), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield CommandPages(json.loads(process.stdout.readline()))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


class Participant(ScriptedPerson):
    """Does whatever is shown, in pictures of any size."""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place of the surface, in shares of it."""
        place = self.page.locator(".surface").bounding_box()
        return place["x"] + x * place["width"], place["y"] + y * place["height"]

    def localise(self) -> None:
        self.press("Show the picture")
        self.page.locator(".surface").wait_for()
        self.drag(self.at(0.2, 0.2), self.at(0.7, 0.8))

    def segment(self) -> None:
        self.page.locator(".surface").wait_for()
        for corner in ((0.3, 0.3), (0.7, 0.3), (0.5, 0.7)):
            self.tap(self.at(*corner))
        self.press("Done")

    def take_part(self) -> list[StudyTask]:
        """Do every trial until the end; the tasks done."""
        done: list[StudyTask] = []
        self.agree()
        self.press("Take part")
        self.press("Continue to practice")
        while True:
            trial = self.page.locator(".trial:not([data-done])")
            go = self.page.locator(".feedback .main:enabled, main > .main:enabled")
            self.page.locator("#code").or_(trial).or_(go).first.wait_for()
            if self.page.locator("#code").count():
                return done
            if trial.count():
                done.append(StudyTask(trial.get_attribute("class").split()[1]))
                trial.evaluate("one => one.toggleAttribute('data-done', true)")
                self.do(done[-1])
            else:
                go.click()


def take(browser: Any, study: Path, tasks: tuple[StudyTask, ...]) -> str:
    """Take part by a link of Prolific, then look at the owner's page; the completion code."""
    with command_pages(study) as served:
        visit = StudyVisit(browser, served, path="?PROLIFIC_PID=p17")  # type: ignore[arg-type]
        done = Participant(visit).take_part()
        assert sorted(done) == sorted(task for task in tasks for _ in range(3))
        code = visit.page.locator("#code").input_value()
        link = visit.page.get_by_role("link").get_attribute("href")
        assert link == f"https://app.prolific.com/submissions/complete?cc={code}"
        owner = StudyVisit(browser, served, path=f"admin#{served.token}")  # type: ignore[arg-type]
        owner.page.locator("#tiles").get_by_text("1 (100%)").wait_for()
        owner.close()
        visit.close()
    return str(code)


@pytest.mark.parametrize(
    "tasks", [TASKS, pytest.param(tuple(StudyTask), marks=pytest.mark.thorough)]
)
def test_the_study_of_the_page_is_created_served_taken_and_read(
    tasks: tuple[StudyTask, ...], browser: Any, tmp_path: Path
) -> None:
    study = created(tmp_path, tasks)
    code = take(browser, study, tasks)
    with closing(open_study(study)) as opened:
        overview = opened.overview()
    assert overview.answers == dict.fromkeys(tasks, 2)
    assert overview.exposures is not None
    assert overview.exposures[1] == 3 * sum("classify" in task for task in tasks)
    links = tmp_path / "links"
    snellen("study", "export", str(study), "--to", "links", "--out", str(links), "--recruiting")
    [_, row] = (links / "completions.csv").read_text().splitlines()
    assert code in row
    assert row.endswith(",p17")
