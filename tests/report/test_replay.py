"""A finding asked again fails again, and not when the fault is mended."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import numpy as np
import typer
from typer.testing import CliRunner

from snellen.cli import replay as replay_command
from snellen.cli import report as report_command
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.scenes.pictures import read_picture
from snellen.store.findings import finding_of, findings
from snellen.store.journal import journal_of

app = typer.Typer()
app.command("report")(report_command.report)
app.command("replay")(replay_command.replay)


def test_every_finding_is_judged_as_it_was(run_folder: Any) -> None:
    folder = run_folder("insertion")
    with closing(journal_of(folder)) as journal:
        found = findings(journal)
        others = "SELECT id FROM cases WHERE role LIKE 'control:%' ORDER BY role, id"
        controls = [finding_of(journal, id) for (id,) in journal.rows(others)]
    for one in [*found[:6], *found[-6:], *controls[:: max(1, len(controls) // 8)]]:
        outcome = replay(folder, one.id)
        [again] = outcome.again
        assert (again.status, again.events) == (one.status, one.events)
        assert outcome.same_subject
        assert outcome.same_pixels is None, "nothing was kept to compare with"


def test_a_mended_subject_no_longer_fails(run_folder: Any) -> None:
    folder = run_folder("insertion")
    write_report(folder, pictures=1)
    [place] = (folder / "findings").iterdir()
    before = replay(folder, place.name[:6])
    assert before.failing == 1
    assert before.same_pixels is True
    after = replay(folder, place.name, overrides=["subject.fault=none"])
    assert after.failing == 0
    assert not after.same_subject
    assert np.array_equal(
        read_picture(after.folder / "after.png"), read_picture(place / "after.png")
    )


def test_commands_say_what_happened_and_end_with_a_code(run_folder: Any, tmp_path: Any) -> None:
    folder = run_folder("insertion")
    runner = CliRunner()
    written = runner.invoke(app, ["report", str(folder), "--pictures", "2"])
    assert written.exit_code == 0, written.output
    assert "report.html" in written.output
    assert len(list((folder / "findings").iterdir())) == 2
    id = next((folder / "findings").iterdir()).name
    failing = runner.invoke(app, ["replay", str(folder), id, "--out", str(tmp_path / "again")])
    assert failing.exit_code == 1
    assert "still fails" in failing.output
    assert "lost" in failing.output
    assert (tmp_path / "again" / "overlay.png").exists()
    mended = runner.invoke(
        app, ["replay", str(folder), id, "--set", "subject.fault=none", "--json"]
    )
    assert mended.exit_code == 0
    told = json.loads(mended.output)
    assert (told["failing"], told["same_subject"], told["same_pixels"]) == (0, False, True)


def test_an_unsteady_subject_can_be_asked_often(run_folder: Any) -> None:
    folder = run_folder("identity")
    with closing(journal_of(folder)) as journal:
        worst = findings(journal)[0]
    outcome = replay(folder, worst.id, times=12)
    assert len(outcome.again) == 12
    assert 0 < outcome.failing < 12
