"""Retraining frames of a camera+LiDAR run, as KITTI files with the labels of what was put in."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import yaml
from shapely import Polygon

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.registry import recipe_from_json
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.retraining_set import RetrainingSet
from snellen.repair.retraining.set_maker import finding_set, retraining_set_of
from snellen.repair.retraining.set_writer import write_retraining_set
from snellen.report.reopened_run import reopened
from snellen.scenes.registry import open_scenes
from snellen.store.journal import journal_of
from snellen.vision.solids.coordinate_frames import LidarPoints
from snellen.vision.solids.footprints import corners_of, footprints_of


@pytest.fixture(scope="module")
def run(shared: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run on a subject whose boxes shift; not to be written to."""
    folder = tmp_path_factory.mktemp("fusion")
    values = {
        "method": "fusion",
        "seed": 1,
        "subject": {"kind": "planted-3d", "fault": "shifts"},
        "scenes": {"kind": "kitti", "root": str(shared("kitti")), "limit": 2},
        "fusion": {"objects": 2, "tries": 3, "controls": 0.0},
        "engine": {"workers": 0, "cache": False},
        "out": "run",
    }
    run_campaign(campaign_from(values, folder / "snellen.yaml"))
    return folder / "run"


@pytest.fixture(scope="module")
def made(run: Path) -> RetrainingSet:
    return retraining_set_of(run, RetrainingOptions(failing=2, random=1, seed=3))


@pytest.fixture(scope="module")
def out(made: RetrainingSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set") / "out"
    write_retraining_set(made, folder, "kitti")
    return folder


def test_frames_read_back_in_both_halves(made: RetrainingSet, out: Path) -> None:
    back = open_scenes(yaml.safe_load((out / "scenes.yaml").read_text()), out)
    assert back.classes == made.scenes.classes
    for one, other in zip(back, made.scenes, strict=True):
        assert one.id == other.id
        assert one.annotations == other.annotations
        assert np.array_equal(one.pixels(), other.pixels())
        assert one.sweep is not None
        assert other.sweep is not None
        assert np.array_equal(one.sweep.points(), other.sweep.points())
        assert one.sweep.labels() == other.sweep.labels()
        assert one.sweep.calibration().text() == other.sweep.calibration().text()


def test_each_thing_has_a_label_line_of_its_class_and_place(made: RetrainingSet, out: Path) -> None:
    """Parsed by hand: KITTI gives height, width, length, and the bottom's centre in the camera."""
    for one in made.pictures:
        lines = (out / "training" / "label_2" / f"{one.scene.id}.txt").read_text().splitlines()
        assert one.source.sweep is not None
        before = one.source.sweep.labels()
        assert before is not None
        new = [line.split() for line in lines[len(before) :]]
        frames = one.source.sweep.calibration().frames()
        assert 0 < len(new) <= len(one.inserted)
        kinds = [vocabulary[0] for vocabulary in new]
        output = {thing.label for thing in one.inserted}
        assert set(kinds) <= output | {"DontCare"}
        for vocabulary in new:
            if vocabulary[0] == "DontCare":
                continue
            place = np.array([float(word) for word in vocabulary[11:14]])
            sizes = [float(word) for word in vocabulary[8:11]]
            near = []
            for thing in one.inserted:
                x, y, z, length, width, height, _ = thing.box
                bottom = frames.lidar_to_camera(LidarPoints(np.array([[x, y, z - height / 2]])))[0]
                same = np.allclose(sizes, [height, width, length], atol=0.006)
                near.append(same and np.allclose(bottom, place, atol=0.02))
            assert sum(near) == 1, f"{vocabulary} is none of the things that were put in"


def test_things_stand_clear_of_each_other(made: RetrainingSet) -> None:
    for one in made.pictures:
        shapes = [Polygon(corners_of(footprints_of(thing.box))[0]) for thing in one.inserted]
        for place, shape in enumerate(shapes):
            assert all(shape.intersection(other).area == 0 for other in shapes[:place])


def test_failing_places_are_those_of_failing_cases(run: Path, out: Path) -> None:
    output = json.loads((out / "manifest.json").read_text())
    with closing(journal_of(run)) as journal:
        rows = journal.rows("SELECT id, status, recipe FROM cases WHERE role = 'test'")
    cases = {id: (status, json.loads(recipe)) for id, status, recipe in rows}
    assert output["pictures"]
    for picture in output["pictures"]:
        for one, placed in zip(picture["inserted"], picture["recipe"]["objects"], strict=True):
            status, recipe = cases[one["case"]]
            assert recipe["objects"][-1] == placed
            assert status == "failing" or one["why"] == "random"
        whys = [one["why"] for one in picture["inserted"]]
        assert 1 <= whys.count("failing") <= 2
        assert whys.count("random") <= 1


def test_unlabelled_things_leave_the_labels_as_they_were(run: Path, made: RetrainingSet) -> None:
    bare = retraining_set_of(
        run, RetrainingOptions(failing=2, random=1, seed=3, label_inserted=False)
    )
    for one, other in zip(bare.pictures, made.pictures, strict=True):
        assert one.recipe == other.recipe
        assert one.source.sweep is not None
        assert one.scene.sweep is not None
        before, after = one.source.sweep.labels(), one.scene.sweep.labels()
        assert before is not None
        assert after is not None
        assert len(after) == len(before)
        for old, new in zip(before, after, strict=True):
            assert new.type == "DontCare" or new.location == old.location, "hidden, or as it was"


def test_other_formats_have_no_place_for_points(made: RetrainingSet, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--format coco cannot hold point clouds.*kitti"):
        write_retraining_set(made, tmp_path / "out", "coco")
    assert not (tmp_path / "out").exists()


def test_failing_frames_can_be_had_just_as_they_were(run: Path) -> None:
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        found = finding_set(journal, opened, RetrainingOptions())
        one = found.pictures[0]
        recipe = recipe_from_json(dict(one.recipe))
        assert isinstance(recipe, Insert3D)
        frame = recipe.build_frame(one.source, opened.materials)
        assert one.scene.sweep is not None
        assert np.array_equal(frame.points, one.scene.sweep.points())
        assert frame.image is not None
        assert np.array_equal(frame.image, one.scene.pixels())
        assert len(one.inserted) == len(recipe.objects)
