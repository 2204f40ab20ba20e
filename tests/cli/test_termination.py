"""SIGTERM, by which containers, schedulers and CI stop a job, ends a command as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.disk.memory_folder import MEMORY
from tests.cli.conftest import Snellen
from tests.cli.test_killed_runs import ended_units
from tests.processes import Started
from tests.repair.toy_repair import material, write_configuration

Config = Callable[..., Path]
ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, os, pathlib, sys, time
pathlib.Path("pid").write_text(str(os.getpid()))
print(json.dumps({"snellen": 1, "classes": ["disc"]}), flush=True)
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    pathlib.Path("images").write_text(os.path.dirname(asked["image"]))
    time.sleep(600 if number == HANGS else 0.05)
    print(json.dumps({"id": asked["id"], "boxes": [], "labels": [], "scores": []}), flush=True)
"""
SCENES = {"kind": "synthetic", "count": 200}
SECONDS = 30.0
"""At most, on a busy machine; far below the time-outs of a subject."""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[int], dict[str, Any]]:
    """The options of a program that hangs at a question."""

    def write(hangs: int) -> dict[str, Any]:
        (tmp_path / "program.py").write_text(PROGRAM.replace("HANGS", str(hangs)))
        command = [sys.executable, str(tmp_path / "program.py")]
        return {"kind": "subprocess", "command": command, "batch": 1, "deterministic": True}

    return write


def terminated(process: Started, when: Callable[[], bool], number: signal.Signals) -> str:
    """What a command says when it gets a signal, once something has happened."""
    limit = time.monotonic() + 240
    while not when():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit, "the command makes no headway"
        time.sleep(0.05)
    sent = time.monotonic()
    process.send_signal(number)
    _, said = process.communicate(60)
    assert time.monotonic() - sent < SECONDS
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[number], said
    assert "Traceback" not in said
    return said


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("hangs", [-1, 6], ids=["answers", "hangs"])
def test_a_terminated_run_ends_its_program_and_frees_its_memory(
    tmp_path: Path,
    config: Config,
    environment: dict[str, str],
    program: Callable[[int], dict[str, Any]],
    snellen: Snellen,
    hangs: int,
) -> None:
    config(subject=program(hangs), scenes=SCENES, engine={"workers": 1})
    process = Started(["snellen", "run", "snellen.yaml"], tmp_path, environment)
    later = time.monotonic() + 8
    asked = lambda: ended_units(tmp_path / "run") > 0 and (hangs < 0 or time.monotonic() > later)  # noqa: E731
    said = terminated(process, asked, signal.SIGTERM)
    assert "terminated; finished scenes are saved" in said
    assert "Resume: snellen run snellen.yaml --resume" in said
    assert gone(int((tmp_path / "pid").read_text()))
    images = Path((tmp_path / "images").read_text())
    assert images.parent == MEMORY or not MEMORY.exists()
    assert not images.exists()
    assert 0 < (before := ended_units(tmp_path / "run")) < 200
    program(-1)
    assert snellen("verify", "run").returncode == 0, before


def test_a_run_that_waits_for_its_program_to_start_is_terminated(
    tmp_path: Path, config: Config, environment: dict[str, str]
) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    config(subject={"kind": "subprocess", "command": [sys.executable, "slow.py"]})
    process = Started(["snellen", "run", "snellen.yaml"], tmp_path, environment)
    waits = lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != ""  # noqa: E731
    said = terminated(process, waits, signal.SIGTERM)
    assert "Resume: snellen run snellen.yaml --resume" in said
    assert gone(int((tmp_path / "pid").read_text()))


SLOW = {"kind": "planted", "fault": "flickers", "sleep_ms": 60, "batch": 1}


def write_exam(folder: Path) -> None:
    (folder / "model.yaml").write_text(yaml.safe_dump({"subject": SLOW}))
    (folder / "data.yaml").write_text(yaml.safe_dump({"scenes": {"kind": "synthetic"}}))


@pytest.mark.parametrize(
    ("command", "number"),
    [("gate", signal.SIGTERM), ("exam", signal.SIGTERM), ("exam", signal.SIGINT)],
)
def test_every_command_that_runs_campaigns_says_how_to_resume(
    tmp_path: Path,
    config: Config,
    environment: dict[str, str],
    command: str,
    number: signal.Signals,
) -> None:
    config(subject=SLOW, scenes=SCENES)
    write_exam(tmp_path)
    given, folder = {
        "gate": (["snellen.yaml", "--at-most", "0.5", "--set", "seed=4"], "run"),
        "exam": (["model.yaml", "data.yaml", "--out", "x y"], "x y/*"),
    }[command]
    words = ["snellen", command, *given]
    process = Started(words, tmp_path, environment)
    begun = lambda: any(ended_units(one) for one in tmp_path.glob(folder))  # noqa: E731
    said = terminated(process, begun, number)
    shown = " ".join(f"'{word}'" if " " in word else word for word in words)
    assert f"Resume: {shown} --resume" in said


@pytest.mark.thorough
def test_a_terminated_demo_is_resumed(
    tmp_path: Path, environment: dict[str, str], snellen: Snellen
) -> None:
    process = Started(["snellen", "demo", "--offline"], tmp_path, environment)
    folder = tmp_path / "demo" / "run"
    said = terminated(process, lambda: ended_units(folder) > 0, signal.SIGTERM)
    assert "Resume: snellen demo --offline --resume" in said
    before = {path.name: path.stat().st_ino for path in folder.glob("journal.sqlite")}
    again = snellen("demo", "--offline", "--resume")
    assert again.returncode == 0, again.stderr
    assert ended_units(folder) == 16
    assert {path.name: path.stat().st_ino for path in folder.glob("journal.sqlite")} == before


def test_a_terminated_repair_says_how_to_resume(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    toy = material(tmp_path_factory)
    write_configuration(tmp_path, toy, configurations=["failing"], fresh=False)
    environment = {**os.environ, "SNELLEN_CACHE": str(tmp_path / "c"), "PYTHONPATH": str(ROOT)}
    process = Started(["snellen", "repair", "toy.yaml"], tmp_path, environment)
    begun = lambda: (tmp_path / "repair").exists()  # noqa: E731
    said = terminated(process, begun, signal.SIGTERM)
    assert "terminated; finished stages are saved. Resume: snellen repair toy.yaml --resume" in said


def test_a_command_that_runs_nothing_ends_with_143_too(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "wait.py").write_text("import time\ntime.sleep(600)\n")
    made = {"kind": "python", "target": "wait:f"}
    (tmp_path / "c.yaml").write_text(
        yaml.safe_dump({"method": "identity", "subject": made, "scenes": {"kind": "synthetic"}})
    )
    process = Started(["snellen", "check", "c.yaml"], tmp_path, environment)
    time.sleep(2)
    assert "terminated" in terminated(process, lambda: True, signal.SIGTERM)


def test_a_builder_that_never_ends_does_not_keep_a_terminated_run(
    tmp_path: Path, config: Config, environment: dict[str, str]
) -> None:
    config(subject=SLOW, scenes=SCENES, engine={"workers": 1})
    process = Started(["snellen", "run", "snellen.yaml"], tmp_path, environment)
    while ended_units(tmp_path / "run") == 0:
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in map(int, children):
        os.kill(child, signal.SIGSTOP)
    try:
        said = terminated(process, lambda: True, signal.SIGTERM)
    finally:
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
    assert "leaked" not in said
