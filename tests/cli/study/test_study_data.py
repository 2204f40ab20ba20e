"""`snellen study create`, `status`, `export` and `delete` from the command line."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from snellen.cli.study.group import app
from snellen.errors import UserError
from snellen.study.data.opened_study import open_study
from snellen.study.data.record_reader import read_record
from tests.study.made_study import SMALL, made_study, take_part


def run(*words: object) -> str:
    done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_create_says_what_the_study_takes_and_status_how_far_it_is(tmp_path: Path) -> None:
    config = tmp_path / "small.yaml"
    pay = {"amount": 1.5, "currency": "EUR"}
    config.write_text(yaml.safe_dump({**SMALL, "tasks": ["classify"], "samples": 8, "pay": pay}))
    said = run("create", config)
    assert "classify: 8 trials, 16 answers" in said
    assert "4 participants, about 2 minutes each, 6.00 EUR in all" in said
    folder = tmp_path / "small"
    assert f"snellen study serve {folder}" in said
    resolved = yaml.safe_load((folder / "study.yaml").read_text())
    assert (resolved["flash_ms"], resolved["base"]) == (200.0, str(tmp_path))
    found = json.loads(run("status", folder, "--json"))
    assert (found["answers"], found["expected"]) == ({"classify": 0}, {"classify": 16})
    with pytest.raises(UserError, match="already exists"):
        run("create", config)


def test_a_participant_is_exported_and_deleted_by_code(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    with closing(open_study(folder)) as study:
        code, seen = take_part(study)
        take_part(study)
    data = json.loads(run("export", folder, "--participant", code))
    assert [one["trial"] for one in data["answers"]] == [one.trial for one in seen]
    assert f"{len(seen)} answers" in run("delete", folder, code, "--yes")
    assert {one.participant for one in read_record(folder).answers} == {"p0002"}
    for words in (("export", folder, "--participant", code), ("delete", folder, code, "--yes")):
        with pytest.raises(UserError, match="no participant has this code"):
            run(*words)


def test_export_writes_a_folder_named_after_the_format(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    with closing(open_study(folder)) as study:
        take_part(study)
    said = run("export", folder, "--to", "tables")
    assert str(tmp_path / "s-tables" / "classes.csv") in said
    with pytest.raises(UserError, match="already exists"):
        run("export", folder, "--to", "tables")
    with pytest.raises(UserError, match="one of --to and --participant"):
        run("export", folder)
    with pytest.raises(UserError, match="not the folder of a study"):
        run("status", tmp_path)
