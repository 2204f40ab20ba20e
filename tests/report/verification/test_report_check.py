"""`snellen report --check` names the files that do not say what the journal says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.report.verification.report_check import changed_files
from tests.finished_runs import Copied


@pytest.fixture
def run(reported: Copied, runs: Copied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a reported run in another place."""
    monkeypatch.setenv("SNELLEN_CACHE", str(runs("identity").parent / "cache"))
    return Path(shutil.copytree(reported("identity"), tmp_path / "identity"))


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a number of the page": (
        lambda run: replaced(run / "report.html", "95% interval", "99% interval"),
        "report.html",
    ),
    "the summary": (
        lambda run: replaced(run / "summary.json", '"failing_cases": ', '"failing_cases": 9'),
        "summary.json",
    ),
    "a missing file": (lambda run: (run / "junit.xml").unlink(), "junit.xml"),
}


def test_a_report_that_was_moved_is_still_the_one_of_its_journal(run: Path) -> None:
    assert changed_files(run) == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_named(run: Path, name: str) -> None:
    change, expected = CHANGES[name]
    change(run)
    result = CliRunner().invoke(app, ["report", str(run), "--check"])
    assert result.exit_code == 1
    assert result.output.splitlines()[0] == expected


def test_a_report_with_fewer_pictures_is_checked_as_such(run: Path) -> None:
    assert "report.html" in changed_files(run, pictures=1)
