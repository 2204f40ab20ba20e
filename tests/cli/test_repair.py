"""`snellen repair` as a user has it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from snellen.cli.main import main
from tests.processes import Done, Started
from tests.repair.toy_repair import material, write_configuration

ROOT = Path(__file__).parents[2]
SMALL: dict[str, Any] = {"configurations": ["failing"], "fresh": False}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return material(tmp_path_factory)


@pytest.fixture
def command(toy: Path, tmp_path: Path) -> list[str]:
    """The command line of a small repair in the test's folder."""
    write_configuration(tmp_path, toy, **SMALL)
    return ["snellen", "repair", "toy.yaml"]


@pytest.fixture
def environment(toy: Path) -> dict[str, str]:
    """The toy detector can be imported."""
    return {**os.environ, "SNELLEN_CACHE": str(toy / "cache"), "PYTHONPATH": str(ROOT)}


@pytest.fixture
def inside(
    tmp_path: Path,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[Sequence[str]], Done]:
    """What a command ends with in this process, which has the network's library loaded."""

    def ended(command: Sequence[str]) -> Done:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("SNELLEN_CACHE", environment["SNELLEN_CACHE"])
        monkeypatch.setattr("sys.argv", list(command))
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return subprocess.CompletedProcess(command, int(end.value.code or 0), said.out, said.err)

    return ended


@pytest.mark.thorough
def test_a_killed_repair_resumes_and_prints_its_outcome(
    command: list[str],
    tmp_path: Path,
    environment: dict[str, str],
    inside: Callable[[Sequence[str]], Done],
) -> None:
    checkpoint = tmp_path / "repair/rounds/1/training/failing/last.pt"
    running = Started(command, tmp_path, environment)
    while not checkpoint.exists() and running.poll() is None:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert running.returncode == -signal.SIGKILL
    assert not (tmp_path / "repair" / "outcome.json").exists()

    ended = inside([*command, "--resume"])
    assert ended.returncode == 0, ended.stderr
    assert "testing" not in ended.stderr.partition("training failing")[0], "tests were done"
    assert "tests" in ended.stdout
    assert "failing: " in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("Next: ")

    output = inside([*command, "--evaluate", "--json"])
    assert output.returncode == 0, output.stderr
    values = json.loads(output.stdout)
    assert values == json.loads((tmp_path / "repair" / "outcome.json").read_text())
    assert [one["name"] for one in values["ways"]] == ["failing"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "training.rte=1"], "training.rte: unknown key; did you mean 'rate'"),
        (["--iterate", "2", "--grid"], "--iterate cannot be combined with --grid"),
        (["--evaluate"], "there is no repair in this folder"),
        (["--set", "scenes.evaluate.annotations=none.json"], "none.json: no such file"),
    ],
)
def test_a_mistake_ends_with_2_and_leaves_nothing(
    command: list[str],
    tmp_path: Path,
    inside: Callable[[Sequence[str]], Done],
    words: list[str],
    said: str,
) -> None:
    output = inside([*command, *words])
    assert output.returncode == 2
    assert said in output.stderr
    assert "Traceback" not in output.stderr
    assert not (tmp_path / "repair").exists()
