"""A secret, planted wherever a configuration takes one, is in no file and in no output."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import snellen as sn
from snellen.errors import SnellenError, UserError
from tests.cli.test_trust import picture
from tests.documentation.blocks import ROOT
from tests.engine.conftest import values
from tests.processes import Done, finished

CANARY = "canary-3f9c<&'7"
"""Characters that pages, JSON and reprs escape are among it."""
PART = CANARY[:11].encode()

CODE = """
import logging, sys

class Detector:
    classes = ["tomato", "lemon", "lime", "ice", "plum", "rose"]

    def __init__(self, **arguments):
        self.arguments = arguments
        self.name = f"detector with {arguments['password']}"
        self.calls = 0

    def __call__(self, images):
        found = []
        for image in images:
            self.calls += 1
            if image.shape[0] == 40:
                raise ValueError(f"refused {self.arguments}")
            far = [100, 80, 160, 130] if image.sum() % 2 else [30, 80, 90, 130]
            found.append({"boxes": [[9, 9, 40, 40], far], "labels": [0, 1], "scores": [1.0, 1.0]})
        return found
"""
PROGRAM = """
import sys
print("started with", sys.argv, file=sys.stderr, flush=True)
sys.exit(3)
"""


class Place:
    """A folder with a configuration whose secrets are in the environment."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.said = folder, ""
        self.environment = {
            **os.environ,
            "SNELLEN_STATE": str(folder / "state"),
            "SNELLEN_CACHE": str(folder / "cache"),
            "CANARY": CANARY,
            **environment,
        }

    def __call__(self, *words: str, code: int | None = 0) -> Done:
        done = finished(["snellen", "-v", *words], self.folder, self.environment)
        assert code is None or done.returncode == code, done.stderr
        self.said += done.stdout + done.stderr
        return done

    def leaks(self, *besides: str) -> list[str]:
        """Files, and outputs, in which the secret is; what Python compiled is the user's code."""
        files = [one for one in self.folder.rglob("*") if one.is_file() and one.suffix != ".pyc"]
        found = [str(one.relative_to(self.folder)) for one in files if PART in one.read_bytes()]
        said = [line for line in self.said.splitlines() if PART.decode() in line]
        return [one for one in found if one not in besides] + said


def configuration(**subject: Any) -> dict[str, Any]:
    return values(
        method="insertion",
        subject=subject,
        objects={"kind": "synthetic", "count": 8, "seed": 9, "prune": "none", "recognise": False},
        insertion={"per_object": 2},
    ) | {"scenes": {"kind": "folder", "path": "${IMAGES}"}}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "detector.py").write_text(CODE)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "images").mkdir()
    for seed in range(3):
        picture(tmp_path / "images" / f"{seed}.png", seed)
    picture(tmp_path / "images" / "refused.png", 9, 40)
    given = configuration(
        kind="python",
        target="detector:Detector",
        arguments={"password": "${CANARY}", "url": "https://x/?${CANARY}", "list": ["${CANARY}"]},
        deterministic=True,
    )
    (tmp_path / "snellen.yaml").write_text(yaml.safe_dump(given))
    return Place(tmp_path, IMAGES="images")


def test_no_route_of_a_run_leaks(place: Place) -> None:
    place("run", "snellen.yaml")
    assert "detector with ${CANARY}" in place.said
    config = place.folder / "run" / "config.yaml"
    assert "password: ${CANARY}" in config.read_text()
    assert config.stat().st_mode & 0o777 == 0o600
    place("run", "snellen.yaml", "--resume", "--retry-errors")
    place("report", "run", "--json")
    place("verify", "run", "--json")
    place("gate", "run", "--at-most", "0.5", "--json", code=None)
    shutil.copytree(place.folder / "run", place.folder / "again")
    place("gate", "run", "--against", "again", "--markdown", "gate.md", code=None)
    place("compare", "run", "again", "--json", code=None)
    for format in ("csv", "parquet", "fiftyone"):
        place("export", "run", "--to", format, "--out", f"as-{format}")
    place("export", "run", "--to", "coco", "--pseudo-labels", "--out", "failures")
    place("export", "run", "--retrain", "--pseudo-labels", "--out", "set", code=None)
    id = next((place.folder / "run" / "findings").iterdir()).name
    place("replay", "run", id, "--json", code=None)
    place("explain", "run", id, "--again", "--json")
    place("plan", "snellen.yaml", code=None)
    assert "refused" in place.said or any(
        b"refused {" in one.read_bytes() for one in place.folder.rglob("*.html")
    ), "the subject did say it"
    assert place.leaks() == []


def test_neither_a_check_nor_an_exam_leaks(place: Place) -> None:
    (place.folder / "images" / "refused.png").unlink()
    done = place("check", "snellen.yaml")
    assert "detector with ${CANARY}" in done.stdout
    place("exam", "snellen.yaml", "images", "--questions", "5", "--out", "exam")
    assert "detector with ${CANARY}" in (place.folder / "exam" / "scorecard.html").read_text()
    assert place.leaks() == []


def test_no_mistake_leaks(place: Place) -> None:
    for change in (
        "subject.target=detector:Nothing",
        "subject.target=nothing:Detector",
        "subject.score=${CANARY}",
        "subject.classes=${CANARY}",
        "subject.files=[${CANARY}]",
        "subject.nonsense=${CANARY}",
        "scenes.path=${CANARY}",
        "objects.exclude=${CANARY}",
        "subject={kind: onnx, model: '${CANARY}.onnx'}",
        "subject={kind: subprocess, command: ['${CANARY}']}",
        "subject={kind: subprocess, command: [python, program.py, --token, '${CANARY}']}",
        "subject.arguments={unknown: '${CANARY}'}",
    ):
        done = place("run", "snellen.yaml", "--set", change, "--out", "other", code=None)
        assert done.returncode in (2, 3), (change, done.stderr)
        assert place.leaks() == [], change


LITERAL: dict[str, tuple[str, ...]] = {
    "run": ("run", "literal.yaml"),
    "set": ("run", "snellen.yaml", "--set", f"subject.arguments.token={CANARY}"),
    "broken set": ("run", "snellen.yaml", "--set", f"subject.api_key=[{CANARY}"),
    "no set": ("run", "snellen.yaml", "--set", f"subject.arguments.token.x={CANARY}"),
    "wrong type": ("run", "wrong.yaml"),
    "check": ("check", "literal.yaml"),
    "gate": ("gate", "literal.yaml", "--at-most", "0.5"),
    "exam": ("exam", "literal.yaml", "images", "--questions", "5", "--out", "exam"),
    "repair": ("repair", "repair.yaml"),
    "wrong repair": ("repair", "wrong.yaml"),
}


@pytest.mark.parametrize("name", LITERAL)
def test_a_secret_that_is_written_out_goes_no_further(place: Place, name: str) -> None:
    given = yaml.safe_load((place.folder / "snellen.yaml").read_text())
    given["subject"]["arguments"] = {"password": CANARY}
    (place.folder / "literal.yaml").write_text(yaml.safe_dump(given))
    (place.folder / "wrong.yaml").write_text(yaml.safe_dump({"subject": [{"token": CANARY}]}))
    repair = {"subject": {"kind": "torch", "target": "a:b", "arguments": {"token": CANARY}}}
    (place.folder / "repair.yaml").write_text(yaml.safe_dump(repair))
    done = place(*LITERAL[name], code=2)
    assert place.leaks("literal.yaml", "wrong.yaml", "repair.yaml") == []
    if name in ("run", "set", "gate", "check"):
        assert "is a secret" in done.stderr
        assert done.stderr.splitlines()[-1] == "Next: snellen docs trust-and-secrets"
        assert not (place.folder / "run").exists()


def test_python_does_not_leak_either(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(place.folder)
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)
    given = yaml.safe_load(Path("snellen.yaml").read_text())
    caplog.set_level("INFO")
    run = sn.run(given)
    shown = repr(run) + run._repr_html_() + str(run.summary.to_text()) + str(run.subject_traits)
    with pytest.raises(UserError) as refused:
        sn.run({**given, "subject": {**given["subject"], "arguments": {"token": CANARY}}})
    with pytest.raises(SnellenError) as failed:
        sn.open_subject(kind="subprocess", command=["python", "program.py", "${CANARY}"])
    place.said += shown + str(refused.value) + str(failed.value) + caplog.text
    assert place.leaks() == []


def test_reading_needs_no_secret_and_another_token_goes_on(place: Place) -> None:
    arguments = {"password": "${CANARY}"}
    given = yaml.safe_load((place.folder / "snellen.yaml").read_text())
    given["subject"] |= {"arguments": arguments, "name": "a detector"}
    (place.folder / "snellen.yaml").write_text(yaml.safe_dump(given))
    place("run", "snellen.yaml")
    place.environment["CANARY"] = "another one"
    place("run", "snellen.yaml", "--resume", "--retry-errors")
    del place.environment["CANARY"]
    place("report", "run")
    place("verify", "run")
    done = place("run", "snellen.yaml", "--resume", code=2)
    assert "CANARY is not set" in done.stderr
    assert done.stderr.splitlines()[-1] == "Next: export CANARY=..."


def test_the_page_shows_what_works(place: Place) -> None:
    page = (ROOT / "docs" / "how-to" / "trust-and-secrets.md").read_text(encoding="utf-8")
    [subject] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (place.folder / "client.py").write_text(
        "class Detector:\n    classes = ['a']\n"
        "    def __init__(self, url, api_key):\n"
        f"        assert (url, api_key) == ('https://host/v2', {CANARY!r})\n"
        "    def __call__(self, images):\n"
        "        return [{'boxes': [], 'labels': [], 'scores': []} for one in images]\n"
    )
    given = values() | yaml.safe_load(subject)
    (place.folder / "snellen.yaml").write_text(yaml.safe_dump(given))
    place.environment |= {"DETECTOR_HOST": "host", "DETECTOR_KEY": CANARY}
    place("run", "snellen.yaml")
    assert place.leaks("client.py") == []
    change = f"subject.arguments.api_key={CANARY}"
    refused = place("run", "snellen.yaml", "--set", change, "--out", "x", code=2).stderr
    message = refused[refused.index("error: ") :]
    assert message in page


def test_a_page_of_an_earlier_run_does_not_show_its_secrets(
    place: Place, run_folder: Callable[[str], Path]
) -> None:
    folder = run_folder("insertion")
    config = folder / "config.yaml"
    stored = yaml.safe_load(config.read_text())
    stored["subject"]["deviations"] = {"api_key": CANARY}
    config.write_text(yaml.safe_dump(stored))
    place("report", str(folder))
    place.said += (folder / "report.html").read_text()
    assert "(not shown)" in place.said
    assert place.leaks("insertion/config.yaml") == [], "but where it was before"
