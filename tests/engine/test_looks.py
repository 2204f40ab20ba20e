"""Runs that end when they are decided: at the same unit however they are run, with its rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.looks import look_counts
from snellen.engine.progress import RunTally, SilentWatcher
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.report.gate import gate_of
from snellen.report.summary import write_summary
from snellen.report.terminal import print_summary
from snellen.scenes.coco.writer import write_coco
from snellen.store.journal import UnitEnd, journal_of
from snellen.store.run_looks import RunLooks
from tests.methods.requirements.breaking_subject import MEASURE, known_scenes

UNITS = 44
LOOKS = (16, 32, 44)
Runs = Callable[..., Path]
ROWS = {
    "units": "SELECT * FROM units ORDER BY number",
    "cases": "SELECT * FROM cases ORDER BY unit, number",
    "events": 'SELECT * FROM events ORDER BY unit, "case", number',
}


class Killed(SilentWatcher):
    """Ends the run like Ctrl-C once so many units have ended."""

    def __init__(self, after: int) -> None:
        self._after = after

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        if end is not None and tally.ended >= self._after:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looks")
    write_coco(known_scenes(UNITS), folder / "scenes")
    wanted = {
        "name": "whole",
        "task": "detection",
        "subtask": "whole",
        "transformation": "gaussian_noise",
        "measure": MEASURE,
        "threshold": 0.9,
        "thresholds": [0.9],
        "margin": 0.1,
        "source": {"study": "planted"},
    }
    text = yaml.safe_dump({"snellen_requirements": 1, "requirements": [wanted]})
    (folder / "wanted.yaml").write_text(text)
    return folder


@pytest.fixture
def run(place: Path, tmp_path: Path) -> Runs:
    def started(
        breaks: str, *, killed: int | None = None, resume: bool = False, **engine: Any
    ) -> Path:
        config = {
            "method": "requirements",
            "subject": {
                "kind": "python",
                "target": "tests.methods.requirements.breaking_subject:Breaking",
                "arguments": {"breaks": breaks, "onset": 0.5},
                "task": "segmentation",
                "score": 0.5,
                "deterministic": True,
            },
            "scenes": {
                "kind": "coco",
                "annotations": str(place / "scenes/instances.json"),
                "images": str(place / "scenes/images"),
            },
            "requirements": {"file": str(place / "wanted.yaml"), "samples": 2},
            "engine": {"workers": 0, "cache": False, "explain": 0, **engine},
            "out": str(tmp_path / "run"),
        }
        (tmp_path / "run.yaml").write_text(yaml.safe_dump(config))
        campaign = load_campaign(tmp_path / "run.yaml")
        run_campaign(campaign, resume=resume, watcher=Killed(killed) if killed else None)
        return tmp_path / "run"

    return started


def rows(folder: Path, units: set[int] | None = None) -> dict[str, list[tuple[Any, ...]]]:
    with closing(journal_of(folder)) as journal:
        found = {name: journal.rows(query) for name, query in ROWS.items()}
    return {
        name: [row for row in each if units is None or row[0] in units]
        for name, each in found.items()
    }


def looks_of(folder: Path) -> RunLooks | None:
    with closing(journal_of(folder)) as journal:
        return RunLooks.of(journal)


def test_the_numbers_of_units_depend_on_their_number_alone() -> None:
    assert look_counts(UNITS) == LOOKS
    assert look_counts(1) == (1,)
    assert look_counts(21) == (21,)


def test_a_clearly_failing_subject_stops_early_with_the_rows_of_the_whole_run(
    run: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run("localise", stop="decided", batch=1)
    early = rows(folder)
    units = {row[0] for row in early["units"]}
    assert len(units) == 16
    assert units != set(range(16)), "in random order"
    assert looks_of(folder) == RunLooks(LOOKS, 1, True)
    summary = write_summary(folder)
    assert summary.units.left_out == 0
    assert summary.units.not_needed == UNITS - 16
    [one] = summary.requirements
    assert one.status == "violated"
    assert 0 < one.to_json()["level"] < 0.05, "the level of this look"
    assert gate_of(summary, folder).code == 1
    print_summary(summary, folder)
    assert "stopped at 16 of 44: decided" in " ".join(capsys.readouterr().out.split())

    folder.rename(tmp_path / "early")
    again = run("localise", stop="decided", batch=7, workers=1)
    assert rows(again) == early, "whatever the batch and the workers"

    again.rename(tmp_path / "again")
    whole = run("localise")
    assert len(rows(whole)["units"]) == UNITS
    assert rows(whole, units) == early
    assert looks_of(whole) is None, "without the option, nothing is recorded"
    assert write_summary(whole).units.not_needed == 0


def test_a_perfect_subject_stops_when_it_is_shown_to_satisfy(run: Runs) -> None:
    folder = run("", stop="decided")
    looks = looks_of(folder)
    assert looks is not None
    assert looks.stopped
    summary = write_summary(folder)
    [one] = summary.requirements
    assert one.status == "satisfied"
    assert gate_of(summary, folder).code == 0, "a run that stopped is complete"


def test_what_can_not_be_decided_goes_to_the_end_at_the_last_level(run: Runs) -> None:
    folder = run("blind", stop="decided")
    looks = looks_of(folder)
    assert looks == RunLooks(LOOKS, 3, False)
    assert len(rows(folder)["units"]) == UNITS
    assert looks is not None
    assert looks.level(0.05) < 0.05
    summary = write_summary(folder)
    assert summary.units.left_out == summary.units.not_needed == 0


@pytest.mark.parametrize("killed", [5, 16])
def test_a_killed_run_ends_as_an_unbroken_one(run: Runs, tmp_path: Path, killed: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("localise", stop="decided", killed=killed)
    assert len(rows(tmp_path / "run")["units"]) == killed
    resumed = run("localise", stop="decided", resume=True)
    ended = rows(resumed)
    assert len(ended["units"]) == 16
    assert looks_of(resumed) == RunLooks(LOOKS, 1, True)
    once_more = run("localise", stop="decided", resume=True)
    assert rows(once_more) == ended, "a decided run opens nothing more"
    resumed.rename(tmp_path / "resumed")
    assert rows(run("localise", stop="decided")) == ended


def test_a_run_is_not_resumed_with_another_rule(run: Runs) -> None:
    run("localise", stop="decided")
    with pytest.raises(UserError, match="configuration differs"):
        run("localise", resume=True)
