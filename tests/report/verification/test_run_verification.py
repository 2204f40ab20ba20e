"""A run folder is vouched for as far as it can be, and every kind of change is found."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.report.gate import gated
from snellen.report.report import write_report
from snellen.report.summary import write_summary
from snellen.report.verification.run_verification import verify_run
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.registry import open_scenes
from snellen.store.journal import Journal, journal_of
from tests.frozen_runs import recorded_run

SYNTHETIC = {"kind": "synthetic", "count": 4, "seed": 5, "size": [144, 192], "sides": [20, 36]}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reported run that fails, with its scenes in files beside it."""
    place = tmp_path_factory.mktemp("original")
    write_coco(open_scenes(SYNTHETIC, place), place / "scenes")
    values = {
        "method": "insertion",
        "subject": {"kind": "planted", "fault": "loses", "distance": 5},
        "scenes": {
            "kind": "coco",
            "annotations": "scenes/instances.json",
            "images": "scenes/images",
        },
        "objects": {"kind": "synthetic", "count": 6, "shade": "deep", "seed": 2},
        "insertion": {"per_object": 2, "relocate": False, "footing": "anywhere"},
        "engine": {"workers": 0},
        "out": "run",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(place / "cache"))
        run_campaign(campaign_from(values, place / "snellen.yaml"))
        write_report(place / "run")
    return place


@pytest.fixture
def run(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that may be changed."""
    place = tmp_path / "copy"
    shutil.copytree(original, place)
    monkeypatch.setenv("SNELLEN_CACHE", str(place / "cache"))
    config = place / "run" / "config.yaml"
    values = yaml.safe_load(config.read_text())
    config.write_text(yaml.safe_dump({**values, "base": str(place)}))
    return place / "run"


def test_an_untouched_run_is_sound(run: Path) -> None:
    found = verify_run(run)
    assert found.wrong == []
    assert any("finding folders agree" in line for line in found.holds)
    assert not any(line.startswith("0 finding folders") for line in found.holds)
    assert any("answers" in line for line in found.unknown)


def changed(run: Path, statement: str) -> None:
    with closing(sqlite3.connect(run / "journal.sqlite")) as db:
        db.execute(statement)
        db.commit()


def first_image(run: Path) -> Path:
    return min((run.parent / "scenes" / "images").iterdir())


def edited_recipe(run: Path) -> None:
    file = min(run.glob("findings/*/recipe.json"))
    facts = json.loads(file.read_text())
    facts["recipe"]["x"] += 1
    file.write_text(json.dumps(facts))


def overwritten_page(run: Path) -> None:
    path = run / "journal.sqlite"
    data = path.read_bytes()
    place = len(data) // 2 // 4096 * 4096
    path.write_bytes(data[:place] + b"\xff" * 4096 + data[place + 4096 :])


def edited_summary(run: Path) -> None:
    values = json.loads((run / "summary.json").read_text())
    (run / "summary.json").write_text(json.dumps({**values, "failing_cases": 0}))


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a status": (
        lambda run: changed(run, "UPDATE cases SET status = 'holds' WHERE unit = 1"),
        "are not the ones that were written",
    ),
    "a score of an event": (
        lambda run: changed(run, "UPDATE events SET margin = 0.01 WHERE number = 0"),
        "are not the ones that were written",
    ),
    "a prediction": (
        lambda run: changed(run, "UPDATE predictions SET value = replace(value, '0.9', '0.8')"),
        "are not the ones that were written",
    ),
    "a unit without a checksum": (
        lambda run: changed(run, "DELETE FROM checksums WHERE unit = 0"),
        "are not the ones that were written",
    ),
    "a replaced image": (
        lambda run: shutil.copy(max(first_image(run).parent.iterdir()), first_image(run)),
        "the scenes have changed",
    ),
    "the configuration": (
        lambda run: (run / "config.yaml").write_text(
            (run / "config.yaml").read_text().replace("seed: 1", "seed: 2", 1)
        ),
        "config.yaml is not the one of the run",
    ),
    "a fact": (
        lambda run: changed(run, "UPDATE run SET value = '9' WHERE key = 'scenes'"),
        "the facts of the run, or its manifest, are not the ones",
    ),
    "a fact that is no JSON": (
        lambda run: changed(run, "UPDATE run SET value = '{' WHERE key = 'subject'"),
        "the facts of the run, or its manifest, are not the ones",
    ),
    "the manifest": (
        lambda run: changed(run, "UPDATE manifest SET digest = '0' WHERE number = 1"),
        "the facts of the run, or its manifest, are not the ones",
    ),
    "a page of the journal": (overwritten_page, "damaged"),
    "text that is not UTF-8": (
        lambda run: changed(run, "UPDATE cases SET recipe = CAST(x'ff' AS TEXT) WHERE unit = 2"),
        "damaged",
    ),
    "the objects": (
        lambda run: (run / "config.yaml").write_text(
            (run / "config.yaml").read_text().replace("count: 6", "count: 5", 1)
        ),
        "the objects differ",
    ),
    "a recipe": (edited_recipe, "finding folders that do not agree"),
    "the summary": (edited_summary, "does not say what the journal says"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_found(run: Path, name: str) -> None:
    change, expected = CHANGES[name]
    change(run)
    assert any(expected in line for line in verify_run(run).wrong), verify_run(run)


def test_a_gate_does_not_make_it_wrong(run: Path) -> None:
    """It rewrites the summary without the scenes at hand, so with shorter sentences."""
    gated(run, 0.9)
    assert verify_run(run).wrong == []


def test_an_unfinished_run_is_sound_but_not_complete(run: Path) -> None:
    with closing(Journal(run / "journal.sqlite")) as journal:
        journal.forget([1])
        journal.put({"finished": None})
    write_summary(run)
    found = verify_run(run)
    assert not any("journal's structure" in line for line in found.wrong)
    assert "the rest of the run: 3 of 4 units have ended" in found.unknown


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :]


@pytest.mark.parametrize("step", [9973, pytest.param(211, marks=pytest.mark.thorough)])
def test_a_flipped_bit_is_found_or_changes_no_row(run: Path, step: int) -> None:
    path = run / "journal.sqlite"
    whole = path.read_bytes()
    with closing(journal_of(run)) as journal:
        rows = journal.digest()
    overlooked, found = [], 0
    for place in range(0, len(whole), step):
        path.write_bytes(flipped(whole, place))
        try:
            sound = verify_run(run).sound
        except UserError:
            sound = False
        found += not sound
        if sound:
            with closing(journal_of(run)) as journal:
                overlooked += [place] if journal.digest() != rows else []
    assert overlooked == []
    assert found


def test_what_a_killed_report_was_writing_is_no_finding(run: Path) -> None:
    one = min(run.glob("findings/*/recipe.json")).parent
    draft = one.with_name(f".{one.name}.0123456789ab")
    draft.mkdir()
    shutil.copy(one / "recipe.json", draft)
    assert verify_run(run).wrong == []


def test_missing_scenes_are_said_to_be_unknown(run: Path) -> None:
    shutil.rmtree(run.parent / "scenes")
    found = verify_run(run)
    assert any(line.startswith("whether the scenes are still the same") for line in found.unknown)
    assert not any("scenes" in line for line in found.wrong)


def test_a_run_of_an_earlier_version_is_said_to_have_no_checksums(tmp_path: Path) -> None:
    found = verify_run(recorded_run("first", tmp_path, tmp_path))
    assert any("without checksums" in line for line in found.unknown)
    assert any("no manifest" in line for line in found.unknown)


def test_the_command_exits_with_1_if_something_is_wrong(run: Path) -> None:
    assert CliRunner().invoke(app, ["verify", str(run)]).exit_code == 0
    edited_summary(run)
    result = CliRunner().invoke(app, ["verify", str(run), "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["sound"] is False


def test_reading_changes_nothing_and_works_on_read_only_media(run: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    for path in [run, *run.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        verify_run(run)
    finally:
        for path in [run, *run.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
