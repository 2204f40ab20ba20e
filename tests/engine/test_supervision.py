"""A subject that ends, does not start or takes the thread with it costs what it must, no more."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import Campaign
from snellen.engine.options import EngineOptions
from snellen.engine.run import run_campaign
from snellen.engine.subject_thread import SubjectThread, ThreadEnded
from snellen.errors import SnellenError, SubjectError, SubjectGoneError
from snellen.store.journal import Journal
from snellen.subjects.planted import PerfectSubject

Make = Callable[..., Campaign]
PROGRAM = """
import json, os, pathlib, sys, time
here = pathlib.Path(".")
time.sleep(LOADING)
if (here / "broken").exists():
    sys.exit("the licence server is gone")
print(json.dumps({"snellen": 1, "classes": ["disc"]}), flush=True)
for number, line in enumerate(sys.stdin):
    if not (here / "crashed").exists() and number == 4:
        (here / "crashed").touch()
        AFTER
        os._exit(66)
    answer = {"id": json.loads(line)["id"], "boxes": [], "labels": [], "scores": []}
    print(json.dumps(answer), flush=True)
"""


def program(folder: Path, loading: float = 0.0, after: str = "", **options: Any) -> dict[str, Any]:
    code = PROGRAM.replace("LOADING", str(loading)).replace("AFTER", after)
    (folder / "program.py").write_text(code)
    command = [sys.executable, "program.py"]
    return {"kind": "subprocess", "command": command, "deterministic": True, "batch": 1, **options}


def ended(campaign: Campaign) -> tuple[int, list[str]]:
    """How many scenes are done, and the errors of the others."""
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        [(done,)] = journal.rows("SELECT count(*) FROM units WHERE status = 'done'")
        return done, [message for (message,) in journal.rows("SELECT message FROM errors")]


def test_a_restart_need_not_fit_into_the_time_of_an_input(campaign: Make, tmp_path: Path) -> None:
    subject = program(tmp_path, loading=3.0)
    made = campaign(subject=subject, engine={"item_timeout": 1.5, "retries": 0, "batch": 1})
    run_campaign(made)
    done, errors = ended(made)
    assert done == 11
    assert len(errors) == 1
    assert "exit code 66" in errors[0]


def test_a_program_that_does_not_start_again_ends_the_run_which_can_be_resumed(
    campaign: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snellen.subjects.subprocess.supervision.PAUSE", 0.01)
    subject = program(tmp_path, after="(here / 'broken').touch()", restarts=2)
    made = campaign(subject=subject, engine={"batch": 1, "retries": 0})
    with pytest.raises(SubjectGoneError, match=r"2 attempts(.|\n)*licence server is gone"):
        run_campaign(made)
    assert ended(made)[1] in ([], ["the program ended with exit code 66; its stderr is empty"])
    (tmp_path / "broken").unlink()
    run_campaign(made, resume=True)
    done, errors = ended(made)
    assert done + len(errors) == 12
    assert len(errors) <= 1, "no scene but that of the crash is lost"


class Ends(PerfectSubject):
    """Raises something as soon as it is asked."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def predict(self, images: Sequence[Any]) -> Any:
        raise self._error


class Odd:
    """An answer that cannot even be looked at."""

    def __len__(self) -> int:
        raise OSError("the connection is lost")

    def __getitem__(self, index: int) -> Any:
        raise OSError("the connection is lost")


def outcome(subject: Any, seconds: float = 10.0) -> Any:
    """What the thread of a subject delivers for an image, at once."""
    delivered: queue.SimpleQueue[Any] = queue.SimpleQueue()
    thread = SubjectThread(subject, EngineOptions(retries=0), delivered.put)
    thread.ask("batch", [np.zeros((8, 8, 3), np.uint8)])
    try:
        return delivered.get(timeout=seconds)
    finally:
        thread.close()


@pytest.mark.parametrize("error", [SystemExit("no licence"), SystemExit(3), MemoryError("full")])
def test_an_exit_in_a_subject_is_reported_at_once(error: BaseException) -> None:
    [found] = outcome(Ends(error)).outcomes
    assert isinstance(found, SubjectError)
    assert f"{type(error).__name__}: {error}" in str(found)


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt("enough"), GeneratorExit(), SubjectGoneError("gone for good")]
)
def test_any_other_exception_ends_the_run_with_its_message(error: BaseException) -> None:
    ended = outcome(Ends(error))
    assert isinstance(ended, ThreadEnded)
    assert type(error).__name__ in repr(ended.raised()) or str(error) in str(ended.raised())


def test_an_answer_that_raises_when_it_is_read_is_the_subjects_failure() -> None:
    class Strange(PerfectSubject):
        def predict(self, images: Sequence[Any]) -> Any:
            return Odd()

    [found] = outcome(Strange()).outcomes
    assert "the answer cannot be read: OSError: the connection is lost" in str(found)


def test_a_thread_that_ends_is_not_waited_for(
    campaign: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: SubjectThread, images: object) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(SubjectThread, "_outcomes", broken)
    start = time.monotonic()
    with pytest.raises(SnellenError, match="ended the run: ZeroDivisionError: a bug of ours"):
        run_campaign(campaign())
    assert time.monotonic() - start < 30
