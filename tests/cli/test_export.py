"""`snellen export` as a user has it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Snellen
from tests.repair.retraining.conftest import CAMPAIGN, finished

__all__ = ["finished"]


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """The folder `run` of a finished run of insertion, with the cache that its objects are in."""
    shutil.copytree(finished / "cache", tmp_path / "cache", dirs_exist_ok=True)
    return Path(shutil.copytree(finished / "run", tmp_path / "run"))


@pytest.fixture
def held(tmp_path: Path) -> Callable[..., Path]:
    """A file of scenes that are held out."""

    def write(**scenes: object) -> Path:
        path = tmp_path / "held.yaml"
        path.write_text(yaml.safe_dump({"scenes": {**CAMPAIGN["scenes"], **scenes}}))
        return path

    return write


@pytest.mark.usefixtures("run")
def test_a_retraining_set_is_written_and_summarised(snellen: Snellen, tmp_path: Path) -> None:
    done = snellen("export", "run", "--retrain", "--out", "set", "--failing", 2, "--random", 1)
    assert done.returncode == 0, done.stderr
    output = json.loads((tmp_path / "set" / "manifest.json").read_text())
    inserted = sum(len(one["inserted"]) for one in output["pictures"])
    assert (
        f"{len(output['pictures'])} pictures of 5 scenes with {inserted} insertions" in done.stdout
    )
    assert output["format"] == "coco"
    assert output["options"]["failing"] == 2
    again = snellen("export", "run", "--retrain", "--out", "set")
    assert again.returncode == 2
    assert "already exists" in again.stderr


@pytest.mark.usefixtures("run")
def test_each_failing_case_is_written_without_retrain(snellen: Snellen, tmp_path: Path) -> None:
    done = snellen("export", "run", "--out", "set", "--format", "yolo", "--as-published")
    assert done.returncode == 0, done.stderr
    output = json.loads((tmp_path / "set" / "manifest.json").read_text())
    assert all(len(one["inserted"]) == 1 for one in output["pictures"])
    assert not any(one["inserted"][0]["labelled"] for one in output["pictures"])


@pytest.mark.usefixtures("run")
def test_a_leak_ends_with_2_and_leaves_nothing(
    snellen: Snellen, tmp_path: Path, held: Callable[..., Path]
) -> None:
    same = snellen("export", "run", "--retrain", "--out", "set", "--against", held(count=2))
    assert same.returncode == 2
    assert "'synthetic-00000' is in the run run and in" in same.stderr
    renamed = snellen(
        *("export", "run", "--retrain", "--out", "set", "--ids-may-repeat"),
        *("--against", held(count=2)),
    )
    assert renamed.returncode == 2
    assert "scene 'synthetic-00000' of the run run and scene 'synthetic-00000' of" in renamed.stderr
    assert not (tmp_path / "set").exists()


@pytest.mark.usefixtures("run")
def test_what_was_checked_is_in_the_manifest(
    snellen: Snellen, tmp_path: Path, held: Callable[..., Path]
) -> None:
    other = held(seed=77, count=3)
    done = snellen(
        *("export", "run", "--retrain", "--out", "set", "--ids-may-repeat", "--against", other)
    )
    assert done.returncode == 0, done.stderr
    output = json.loads((tmp_path / "set" / "manifest.json").read_text())
    assert output["checked_against"] == [{"name": "held.yaml", "scenes": 3, "objects": 0}]
    assert "held.yaml: 3 scenes" in (tmp_path / "set" / "README.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--failing", "4", "--random", "2"], "give 6 insertions per picture"),
        (["nowhere"], "is not a run folder"),
        (["run", "--against", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["run", "--failing", "0"], "give 0 insertions"),
    ],
)
@pytest.mark.usefixtures("run")
def test_mistakes_end_with_2_and_a_message(
    snellen: Snellen, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = snellen("export", *arguments, "--retrain", "--out", "set")
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "set").exists()


@pytest.mark.usefixtures("run")
def test_a_run_is_exported_as_tables(snellen: Snellen, tmp_path: Path) -> None:
    done = snellen("export", "run", "--to", "csv", "--out", "tables")
    assert done.returncode == 0
    assert "cases" in done.stdout + done.stderr
    names = sorted(one.name for one in (tmp_path / "tables").iterdir())
    assert names == ["cases.csv", "events.csv", "faults.csv", "findings.csv"]


@pytest.mark.usefixtures("run")
def test_failures_are_exported_as_voc_and_can_be_read_back(
    snellen: Snellen, tmp_path: Path
) -> None:
    from snellen.scenes.registry import open_scenes

    assert snellen("export", "run", "--to", "voc", "--out", "set").returncode == 0
    section = yaml.safe_load((tmp_path / "set/scenes.yaml").read_text())
    pictures = json.loads((tmp_path / "set/manifest.json").read_text())["pictures"]
    scenes = open_scenes(section, tmp_path / "set")
    assert len(scenes) == len(pictures) > 0
    assert all(scene.annotations is not None and len(scene.annotations) for scene in scenes)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--to", "csv", "--retrain"), "--retrain"),
        (("--to", "parquet", "--format", "coco"), "--format"),
        (("--to", "yolo", "--format", "coco"), "different formats"),
    ],
)
def test_contradictory_formats_are_refused(
    snellen: Snellen, tmp_path: Path, flags: tuple[str, ...], message: str
) -> None:
    done = snellen("export", "run", "--out", "x", *flags)
    assert done.returncode == 2
    assert message in done.stdout + done.stderr
    assert not (tmp_path / "x").exists()
