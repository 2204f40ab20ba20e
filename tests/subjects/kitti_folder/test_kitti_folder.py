from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import SubjectError, UserError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import with_lidar_boxes
from snellen.scenes.kitti.point_file import read_points
from snellen.scenes.pictures import read_picture
from snellen.subjects.kitti_folder.adapter import KittiFolderSubject
from snellen.subjects.kitti_folder.frame_files import frames_on_disk, read_answer
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections3d import Detections3D
from tests.subjects.fusion.streets import SIZE, calibration, car, cloud, frame, known

HEAD = """
import os, pathlib, shlex, sys, time
def asked():
    for line in sys.stdin:
        word, folder, out = shlex.split(line)
        assert word == "predict"
        yield pathlib.Path(folder), pathlib.Path(out)
def names(folder):
    return (folder / "frames.txt").read_text().split()
def write(folder, out, rows):
    for name in names(folder):
        (out / f"{name}.txt").write_text(rows)
"""
ROW = "Car -1 -1 0.1 100 120 200 220 1.5 1.7 4.0 1.0 1.6 20.0 -1.57 0.8"
READY = "print('ready', flush=True)\n"
ALL = (
    "for folder, out in asked():\n    write(folder, out, {rows!r})\n    print('done', flush=True)\n"
)
GOOD = READY + ALL.format(rows=ROW + "\n")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., KittiFolderSubject]]:
    made: list[Subject] = []

    def open_program(code: str, *arguments: str, **options: Any) -> KittiFolderSubject:
        (tmp_path / "system.py").write_text(HEAD + code, encoding="utf-8")
        command = [sys.executable, "system.py", *arguments]
        subject = open_subject({"kind": "kitti-folder", "command": command, **options}, tmp_path)
        assert isinstance(subject, KittiFolderSubject)
        made.append(subject)
        return subject

    yield open_program
    for subject in made:
        subject.close()


def street(x: float = 13.0) -> Frame:
    image = np.random.default_rng(int(x)).integers(0, 255, (*SIZE, 3), dtype=np.uint8)
    points = cloud([car(x, 2)], step=0.5).astype(np.float32)
    return Frame(image, points, calibration(), (known(car(x, 2)),))


def test_the_frames_on_disk_are_those_that_were_given_and_have_no_labels() -> None:
    frames = [street(13), street(20), frame(None, cloud([], step=1.0), image=False)]
    with frames_on_disk(frames) as (given_, answered):
        assert (given_ / "frames.txt").read_text().split() == ["000000", "000001", "000002"]
        assert sorted(path.name for path in given_.iterdir()) == [
            "calib", "frames.txt", "image_2", "velodyne",
        ]  # fmt: skip
        assert not list(answered.iterdir())
        for number, one in enumerate(frames):
            points = read_points(given_ / "velodyne" / f"{number:06d}.bin")
            np.testing.assert_array_equal(points, one.points)
            assert read_calibration(given_ / "calib" / f"{number:06d}.txt") == one.calibration
            picture = given_ / "image_2" / f"{number:06d}.png"
            assert picture.exists() == (one.image is not None)
            if one.image is not None:
                np.testing.assert_array_equal(read_picture(picture), one.image)
    assert not given_.parent.exists()


boxes = st.tuples(
    st.floats(5, 60), st.floats(-15, 15), st.floats(-2, 1),
    st.floats(0.5, 6), st.floats(0.4, 3), st.floats(0.8, 3), st.floats(-3.1, 3.1),
)  # fmt: skip


@given(st.lists(boxes, max_size=4))
def test_written_rows_come_back_as_the_same_solids(tmp_path_factory: Any, rows: Any) -> None:
    one = frame([])
    solid = np.array(rows, dtype=np.float64).reshape(-1, 7)
    blank = LabelRow("Car", -1, -1, 0.0, (10.0, 20.0, 30.0, 40.0), score=0.75)
    path = tmp_path_factory.mktemp("answers") / "000000.txt"
    written = with_lidar_boxes([blank] * len(solid), solid, one.frames)
    path.write_text("".join(f"{row.line()}\n" for row in written), encoding="utf-8")
    found = read_answer(path, one, ("Pedestrian", "Car"))
    # Files have two decimals.
    np.testing.assert_allclose(found.boxes[:, :6], solid[:, :6], atol=0.011)
    turn = np.abs(found.boxes[:, 6] - solid[:, 6]) % (2 * np.pi)
    assert (np.minimum(turn, 2 * np.pi - turn) < 0.006).all()
    assert found.labels.tolist() == [1] * len(solid)
    assert found.scores.tolist() == [0.75] * len(solid)
    assert (found.image_boxes == [10, 20, 30, 40]).all()


def test_a_program_is_started_once_and_answers_every_batch(opened: Any) -> None:
    marked = (
        "print('loading', os.getpid(), file=sys.stderr)\n"
        "open('starts', 'a').write('x')\nprint('chatter', flush=True)\n"
    )
    subject = opened(marked + GOOD)
    for count in (1, 3, 2):
        answers = subject.predict([street()] * count)
        assert [len(one) for one in answers] == [1] * count
        assert isinstance(answers[0], Detections3D)
        np.testing.assert_allclose(answers[0].image_boxes, [[100, 120, 200, 220]])
        np.testing.assert_allclose(answers[0].boxes[0, :6], [20, -1, -0.85, 4, 1.7, 1.5])
        assert answers[0].scores.tolist() == [np.float32(0.8)]
    folder = Path(subject._runner._folder)
    assert (folder / "starts").read_text() == "x"
    assert subject.task == Task.DETECTION_3D


def test_a_script_is_started_for_every_batch(opened: Any) -> None:
    code = (
        "folder, out = map(pathlib.Path, sys.argv[1:])\nopen('starts', 'a').write('x')\n"
        f"write(folder, out, {ROW!r})\nprint('all sorts of words')\n"
    )
    subject = opened(code, "{in}", "{out}")
    for count in (1, 3):
        assert len(subject.predict([street()] * count)) == count
    assert (Path(subject._runner._folder) / "starts").read_text() == "xx"


BAD_FILES = [
    ("", "wrote no 000000.txt"),
    ("write(folder, out, 'Car 1 2')", r"000000.txt: line 1: found 3 fields"),
    ("write(folder, out, 'Car -1 -1 x' + ' 1' * 12)", "alpha is 'x'"),
    (f"write(folder, out, {ROW.rsplit(' ', 1)[0]!r})", r"object 1 has 15 fields, expected 16"),
    (f"write(folder, out, {ROW.replace('Car', 'Tram')!r})", r"is a 'Tram'.*subject.classes"),
    (f"write(folder, out, {ROW.replace('1.5 1.7 4.0', '-1 -1 -1')!r})", "dimensions"),
    (f"write(folder, out, {ROW.replace(' 0.8', ' 7.5')!r})", r"000000.txt: .*subject.full_score"),
    ("(out / '0.txt').write_text('')", r"It wrote: 0.txt"),
]


@pytest.mark.parametrize(("what", "message"), BAD_FILES)
def test_a_bad_answer_is_named_and_the_program_goes_on(
    opened: Any, what: str, message: str
) -> None:
    code = (
        f"{READY}\nfor folder, out in asked():\n    if 'once' not in globals():\n"
        f"        once = 1\n        {what or 'pass'}\n    else:\n"
        f"        write(folder, out, {ROW!r})\n    print('done', flush=True)\n"
    )
    subject = opened(code)
    with pytest.raises(SubjectError, match=message) as raised:
        subject.predict([street()])
    assert "snellen-" not in str(raised.value)
    assert len(subject.predict([street()])[0]) == 1


def test_scores_beyond_one_are_divided_by_the_full_score(opened: Any) -> None:
    rows = ROW.replace(" 0.8", " 8.0")
    subject = opened(READY + ALL.format(rows=rows), full_score=16)
    assert subject.predict([street()])[0].scores.tolist() == [0.5]


def test_an_empty_file_is_an_empty_answer_and_dont_care_is_passed_over(opened: Any) -> None:
    dont_care = "DontCare -1 -1 -10 1 2 30 40 -1 -1 -1 -1000 -1000 -1000 -10\n"
    for rows in ("", dont_care):
        assert len(opened(READY + ALL.format(rows=rows)).predict([street()])[0]) == 0


def test_what_is_below_the_floor_is_left_out(opened: Any) -> None:
    assert len(opened(GOOD, floor=0.2, score=0.3).predict([street()])[0]) == 1
    assert len(opened(GOOD, floor=0.85, score=0.9).predict([street()])[0]) == 0


def test_what_the_program_says_of_its_error_is_told(opened: Any) -> None:
    code = READY + "for _ in asked():\n    print('error out of memory on cuda:0', flush=True)\n"
    with pytest.raises(SubjectError, match="out of memory on cuda:0"):
        opened(code).predict([street()])


CRASH = """
for folder, out in asked():
    if not os.path.exists("crashed"):
        open("crashed", "w")
        print("the model exploded", file=sys.stderr, flush=True)
        sys.exit(7)
    write(folder, out, "")
    print("done", flush=True)
"""


def test_a_crash_is_told_with_its_last_words_and_the_program_is_started_anew(opened: Any) -> None:
    subject = opened(READY + CRASH)
    with pytest.raises(SubjectError, match=r"exit code 7.*\n.*the model exploded"):
        subject.predict([street()])
    assert len(subject.predict([street()])) == 1


def test_a_program_that_hangs_is_ended_and_started_anew(opened: Any) -> None:
    code = READY + (
        "for folder, out in asked():\n    if not os.path.exists('hung'):\n"
        "        open('hung', 'w')\n        print('thinking', file=sys.stderr, flush=True)\n"
        "        time.sleep(600)\n    write(folder, out, '')\n    print('done', flush=True)\n"
    )
    subject = opened(code, timeout=3)
    with pytest.raises(SubjectError, match=r"'done' within 3 s .subject\.timeout(.|\n)*thinking"):
        subject.predict([street()])
    assert len(subject.predict([street()])) == 1


def test_a_program_that_never_is_ready_is_told(opened: Any) -> None:
    with pytest.raises(SubjectError, match=r"'ready' within 0\.5 s .subject\.start"):
        opened("time.sleep(600)", start=0.5)
    with pytest.raises(SubjectError, match=r"exit code 3.*\n.*no weights"):
        opened("print('no weights', file=sys.stderr); sys.exit(3)")


def test_without_ready_the_first_question_waits_for_the_loading(opened: Any) -> None:
    subject = opened("time.sleep(0.3)\n" + ALL.format(rows=ROW), ready=False)
    assert len(subject.predict([street()])[0]) == 1


def test_a_script_that_fails_or_hangs_is_told(opened: Any) -> None:
    failing = opened("print('bad config', file=sys.stderr); sys.exit(2)", "{in}", "{out}")
    with pytest.raises(SubjectError, match=r"exit code 2.*\n.*bad config"):
        failing.predict([street()])
    hanging = opened("time.sleep(600)", "{in}", "{out}", timeout=0.5)
    with pytest.raises(SubjectError, match=r"did not end within 0\.5 s"):
        hanging.predict([street()])


def test_restart_from_another_thread_ends_a_script_that_hangs(opened: Any) -> None:
    subject = opened("time.sleep(600)", "{in}", "{out}", timeout=60)
    timer = threading.Timer(0.5, subject.restart)
    timer.start()
    with pytest.raises(SubjectError, match="signal"):
        subject.predict([street()])
    timer.join()


def test_nothing_is_left_behind(
    opened: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.setattr("snellen.disk.memory_folder.MEMORY", place)
    subject = opened(GOOD)
    process = subject._runner._program._child.process
    subject.predict([street()])
    assert not list(place.iterdir())
    subject.close()
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"command": ["a", "{in}"]}, r"\{out\} is missing"),
        ({"command": ["a", "--out={out}"]}, r"\{in\} is missing"),
        ({"command": ["a"], "task": "labels"}, "task"),
        ({"command": ["no-such-program"]}, "cannot be started"),
        ({"command": []}, "command"),
    ],
)
def test_mistakes_in_the_options_are_told(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        open_subject({"kind": "kitti-folder", **options}, tmp_path)


def test_the_program_files_and_options_decide_the_fingerprint(opened: Any, tmp_path: Path) -> None:
    first = opened(GOOD).fingerprint
    assert opened(GOOD, score=0.4).fingerprint == first
    changed = [
        opened(GOOD, version="2"),
        opened(GOOD, full_score=2),
        opened(GOOD, classes=["Car"]),
        opened(GOOD + "# new\n"),
    ]
    assert len({first, *(one.fingerprint for one in changed)}) == 5
