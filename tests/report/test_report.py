"""What a report leaves in the run folder."""

from __future__ import annotations

import json
import logging
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.contract.verdict import Status
from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.report import finding_folder
from snellen.report.reopened_run import reopened
from snellen.report.report import selection, write_report
from snellen.scenes.pictures import read_picture
from snellen.store.faults import faults
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.lost_scenes import lose_scenes
from tests.store.recorded_faults import Planted, thing, write_faults

FILES = ["after.png", "before.png", "overlay.png", "recipe.json", "replay.txt"]


def test_each_finding_has_its_files_and_they_are_right(run_folder: Any) -> None:
    folder = run_folder("insertion")
    write_report(folder, pictures=5)
    places = sorted((folder / "findings").iterdir())
    assert len(places) == 5
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as run:
        by_id = {one.id: one for one in findings(journal)}
        for place in places:
            names = {one.name for one in place.iterdir()} - {"explanation.json"}
            assert sorted(names) == FILES
            finding = by_id[place.name]
            scene = run.scene(finding.scene).pixels()
            assert np.array_equal(read_picture(place / "before.png"), scene)
            assert np.array_equal(read_picture(place / "after.png"), run.case(finding))
            facts = json.loads((place / "recipe.json").read_text())
            assert facts["recipe"] == finding.recipe
            assert facts["label"] in run.subject.classes
            command = (place / "replay.txt").read_text()
            assert command == f"snellen replay {folder} {finding.id}\n"


def test_the_subject_is_not_opened_for_pictures(
    run_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run_folder("insertion")

    def refuse(*_: object) -> None:
        raise AssertionError("the subject was opened")

    monkeypatch.setattr("snellen.report.reopened_run.open_subject", refuse)
    write_report(folder, pictures=2)
    assert len(list((folder / "findings").iterdir())) == 2


def test_a_finding_is_written_whole_or_not_at_all(
    run_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run_folder("insertion")

    def full(path: Path, data: bytes) -> None:
        if path.name == "recipe.json":
            raise OSError(28, "No space left on device")
        write_atomically(path, data)

    monkeypatch.setattr(finding_folder, "write_atomically", full)
    with pytest.raises(UserError, match="No space left"):
        write_report(folder, pictures=1)
    assert list((folder / "findings").iterdir()) == []


def test_a_second_report_is_the_same(run_folder: Any) -> None:
    folder = run_folder("insertion")
    write_report(folder)
    first = {one: (folder / one).read_bytes() for one in ("report.html", "summary.json")}
    write_report(folder)
    assert first == {one: (folder / one).read_bytes() for one in first}


def test_kept_pictures_are_shown_when_the_scenes_are_gone(
    run_folder: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = run_folder("insertion")
    write_report(folder, pictures=3)
    kept = [one.name for one in (folder / "findings").iterdir()]

    lose_scenes(monkeypatch)
    with caplog.at_level(logging.WARNING):
        write_report(folder, pictures=3)
    page = (folder / "report.html").read_text()
    assert all(f"finding-{id}" in page for id in kept)
    assert "no synthetic any more" in caplog.text
    shutil.rmtree(folder / "findings")
    write_report(folder, pictures=3)
    assert "their pictures can&#x27;t be rebuilt" in (folder / "report.html").read_text()


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run folder"):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


@pytest.mark.parametrize("name", ["identity", "labels", "fine"])
def test_other_runs_have_a_report_too(name: str, run_folder: Any) -> None:
    folder = run_folder(name)
    summary = write_report(folder)
    assert (folder / "report.html").exists()
    assert (folder / "junit.xml").exists()
    shown = (folder / "findings").exists()
    assert shown == bool(summary.failing_cases)


def test_each_fault_is_shown_before_further_findings(tmp_path: Path) -> None:
    far = thing((50.0, 0.0, 60.0, 10.0))
    scenes = [
        [Planted([thing()], 0.9), Planted([thing()], 0.8), Planted([far], 0.3, "object")],
        [Planted([thing()], 0.7, status=Status.FLAKY), Planted([thing()], 0.2)],
    ]
    with closing(write_faults(tmp_path, scenes)) as journal:
        found = findings(journal)
        known = faults(journal, found)
    margins = [one.worst.margin for one in selection(known, found, 9) if one.worst]
    assert margins == [0.3, 0.9, 0.2, 0.8, 0.7], "explained first; what is flaky last"
    assert [one.worst.margin for one in selection(known, found, 2) if one.worst] == [0.3, 0.2], (
        "spread over scenes"
    )
    assert selection(known, found, 0) == []
