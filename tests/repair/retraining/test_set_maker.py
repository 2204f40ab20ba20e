"""From a run to a retraining set: which scenes are taken, whose labels, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.repair.picture_sets import write_set
from snellen.repair.repair_arms import Arm
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.set_maker import finding_set, retraining_set, retraining_set_of
from snellen.repair.retraining.set_writer import write_retraining_set
from snellen.report.reopened_run import reopened
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene, SceneSet
from snellen.store.journal import Journal, journal_of
from snellen.store.run_folder import JOURNAL
from tests.repair.retraining.conftest import Make


def test_more_pictures_of_a_scene_are_at_other_places(make: Make) -> None:
    made = make(failing=2, pictures=3)
    cases = [one.case for picture in made.pictures for one in picture.inserted]
    assert len(cases) == len(set(cases))
    assert len(made.pictures) > len({one.source.id for one in made.pictures})
    ids = [one.scene.id for one in made.pictures]
    assert len(ids) == len(set(ids))


def test_scenes_that_never_failed_are_taken_on_demand(
    make: Make, run: Path, scenes: dict[str, Scene]
) -> None:
    with closing(Journal(run / JOURNAL)) as journal:
        first = journal.rows("SELECT min(number) FROM units")[0][0]
        with journal._transaction():
            journal._db.execute(
                "UPDATE cases SET status = 'holds' WHERE unit = ? AND status = 'failing'", (first,)
            )
    failed = {one.source.id for one in make(failing=1).pictures}
    everywhere = {one.source.id for one in make(failing=0, random=2, among="tested").pictures}
    assert len(failed) == len(everywhere) - 1
    assert everywhere == set(scenes)


def unannotated(run: Path, out: Path) -> None:
    """Turn the run's scenes into pictures of which nothing is known."""
    from snellen.scenes.writers import write_scenes

    config = yaml.safe_load((run / "config.yaml").read_text())
    scenes = open_scenes(config["scenes"], run)
    write_scenes(scenes, "folder", out)
    config["scenes"] = {"kind": "folder", "path": str(out)}
    (run / "config.yaml").write_text(yaml.safe_dump(config))
    with closing(Journal(run / JOURNAL)) as journal, journal._transaction():
        journal._db.execute("UPDATE units SET scene = scene || '.png'")


def test_scenes_without_annotations_need_a_word_and_then_have_the_subjects_labels(
    run: Path, tmp_path: Path
) -> None:
    unannotated(run, tmp_path / "bare")
    with pytest.raises(UserError, match=r"'synthetic-0000\d.png' has no annotations.*--pseudo"):
        retraining_set_of(run, RetrainingOptions())
    made = retraining_set_of(run, RetrainingOptions(pseudo_labels=True))
    with closing(journal_of(run)) as journal:
        classes = tuple(journal.get("subject")["classes"])
    assert made.scenes.classes == classes, "a YOLO set's class numbers are those of the model"
    write_retraining_set(made, tmp_path / "out", "coco")
    output = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert {one["labels"] for one in output["pictures"]} == {"subject"}
    assert "the subject's own detections" in (tmp_path / "out" / "README.md").read_text()
    for one in made.pictures:
        assert one.scene.annotations is not None
        assert len(one.scene.annotations) > len(one.inserted)


def test_every_failing_case_can_be_had_just_as_it_was(
    run: Path, tmp_path: Path, failing: dict[str, dict[str, Any]]
) -> None:
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        made = finding_set(journal, opened, RetrainingOptions())
        write_retraining_set(made, tmp_path / "out", "coco")
        assert [one.inserted[0].case for one in made.pictures] == list(failing)
        for one in made.pictures[:5]:
            recipe = recipe_from_json(failing[one.inserted[0].case])
            built = recipe.build(one.source, opened.materials)
            assert np.array_equal(built, one.scene.pixels())
    assert "as it was tested" in (tmp_path / "out" / "README.md").read_text()


def test_a_run_that_inserted_nothing_is_refused(tmp_path: Path) -> None:
    from snellen.engine.campaign import campaign_from
    from snellen.engine.run import run_campaign

    values = {
        "method": "identity",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "synthetic", "count": 1},
        "engine": {"workers": 0, "cache": False},
        "out": "run",
    }
    run_campaign(campaign_from(values, tmp_path / "snellen.yaml"))
    with pytest.raises(UserError, match="method identity inserts no objects"):
        retraining_set_of(tmp_path / "run", RetrainingOptions())


def test_a_run_without_a_failure_is_refused(run: Path) -> None:
    with closing(Journal(run / JOURNAL)) as journal, journal._transaction():
        journal._db.execute("UPDATE cases SET status = 'holds'")
    with pytest.raises(UserError, match=r"none of the \d+ insertions failed .*--among tested"):
        retraining_set_of(run, RetrainingOptions())


def test_in_a_repair_advice_names_keys_of_its_configuration(run: Path, tmp_path: Path) -> None:
    way = Arm("failing", "", RetrainingOptions())
    unannotated(run, tmp_path / "bare")
    with pytest.raises(UserError) as unlabelled:
        write_set(run, way, tmp_path / "out")
    with closing(Journal(run / JOURNAL)) as journal, journal._transaction():
        journal._db.execute("UPDATE cases SET status = 'holds'")
    with pytest.raises(UserError) as none_failed:
        write_set(run, way, tmp_path / "out")
    for output, key in ((none_failed, "retraining.failing: 0"), (unlabelled, "retraining.pseudo")):
        assert key in str(output.value)
        assert "--" not in str(output.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"failing": 3, "random": 3}, "give 6 insertions"),
        ({"failing": 0, "random": 0}, "give 0 insertions"),
        ({"failing": 1, "among": "tested"}, "needs failing 0"),
    ],
)
def test_impossible_options_are_refused(values: dict[str, Any], message: str) -> None:
    from snellen.configuration import parse

    with pytest.raises(UserError, match=message):
        parse(RetrainingOptions, values, "export")


def test_real_photographs_keep_their_annotations(
    shared: Callable[[str], Path], run: Path, tmp_path: Path
) -> None:
    """A journal is made by hand around real scenes: polygons, crowds and areas must come back."""
    root = shared("coco_val64")
    config = yaml.safe_load((run / "config.yaml").read_text())
    config["scenes"] = {
        "kind": "coco",
        "annotations": str(root / "instances.json"),
        "images": str(root / "images"),
        "limit": 5,
    }
    (run / "config.yaml").write_text(yaml.safe_dump(config))
    scenes = open_scenes(config["scenes"], run)
    with closing(Journal(run / JOURNAL)) as journal:
        with journal._transaction():
            for (number,), scene in zip(
                journal.rows("SELECT number FROM units ORDER BY number"), scenes, strict=True
            ):
                journal._db.execute(
                    "UPDATE units SET scene = ? WHERE number = ?", (scene.id, number)
                )
        with reopened(run, journal) as opened:
            options = RetrainingOptions(failing=0, random=3)
            made = retraining_set(journal, opened, options)
    assert "tomato" in made.scenes.classes, "a class that COCO does not have comes last"
    write_retraining_set(made, tmp_path / "out", "coco")
    for one, other in zip(_read_back(tmp_path / "out"), made.pictures, strict=True):
        assert one.annotations == other.scene.annotations
        assert one.annotations is not None
        assert one.annotations[: -len(other.inserted)] == other.source.annotations


def _read_back(out: Path) -> SceneSet:
    return open_scenes(yaml.safe_load((out / "scenes.yaml").read_text()), out)
