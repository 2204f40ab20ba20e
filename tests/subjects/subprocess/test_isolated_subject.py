"""Python code in a process of its own answers as in Snellen's, and can take nothing with it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SubjectError, SubjectGoneError, UserError
from snellen.store.journal import Journal
from snellen.subjects.registry import open_subject
from snellen.subjects.subprocess.isolated_subject import IsolatedSubject
from tests.subjects.subprocess.test_subprocess import gone

CODE = """
import os, sys, time, pathlib
import numpy as np
classes = ["cat", "dog"]

def detect(images):
    return [one(image) for image in images]
detect.classes = classes

def one(image):
    if image.mean() > 178:
        raise ValueError("too bright")
    rows, columns = np.nonzero(image.max(axis=2) > 160)
    found = [[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]] if len(rows) else []
    scores = [1 / 3 + image.mean() / 1000] * len(found)
    masks = np.zeros((len(found), *image.shape[:2]), bool)
    masks[:, ::2] = True
    return {"boxes": found, "labels": ["dog"] * len(found), "scores": scores, "masks": masks}

def crash(images):
    if images[0][0, 0, 0] == 13:
        os._exit(66)
    print("a word", flush=True)
    return [dict(boxes=[], labels=[], scores=[]) for _ in images]
crash.classes = classes

def hoard(images):
    return [np.zeros(2_000_000_000, np.uint8)]
hoard.classes = classes

def leave(images):
    sys.exit("no licence")
leave.classes = classes

def stop(images):
    raise KeyboardInterrupt("enough")
stop.classes = classes

def hang(images):
    pathlib.Path(__file__).with_name("hung").write_text(str(os.getpid()))
    time.sleep(600)
hang.classes = classes

class Slow:
    classes = classes
    def __init__(self):
        time.sleep(600)

class Fragile:
    classes = classes
    def __init__(self):
        if pathlib.Path(__file__).with_name("gone").exists():
            raise RuntimeError("the licence server is gone")
    def __call__(self, images):
        return crash(images)
"""


def black(value: int = 0) -> Any:
    return np.full((20, 30, 3), value, np.uint8)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., IsolatedSubject]]:
    made: list[IsolatedSubject] = []

    def open_isolated(name: str, **options: Any) -> IsolatedSubject:
        (tmp_path / "mine.py").write_text(CODE)
        values = {"kind": "python", "target": f"mine:{name}", "isolate": True, **options}
        subject = open_subject(values, tmp_path)
        assert isinstance(subject, IsolatedSubject)
        made.append(subject)
        return subject

    yield open_isolated
    for subject in made:
        subject.close()


def campaign(folder: Path, isolate: bool, **options: Any) -> Campaign:
    (folder / "mine.py").write_text(CODE)
    return campaign_from(
        {
            "method": "identity",
            "subject": {"kind": "python", "target": "mine:detect", "isolate": isolate, **options},
            "scenes": {"kind": "synthetic", "count": 12, "size": [144, 192], "sides": [20, 30]},
            "engine": {"workers": 0, "backoff": 0.0, "cache": False},
            "out": f"isolated-{isolate}",
        },
        folder / "snellen.yaml",
    )


@pytest.mark.parametrize("task", ["detection", "segmentation"])
def test_a_run_has_the_same_rows_isolated_or_not(tmp_path: Path, task: str) -> None:
    digests: list[Any] = []
    for isolate in (False, True):
        made = campaign(tmp_path, isolate, task=task)
        run_campaign(made)
        with closing(Journal(made.out_folder / "journal.sqlite")) as journal:
            digests.append(journal.digest())
            assert journal.rows("SELECT count(*) FROM cases") != [(0,)]
            errors = journal.rows("SELECT * FROM errors ORDER BY unit")
        digests.append(errors)
    assert digests[1], "some scenes are too bright"
    assert digests[:2] == digests[2:]


def test_a_run_may_be_continued_in_a_process_of_its_own(tmp_path: Path) -> None:
    made, isolated = campaign(tmp_path, False), campaign(tmp_path, True)
    assert made.digest() == isolated.digest()
    run_campaign(made)
    assert run_campaign(isolated.model_copy(update={"out": made.out}), resume=True).ended == 0


def test_the_process_is_another_and_ends_with_the_subject(
    opened: Callable[..., IsolatedSubject],
) -> None:
    subject = opened("crash")
    assert len(subject.predict([black(), black()])) == 2
    pid = subject._child.process.pid
    assert pid != os.getpid()
    subject.close()
    assert gone(pid)


def test_a_crash_of_the_interpreter_costs_one_question(
    opened: Callable[..., IsolatedSubject],
) -> None:
    subject = opened("crash")
    with pytest.raises(SubjectError, match=r"the process of the subject ended with exit code 66"):
        subject.predict([black(13)])
    assert len(subject.predict([black()])) == 1


def test_its_memory_can_be_limited(opened: Callable[..., IsolatedSubject]) -> None:
    subject = opened("hoard", memory=2.0)
    with pytest.raises(SubjectError, match=r"MemoryError|memory"):
        subject.predict([black()])
    with pytest.raises(UserError, match=r"subject\.memory: .*isolate: true"):
        opened("hoard", memory=2.0, isolate=False)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("leave", SubjectError, "raised SystemExit: no licence"),
        ("stop", SubjectGoneError, "the subject ended the run: KeyboardInterrupt: enough"),
    ],
)
def test_exits_are_reported(
    opened: Callable[..., IsolatedSubject], name: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        opened(name).predict([black()])


def test_a_call_that_hangs_ends_with_its_process(
    opened: Callable[..., IsolatedSubject], tmp_path: Path
) -> None:
    subject = opened("hang")
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            subject.predict([black()])
        except SubjectError as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not (tmp_path / "hung").exists() or not (tmp_path / "hung").read_text():
        time.sleep(0.02)
    subject.restart()
    thread.join(20)
    assert len(raised) == 1
    assert gone(int((tmp_path / "hung").read_text()))


def test_loading_that_takes_too_long_or_fails_says_so(
    opened: Callable[..., IsolatedSubject],
) -> None:
    with pytest.raises(SubjectError, match=r"was not loaded within 4 s \(subject\.start\)"):
        opened("Slow", start=4)
    with pytest.raises(UserError, match="has no 'detct'; did you mean 'detect'"):
        opened("detct")


def test_a_subject_that_does_not_start_again_ends_the_run(
    opened: Callable[..., IsolatedSubject], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snellen.subjects.subprocess.supervision.PAUSE", 0.0)
    subject = opened("Fragile", restarts=2)
    (tmp_path / "gone").touch()
    with pytest.raises(SubjectError, match="66"):
        subject.predict([black(13)])
    with pytest.raises(
        SubjectGoneError, match=r"2 attempts to start it again failed(.|\n)*licence"
    ):
        subject.ensure_running()
