"""Names and messages that are not UTF-8 are kept escaped, and end nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.scenes.pictures import write_picture
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from tests.processes import Done, finished

BYTES = b"caf\xe9"
NAME = os.fsdecode(BYTES)
"""As Python has the name of a file that is not UTF-8: with a lone surrogate."""
ESCAPED = "caf\\udce9"
CODE = """
import json, sys
BAD = "caf\\udce9"
def detect(images):
    if images[0].mean() > 172:
        raise ValueError(f"bad {BAD}")
    found = dict(boxes=[[0, 0, 9, 9]], labels=[BAD], scores=[0.9 - images[0].mean() / 1000 % 0.5])
    return [found for _ in images]
detect.classes = [BAD, "dog"]
detect.name = BAD

class Quiet(Exception):
    def __str__(self):
        raise RuntimeError("no words")
def fail(images):
    if images[0].mean() > 172:
        raise Quiet
    return detect(images)
fail.classes = detect.classes
"""
PROGRAM = rb"""
import json, sys
out = sys.stdout.buffer
out.write(b'{"snellen": 1, "name": "caf\xe9", "classes": ["caf\xe9", "\\udce9"]}\n')
out.flush()
sys.stderr.buffer.write(b"caf\xe9 on stderr\n")
sys.stderr.flush()
for number, line in enumerate(sys.stdin):
    id = json.loads(line)["id"]
    if number == 5:
        out.write(b'{"id": %d, "error": "no caf\xe9"}\n' % id)
    elif number == 9:
        out.write(b'caf\xe9\n')
    else:
        out.write(b'{"id": %d, "boxes": [[0,0,9,9]], "labels": ["caf\xe9"], ' % id)
        out.write(b'"scores": [0.9]}\n')
    out.flush()
"""


def photographs(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number, scene in enumerate(synthetic_scenes(SyntheticOptions(count=8, size=(144, 192),
                                                                     sides=(20, 36)))):  # fmt: skip
        write_picture(folder / "plain.png", scene.pixels())
        (folder / "plain.png").rename(folder / f"{NAME}{number}.png")


def run(tmp_path: Path, *words: str, **subject: Any) -> Done:
    """A run in a folder, on files and of a subject whose names are not UTF-8."""
    place = tmp_path / NAME
    if not place.exists():
        photographs(place / "images")
    (place / "mine.py").write_text(CODE)
    (place / "program.py").write_bytes(PROGRAM)
    values = {
        "method": "identity",
        "subject": {"deterministic": True, **subject},
        "scenes": {"kind": "folder", "path": "images"},
        "engine": {"workers": 1, "retries": 0, "batch": 1},
        "out": f"run {NAME}",
    }
    (place / "snellen.yaml").write_text(yaml.safe_dump(values))
    environment = {**os.environ, "SNELLEN_CACHE": str(place / "cache"), "PYTHONIOENCODING": "ascii"}
    return finished(["snellen", *words], place, environment)


@pytest.fixture(params=["detect", "fail", "program", "isolated"])
def subject(request: pytest.FixtureRequest) -> dict[str, Any]:
    options: dict[str, dict[str, Any]] = {
        "detect": {"kind": "python", "target": "mine:detect"},
        "fail": {"kind": "python", "target": "mine:fail"},
        "program": {"kind": "subprocess", "command": [sys.executable, "program.py"]},
        "isolated": {"kind": "python", "target": "mine:detect", "isolate": True},
    }
    return options[request.param]


def test_a_run_keeps_what_is_not_utf8_escaped(tmp_path: Path, subject: dict[str, Any]) -> None:
    done = run(tmp_path, "-v", "run", "snellen.yaml", **subject)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    folder = tmp_path / NAME / f"run {NAME}"
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        scenes = [str(one) for (one,) in db.execute("SELECT scene FROM units")]
        messages = [str(one) for (one,) in db.execute("SELECT message FROM errors")]
    assert len(scenes) == 8
    assert all(one.startswith(ESCAPED) for one in scenes)
    assert messages
    words = "(its message cannot be read: RuntimeError)" if "fail" in str(subject) else ESCAPED
    assert all(words in message for message in messages)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["subject"]["name"] == ("mine:fail" if "fail" in str(subject) else ESCAPED)
    assert ESCAPED in (folder / "report.html").read_text(encoding="utf-8")


def test_every_command_reads_such_a_run(tmp_path: Path) -> None:
    options: dict[str, Any] = {"kind": "python", "target": "mine:detect"}
    assert run(tmp_path, "run", "snellen.yaml", **options).returncode == 0
    folder = f"run {NAME}"
    for words, code in (
        (["run", "snellen.yaml", "--resume"], 0),
        (["report", folder], 0),
        (["report", folder, "--json"], 0),
        (["verify", folder], 0),
        (["gate", folder, "--at-most", "0.9"], None),
        (["check", "snellen.yaml"], None),
        (["compare", folder, folder], None),
        (["plan", "snellen.yaml"], None),
        (["run", f"{NAME}.yaml"], 2),
    ):
        done = run(tmp_path, *words, **options)
        assert "Traceback" not in done.stderr, (words, done.stderr)
        assert code is None or done.returncode == code, (words, done.stderr)


def test_class_names_and_scenes_of_a_data_set_are_escaped_too(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    photographs(folder / "images")
    found = synthetic_scenes(SyntheticOptions(count=8, size=(144, 192), sides=(20, 36)))
    images: list[dict[str, Any]] = []
    boxes: list[dict[str, Any]] = []
    for number, scene in enumerate(found):
        images.append(
            {"id": number, "file_name": f"{NAME}{number}.png", "height": 144, "width": 192}
        )
        known = scene.annotations
        assert known is not None
        for x1, y1, x2, y2 in known.boxes.tolist():
            box = [x1, y1, x2 - x1, y2 - y1]
            boxes.append({"id": len(boxes) + 1, "image_id": number, "category_id": 1, "bbox": box})
    names = [{"id": 1, "name": NAME}, {"id": 2, "name": "dog"}]
    content = {"images": images, "annotations": boxes, "categories": names}
    (folder / "known.json").write_text(json.dumps(content))
    coco = {"kind": "coco", "annotations": "known.json", "images": "images"}
    (folder / "mine.py").write_text(CODE.replace("> 172", "> 180"))
    values = {
        "method": "identity",
        "subject": {"kind": "python", "target": "mine:detect", "deterministic": True},
        "scenes": coco,
        "engine": {"workers": 0, "retries": 0},
        "out": "run",
    }
    (folder / "snellen.yaml").write_text(yaml.safe_dump(values))
    environment = {
        **os.environ,
        "SNELLEN_CACHE": str(tmp_path / "cache"),
        "PYTHONIOENCODING": "ascii",
    }
    for words in (["run", "snellen.yaml"], ["export", "coco", "run", "out"], ["report", "run"]):
        done = finished(["snellen", *words], folder, environment)
        assert "Traceback" not in done.stderr, done.stderr
        if words[0] != "export":
            assert done.returncode == 0, done.stderr
    assert ESCAPED in (folder / "run" / "report.html").read_text(encoding="utf-8")
    with closing(sqlite3.connect(folder / "run" / "journal.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM cases").fetchone() == (8,)
