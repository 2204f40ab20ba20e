"""CONTRIBUTING.md is true: its files, made outside of the repository, are plug-ins that run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.installed_packages import installation
from tests.processes import Done, finished

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```(?:python|toml|yaml)\n# (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES: dict[str, str] = dict(FILE.findall(PAGE))
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)
RUNS = ("subject", "scenes", "method")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The package, made as the page says, and installed."""
    folder = tmp_path_factory.mktemp("my-checks")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with installation(folder, tmp_path_factory.mktemp("metadata")):
        yield folder


@pytest.fixture(scope="module")
def followed(package: Path) -> dict[str, Done]:
    """What each command of the page ends with, in the page's order."""
    environment = {**os.environ, "SNELLEN_CACHE": str(package / "cache")}
    return {command: _run(command, package, environment) for command in COMMANDS}


def _run(command: str, folder: Path, environment: dict[str, str]) -> Done:
    program, *words = command.split()
    if program == "snellen":
        return finished([program, *words], folder, environment)
    assert program == "python"
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def summary_of(package: Path, name: str) -> Any:
    return json.loads((package / "runs" / name / "summary.json").read_text())


def test_every_command_of_the_page_runs(followed: dict[str, Done]) -> None:
    assert len(followed) == 5
    for command, done in followed.items():
        assert done.returncode == 0, f"{command}: {done.stderr}"


@pytest.mark.parametrize("name", RUNS)
def test_what_was_added_examines_every_scene(
    name: str, package: Path, followed: dict[str, Done]
) -> None:
    summary = summary_of(package, name)
    assert summary["units"] == {
        "total": 4,
        "done": 4,
        "errors": 0,
        "left_out": 0,
        "not_needed": 0,
        "untested": {},
    }
    assert summary["subject"]["name"] == "brightest"
    assert (package / "runs" / name / "report.html").is_file()


def test_the_reader_skips_and_names_what_is_invalid(
    package: Path, followed: dict[str, Done]
) -> None:
    assert summary_of(package, "scenes")["skipped"] == 1
    done = _run("snellen run scenes.yaml --out strict", package, dict(os.environ))
    assert done.returncode == 2
    assert "grey.npy: shape (60, 80), expected height x width x 3" in done.stderr


def test_the_method_finds_what_the_subject_does_not_see_in_the_dark(
    package: Path, followed: dict[str, Done]
) -> None:
    summary = summary_of(package, "method")
    assert summary["method"] == "dimming"
    assert summary["failing_cases"] == 4, "below the level nothing is bright"
    assert "dimmed scenes" in followed["snellen run method.yaml"].stdout


def test_its_code_passes_our_own_checks(package: Path) -> None:
    """The page shows code in the style that it asks for."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--config", str(ROOT / "pyproject.toml"),
         "--ignore", "I001,ARG001", str(package / "src")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_every_path_of_the_page_exists() -> None:
    quoted = re.findall(r"`((?:src|tests|docs|examples)/[\w./-]+)`", PAGE)
    linked = re.findall(r"\]\(([\w./-]+)\)", PAGE)
    assert len(quoted) > 6
    assert [one for one in (*quoted, *linked) if not (ROOT / one).exists()] == []


@pytest.mark.parametrize(("registry", "path"), re.findall(r"`([A-Z]+)` in `(src/\S+)`", PAGE))
def test_the_registries_are_where_the_page_says(registry: str, path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert f"\n{registry} = Registry(" in text
    group = re.findall(rf"^\| .* \| `(snellen\.\w+)` .*`{registry}`", PAGE, re.MULTILINE)
    assert f'"{group[0]}"' in text
