"""A function that is not what a file says never gets the cached answers of another."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snellen as sn
from snellen.store.journal import Journal
from snellen.subjects.python import PythonSubject
from snellen.subjects.registry import open_subject

MODULE = """
LEVEL = 1
def detect(images):
    return [dict(boxes=[], labels=[], scores=[]) for _ in images]
detect.classes = ["cat"]
"""


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def opened(folder: Path, target: str = "mine_here:detect") -> PythonSubject:
    subject = open_subject({"kind": "python", "target": target}, folder)
    assert isinstance(subject, PythonSubject)
    return subject


def fresh(folder: Path, code: str) -> None:
    (folder / "mine_here.py").write_text(code)
    sys.modules.pop("mine_here", None)


def test_a_file_that_changed_after_its_import_does_not_vouch_for_what_is_loaded(
    tmp_path: Path,
) -> None:
    fresh(tmp_path, MODULE)
    first = opened(tmp_path).fingerprint
    assert opened(tmp_path).fingerprint == first
    (tmp_path / "mine_here.py").write_text(MODULE.replace("[]", "[1]"))
    stale = opened(tmp_path).fingerprint
    sys.modules.pop("mine_here")
    assert len({first, stale, opened(tmp_path).fingerprint}) == 3


def test_what_another_import_loaded_is_identified_by_itself(tmp_path: Path) -> None:
    fresh(tmp_path, MODULE + "def other(images):\n    return LEVEL\nother.classes = ['cat']\n")
    sys.path.insert(0, str(tmp_path))
    try:
        loaded = __import__("mine_here")
    finally:
        sys.path.remove(str(tmp_path))
    first = opened(tmp_path, "mine_here:other").fingerprint
    vars(loaded)["LEVEL"] = 2
    assert opened(tmp_path, "mine_here:other").fingerprint != first


def test_a_function_put_into_a_module_by_a_notebook_is_identified_by_its_code(
    tmp_path: Path,
) -> None:
    fresh(tmp_path, MODULE)
    opened(tmp_path)
    found = []
    for level in (1, 2, 1):
        cell = types.ModuleType("__main__")
        exec(compile(MODULE + f"LEVEL = {level}\ndef f(images): return LEVEL\nf.classes = ['a']",
                     "<cell>", "exec"), vars(cell))  # fmt: skip
        sys.modules["mine_here"].f = cell.f  # type: ignore[attr-defined]
        found.append(opened(tmp_path, "mine_here:f").fingerprint)
    assert found[0] == found[2] != found[1]


NOTEBOOK = """
import snellen as sn
sn.test  # as in a session
asked = []

CELL

values = {"method": "identity", "subject": {"kind": "python", "target": "__main__:detect",
          "deterministic": True}, "scenes": {"kind": "synthetic", "count": 3},
          "engine": {"workers": 0}, "out": OUT}
run = sn.run(values)
print("FAILING", run.summary.failing_cases, "HITS", run.summary.cache_hits)
"""
GOOD = """
def detect(images):
    return [dict(boxes=[[0, 0, 5, 5]], labels=[0], scores=[0.9]) for _ in images]
detect.classes = ["cat"]
"""


def in_notebook(folder: Path, cell: str, out: str) -> str:
    """What a session prints whose `detect` is in no file."""
    code = NOTEBOOK.replace("CELL", cell).replace("OUT", repr(out))
    done = subprocess.run(
        [sys.executable, "-"], input=code, cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_redefined_function_of_a_session_gets_no_answers_of_the_old_one(tmp_path: Path) -> None:
    assert "HITS 0" in in_notebook(tmp_path, GOOD, "one")
    same = in_notebook(tmp_path, GOOD, "two")
    assert "HITS 0" not in same, "the same function is asked only once"
    other = in_notebook(tmp_path, GOOD.replace("5, 5", "9, 9"), "three")
    assert "FAILING 0 HITS 0" in other


def test_a_function_that_cannot_be_identified_is_not_cached_and_says_so(tmp_path: Path) -> None:
    opaque = "import threading\nlock = threading.Lock()\n" + textwrap.dedent(GOOD).replace(
        "    return", "    lock.locked()\n    return"
    )
    for out in ("one", "two"):
        said = in_notebook(tmp_path, opaque, out)
        assert "HITS 0" in said
        assert "answers of '__main__:detect' are not cached: a _thread.lock cannot be" in said


def answers(folder: Path, level: Callable[[], float], **options: Any) -> tuple[list[Any], int]:
    """The cases and cache hits of a test of a closure."""

    def detect(image: Any) -> dict[str, Any]:
        return {"boxes": [[0, 0, 9, 9]], "labels": [0], "scores": [level()]}

    images = [np.full((40, 50, 3), value, np.uint8) for value in (20, 90)]
    run = sn.test(detect, images, "identity", classes=["cat"], out=folder, workers=0, **options)
    with closing(Journal(folder / "journal.sqlite")) as journal:
        return journal.rows("SELECT * FROM cases"), run.summary.cache_hits


def test_a_closure_over_changed_state_is_another_subject(tmp_path: Path) -> None:
    state = {"score": 0.9}
    level = lambda: state["score"]  # noqa: E731
    assert answers(tmp_path / "a", level, cache=True)[1] == 0
    assert answers(tmp_path / "b", level, cache=True)[1] > 0, "nothing has changed"
    state["score"] = 0.8
    assert answers(tmp_path / "c", level, cache=True)[1] == 0
    assert answers(tmp_path / "d", level)[1] == 0, "a Python object is cached only if asked for"


def test_a_closure_that_cannot_be_followed_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stream = iter([0.9] * 1000)
    caplog.set_level(logging.WARNING)
    for out in ("a", "b"):
        assert answers(tmp_path / out, lambda: next(stream) and 0.9, cache=True)[1] == 0
    file = (tmp_path / "weights").open("w")
    with file:
        for out in ("c", "d"):
            level = lambda: 0.9 if file else 0.1  # noqa: E731
            assert answers(tmp_path / out, level, cache=True)[1] == 0
    assert "are not cached: a _io.TextIOWrapper cannot be looked into" in caplog.text
