from __future__ import annotations

import logging
import os
import re
import resource
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from snellen.disk import memory_folder
from snellen.disk.memory_folder import LOCK
from snellen.errors import SnellenError, SubjectError, UserError
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.subjects.answers.prediction_checks import checked_prediction
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.subjects.subprocess.adapter import SubprocessSubject
from snellen.subjects.subprocess.protocol import parse_answer, parse_ready, request
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

EXAMPLES = Path(__file__).parents[3] / "examples" / "subjects"
READY = 'say(snellen=1, classes=["cat", "dog"])\n'
HEAD = """
import json, os, signal, subprocess, sys, time
def say(**fields):
    print(json.dumps(fields), flush=True)
def questions():
    for line in sys.stdin:
        yield json.loads(line)
"""
# Answers with the image's size as the box and its mean brightness as the score.
MEASURE = """
import cv2
def answer(q):
    image = cv2.imread(q["image"])
    h, w = image.shape[:2]
    assert (h, w) == (q["height"], q["width"])
    b, g, r = (float(image[..., i].mean()) for i in range(3))
    return {"boxes": [[0, 0, w, h]] * 2, "labels": ["cat", "dog"], "scores": [r / 255, b / 255]}
"""
ANSWER_ALL = "for q in questions():\n    say(id=q['id'], **answer(q))\n"
EMPTY = "dict(boxes=[], labels=[], scores=[])"


def image(value: int, height: int = 20, width: int = 30) -> np.ndarray[Any, Any]:
    pixels = np.full((height, width, 3), value, dtype=np.uint8)
    pixels[..., 2] = 51
    return pixels


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    made: list[Subject] = []

    def open_program(code: str, **options: Any) -> SubprocessSubject:
        (tmp_path / "program.py").write_text(HEAD + code, encoding="utf-8")
        command = [sys.executable, "program.py", *options.pop("arguments", [])]
        values = {"kind": "subprocess", "command": command, **options}
        subject = open_subject(values, tmp_path)
        assert isinstance(subject, SubprocessSubject)
        made.append(subject)
        return subject

    yield open_program
    for subject in made:
        subject.close()


def process_of(subject: SubprocessSubject) -> int:
    assert subject._program is not None
    return subject._program.pid


@pytest.mark.parametrize("suffix", ["png", "ppm"])
def test_a_program_is_asked_with_files_that_hold_the_very_pixels(opened: Any, suffix: str) -> None:
    subject = opened(READY + MEASURE + ANSWER_ALL, images=suffix, floor=0)
    assert isinstance(subject, Subject)
    assert subject.classes == ("cat", "dog")
    images = [image(10), image(200, 40, 50), image(120)]
    answers = subject.predict(images)
    for pixels, found in zip(images, answers, strict=True):
        assert isinstance(found, Detections)
        height, width = pixels.shape[:2]
        assert found.boxes.tolist() == [[0, 0, width, height]] * 2
        red, blue = pixels[0, 0, 0] / 255, 51 / 255
        np.testing.assert_allclose(found.scores, [red, blue], rtol=1e-5)


def test_the_program_is_loaded_once_and_its_files_are_removed(opened: Any) -> None:
    subject = opened(READY + MEASURE + ANSWER_ALL)
    first = process_of(subject)
    for value in range(5):
        subject.predict([image(value)])
        assert [path.name for path in subject._files.folder.iterdir()] == [LOCK]
    assert process_of(subject) == first
    folder = subject._files.folder
    subject.close()
    assert not folder.exists()


def test_files_go_to_the_temporary_folder_where_there_is_no_memory_one(
    opened: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory_folder, "MEMORY", tmp_path / "absent")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    subject = opened(READY + MEASURE + ANSWER_ALL)
    assert subject._files.folder.parent == tmp_path
    assert len(subject.predict([image(9)])) == 1


def test_answers_may_come_in_any_order_by_id(opened: Any) -> None:
    gather = """
waiting = []
for q in questions():
    waiting.append(q)
    if q["left"] == 0:
        for one in reversed(waiting):
            say(id=one["id"], **answer(one))
        waiting = []
"""
    subject = opened(READY + MEASURE + gather, floor=0)
    values = [10, 100, 200, 250]
    for _ in range(2):
        scores = [float(one.scores[0]) for one in subject.predict([image(v) for v in values])]
        np.testing.assert_allclose(scores, np.array(values) / 255, rtol=1e-5)


def test_answers_without_ids_are_taken_in_order(opened: Any) -> None:
    subject = opened(READY + MEASURE + "for q in questions():\n    say(**answer(q))\n", floor=0)
    scores = [float(one.scores[0]) for one in subject.predict([image(10), image(200)])]
    np.testing.assert_allclose(scores, [10 / 255, 200 / 255], rtol=1e-5)


def test_a_program_that_does_not_say_ready_needs_classes(opened: Any) -> None:
    subject = opened(MEASURE + ANSWER_ALL, ready=False, classes=["cat", "dog"])
    assert len(subject.predict([image(9)])) == 1
    with pytest.raises(UserError, match="does not declare its classes"):
        opened(MEASURE + ANSWER_ALL, ready=False)


def test_a_classifier_answers_with_scores_by_order_or_name(opened: Any) -> None:
    for scores in ("[0.25, 0.75]", "{'dog': 0.75, 'cat': 0.25}"):
        code = READY + f"for q in questions():\n    say(id=q['id'], scores={scores})\n"
        subject = opened(code, task="labels")
        assert subject.predict([image(9)]) == [LabelVector([0.25, 0.75])]  # type: ignore[arg-type]


def test_more_lines_than_a_pipe_holds_do_not_block(opened: Any) -> None:
    talkative = (
        READY
        + "print('x' * 200000, file=sys.stderr)\n"
        + (f"for q in questions():\n    say(id=q['id'], note='y' * 20000, **{EMPTY})\n")
    )
    subject = opened(talkative, images="ppm")
    assert len(subject.predict([image(9, 2, 2)] * 1500)) == 1500


def test_stderr_goes_to_the_log(opened: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "snellen.subjects.subprocess.child_process")
    code = READY + f"for q in questions():\n    print('hm', file=sys.stderr)\n    say(**{EMPTY})\n"
    subject = opened(code)
    subject.predict([image(9)])
    subject.close()
    assert any("hm" in record.message for record in caplog.records)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('loading 3%', flush=True)", "wrote 'loading 3%' to stdout, expected one JSON"),
        ("print('[1, 2]', flush=True)", "expected one JSON object per line"),
        (f"say(id=99, **{EMPTY})", "answered id 99, expected each id from"),
        (f"say(id='a', **{EMPTY})", "answered id 'a'"),
        ("say(id=q['id'], boxes=[])", "no 'labels'"),
        (
            "say(boxes=[[0, 0, 5, 5]], labels=['cow'], scores=[0.5])",
            "'cow', which is not one of the classes",
        ),
        ("say(boxes=[[0, 0, 5, 5]], labels=[0], scores=[float('nan')])", "nan"),
        ("say(id=q['id'], error='no memory left')", "reports: no memory left"),
        ("print('bad weights', file=sys.stderr); sys.exit(7)", "exit code 7.*\n.*bad weights"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "ended by signal 11"),
        ("raise ValueError('oh')", "exit code 1.*(.|\n)*ValueError: oh"),
    ],
)
def test_an_answer_that_fails_says_why_and_the_next_question_goes_well(
    opened: Any, tmp_path: Path, body: str, message: str
) -> None:
    code = f"""
import pathlib
{READY}
for q in questions():
    if not pathlib.Path("failed").exists():
        pathlib.Path("failed").touch()
        {body}
    else:
        say(id=q["id"], **{EMPTY})
"""
    subject = opened(code)
    with pytest.raises(SubjectError, match=message):
        subject.predict([image(9)])
    assert len(subject.predict([image(9), image(10)])) == 2


def test_an_extra_line_is_not_taken_for_the_next_answer(opened: Any) -> None:
    code = READY + f"for q in questions():\n    say(**{EMPTY})\n    say(**{EMPTY})\n"
    subject = opened(code)
    subject.predict([image(9)])
    time.sleep(0.3)
    with pytest.raises(SubjectError, match="without a request"):
        subject.predict([image(9)])


HANG = """
import pathlib
for q in questions():
    if not pathlib.Path("hung").exists():
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        pathlib.Path("hung").write_text(str(child.pid))
        print("stuck", file=sys.stderr, flush=True)
        time.sleep(600)
    say(id=q["id"], boxes=[], labels=[], scores=[])
"""


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_program_that_hangs_is_killed_with_its_children_and_started_again(
    opened: Any, tmp_path: Path
) -> None:
    subject = opened(READY + HANG, timeout=3)
    first = process_of(subject)
    with pytest.raises(SubjectError, match=r"answered 0 of 1 images within 3 s(.|\n)*stuck"):
        subject.predict([image(9)])
    child = int((tmp_path / "hung").read_text())
    assert gone(first)
    assert gone(child)
    assert len(subject.predict([image(9)])) == 1
    assert process_of(subject) != first


def test_restart_from_another_thread_frees_a_call_that_hangs(opened: Any, tmp_path: Path) -> None:
    subject = opened(READY + HANG, timeout=600)
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            subject.predict([image(9)])
        except SubjectError as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not (tmp_path / "hung").exists() or not (tmp_path / "hung").read_text():
        time.sleep(0.02)
    subject.restart()
    thread.join(10)
    assert not thread.is_alive()
    assert len(raised) == 1
    assert len(subject.predict([image(9)])) == 1


def test_a_program_that_died_between_questions_is_started_again(opened: Any) -> None:
    subject = opened(READY + MEASURE + ANSWER_ALL)
    subject.predict([image(9)])
    os.kill(process_of(subject), signal.SIGKILL)
    assert gone(process_of(subject))
    assert len(subject.predict([image(9)])) == 1


def test_a_line_without_an_end_is_an_error_at_a_stated_size(opened: Any) -> None:
    endless = "while True:\n    sys.stdout.write('x' * 100000)\n"
    code = READY + "for q in questions():\n    " + endless.replace("\n    ", "\n        ")
    subject = opened(code, longest_line=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(SubjectError, match=r"a line of more than 2 MB.*\(subject\.longest_line\)"):
        subject.predict([image(9)])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000, "KB"


def test_lines_that_nobody_asked_for_fill_no_memory(opened: Any) -> None:
    subject = opened(READY + "while True:\n    print('x' * 100000)\n", longest_line=2)
    time.sleep(1.0)
    assert subject._program._lines._size < 3e6
    with pytest.raises(SubjectError, match="without a request"):
        subject.predict([image(9)])


def test_stderr_without_an_end_is_logged_in_pieces(opened: Any) -> None:
    code = (
        READY + f"for q in questions():\n    sys.stderr.write('x' * 3000000)\n    say(**{EMPTY})\n"
    )
    subject = opened(code)
    subject.predict([image(9)])
    assert max(map(len, subject._program._child._tail)) <= 16_384


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")
def test_the_memory_of_a_program_can_be_limited(opened: Any) -> None:
    code = READY + f"for q in questions():\n    bytearray(3 * 10**9)\n    say(**{EMPTY})\n"
    subject = opened(code, memory=1.0)
    with pytest.raises(SubjectError, match=r"(?s)subject\.memory is 1 GB.*MemoryError"):
        subject.predict([image(9)])


def test_two_threads_wait_for_each_other(opened: Any) -> None:
    subject = opened(READY + MEASURE + ANSWER_ALL, floor=0)
    wrong: list[int] = []

    def ask(value: int) -> None:
        for _ in range(10):
            [found] = subject.predict([image(value)])
            if abs(float(found.scores[0]) - value / 255) > 1e-5:
                wrong.append(value)

    threads = [threading.Thread(target=ask, args=(value,)) for value in (20, 90, 160, 230)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    "stubborn",
    ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"],
    ids=["polite", "deaf to SIGTERM"],
)
def test_close_ends_the_program(
    opened: Any, monkeypatch: pytest.MonkeyPatch, stubborn: str
) -> None:
    monkeypatch.setattr("snellen.subjects.subprocess.child_process.PATIENCE", 0.3)
    code = stubborn + READY + MEASURE + ANSWER_ALL
    subject = opened(code + ("time.sleep(600)\n" if stubborn else ""))
    pid = process_of(subject)
    subject.close()
    assert gone(pid)
    subject.close()


@pytest.mark.parametrize(
    ("code", "options", "message"),
    [
        ("print('Loading model...')\n", {}, "first line is 'Loading model...', expected"),
        ("say(snellen=2)\n", {}, "uses version 2 of the protocol, expected 1"),
        ("say(snellen=1, classes='cat')\n", {}, "classes are '\"cat\"', expected a list"),
        ("say(snellen=1)\n", {}, "does not declare its classes"),
        ("time.sleep(600)\n", {"start": 0.3}, "did not report that it is ready within 0.3 s"),
        ("sys.exit('no licence')\n", {}, "exit code 1(.|\n)*no licence"),
        (READY, {"timeout": 0}, "timeout: found 0"),
    ],
)
def test_a_program_that_does_not_start_says_why(
    opened: Any, code: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SnellenError, match=message):
        opened(code, **options)


def test_a_command_that_does_not_exist_is_the_users_mistake(tmp_path: Path) -> None:
    for command in (["no-such-program-here"], ["./absent"], [str(tmp_path)]):
        with pytest.raises(UserError, match=r"subject\.command: .*cannot be started in"):
            open_subject({"kind": "subprocess", "command": command}, tmp_path)
    with pytest.raises(UserError, match=r"command: found 'python3 program\.py'"):
        open_subject({"kind": "subprocess", "command": "python3 program.py"}, tmp_path)


def test_the_fingerprint_follows_the_program_its_files_and_its_version(
    opened: Any, tmp_path: Path
) -> None:
    (tmp_path / "weights").write_text("1")
    code = READY + MEASURE + ANSWER_ALL
    base = {"arguments": ["weights"]}
    seen = [opened(code, **base).fingerprint]
    assert opened(code, **base, batch=2, score=0.9, timeout=9).fingerprint == seen[0]
    seen.append(opened(code + "# changed", **base).fingerprint)
    seen.append(opened(code, **base, version="2").fingerprint)
    seen.append(opened(code.replace("snellen=1", "version='9', snellen=1"), **base).fingerprint)
    (tmp_path / "weights").write_text("2")
    seen.append(opened(code, **base).fingerprint)
    seen.append(opened(code, arguments=["--fast", "weights"]).fingerprint)
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("name", ["program", "perl"])
def test_the_examples_run_as_they_are(name: str) -> None:
    configuration = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text())
    values = configuration["subject"]
    if shutil.which(values["command"][0]) is None:
        pytest.skip(f"{values['command'][0]} is not installed")
    values_of_scenes = {**configuration["scenes"], "count": 5}
    scenes = synthetic_scenes(SyntheticOptions.model_validate(values_of_scenes))
    subject = open_subject(values, EXAMPLES)
    try:
        answers = subject.predict([scene.pixels() for scene in scenes])
    finally:
        subject.close()
    for scene, found in zip(scenes, answers, strict=True):
        assert scene.annotations is not None
        assert isinstance(found, Detections)
        outer = scene.annotations.boxes
        assert len(found) == len(outer)
        for x1, y1, x2, y2 in found.boxes:
            within = (outer <= [x1, y1, np.inf, np.inf]) & (outer >= [-np.inf, -np.inf, x2, y2])
            assert within.all(axis=1).any()


PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "subjects-your-own.md"


def test_the_page_shows_the_examples_as_they_are() -> None:
    shown = re.findall(r"```yaml\n# examples/subjects/(\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert {name for name, _ in shown} == {"python.yaml", "program.yaml"}
    for name, text in shown:
        assert yaml.safe_load(text) == yaml.safe_load((EXAMPLES / name).read_text())


def test_the_pages_protocol_is_the_one_that_is_spoken() -> None:
    blocks = re.findall(r"```json\n\s*(.*?)\n\s*```", PAGE.read_text(), re.DOTALL)
    ready, question, answer = blocks
    assert parse_ready(ready).classes == ("cat", "dog")
    asked = request(17, Path("/dev/shm/snellen-x1/18.png"), (480, 640, 3), 0)
    assert question == asked
    number, fields = parse_answer(answer, 0)
    found = checked_prediction(fields, (480, 640), ("cat", "dog"), Task.DETECTION)
    assert number == 17
    assert len(found) == 1
