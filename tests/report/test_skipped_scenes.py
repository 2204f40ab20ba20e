"""A run that leaves invalid scenes out can be reported on and replayed without being told again."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

import snellen as sn
from snellen.errors import UserError
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.store.journal import journal_of


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run on a COCO set with an invalid annotation, which also gives the objects."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    scenes = synthetic_scenes(SyntheticOptions(count=3, size=(96, 128), sides=(18, 30)))
    write_coco(scenes, tmp_path / "set")
    [file] = (tmp_path / "set").glob("*.json")
    values = json.loads(file.read_text(encoding="utf-8"))
    values["annotations"][0]["bbox"][2] = -3
    file.write_text(json.dumps(values), encoding="utf-8")
    scenes_of_file = {"kind": "coco", "annotations": f"set/{file.name}", "images": "set/images"}
    configuration = {
        "method": "insertion",
        "insertion": {"per_object": 2},
        "subject": {"kind": "planted"},
        "scenes": scenes_of_file,
        "objects": {**scenes_of_file, "prune": "none"},
        "engine": {"workers": 0, "cache": False},
        "out": "run",
        "base": str(tmp_path),
    }
    with pytest.raises(UserError, match="skip"):
        sn.run({**configuration, "out": "refused"})
    sn.run({**configuration, "skip_invalid": True})
    return tmp_path / "run"


def test_the_report_and_a_replay_leave_out_what_the_run_left_out(run: Path) -> None:
    shutil.rmtree(run.parent / "cache")  # objects are cut again, from what is valid
    summary = write_report(run)
    assert summary.skipped == 1
    with closing(journal_of(run)) as journal:
        [(id,)] = journal.rows("SELECT id FROM cases LIMIT 1")
    assert replay(run, id).recorded.id == id
