"""The folder of a retraining set: whole, the same every time, and what it says is what is in it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.repair.retraining import set_writer as exporting
from snellen.repair.retraining.datasheet import datasheet
from snellen.repair.retraining.set_writer import manifest, write_retraining_set
from snellen.report.reopened_run import reopened
from snellen.scenes.pictures import read_picture
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene, SceneSet
from snellen.store.journal import journal_of
from tests.repair.retraining.conftest import Make

FORMATS = ("coco", "yolo", "kitti", "voc")


def read_back(out: Path) -> SceneSet:
    return open_scenes(yaml.safe_load((out / "scenes.yaml").read_text()), out)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_coco_set_reads_back_identically(make: Make, tmp_path: Path) -> None:
    made = make(failing=2, random=1)
    write_retraining_set(made, tmp_path / "out", "coco")
    back = read_back(tmp_path / "out")
    assert back.classes == made.scenes.classes
    assert back.class_ids == made.scenes.class_ids
    for one, other in zip(back, made.scenes, strict=True):
        assert one.id == other.id
        assert one.annotations == other.annotations
        assert one.annotations is not None
        assert one.annotations.masks is not None
        assert np.array_equal(one.pixels(), other.pixels())


def test_a_yolo_set_reads_back_with_masks_and_pixels(make: Make, tmp_path: Path) -> None:
    made = make(failing=2, random=1)
    write_retraining_set(made, tmp_path / "out", "yolo")
    back = read_back(tmp_path / "out")
    assert back.classes == made.scenes.classes
    for one, other in zip(back, made.scenes, strict=True):
        assert one.id == f"images/train/{other.id}"
        assert one.annotations is not None
        assert other.annotations is not None
        assert np.array_equal(one.annotations.labels, other.annotations.labels)
        assert one.annotations.masks == other.annotations.masks
        assert np.allclose(one.annotations.boxes, other.annotations.boxes, atol=1e-3)
        assert np.array_equal(one.pixels(), other.pixels())


def test_a_kitti_set_of_images_reads_back(make: Make, tmp_path: Path) -> None:
    made = make()
    write_retraining_set(made, tmp_path / "out", "kitti")
    for one, other in zip(read_back(tmp_path / "out"), made.scenes, strict=True):
        assert one.annotations is not None
        assert other.annotations is not None
        assert np.array_equal(one.annotations.boxes, other.annotations.boxes)
        assert np.array_equal(one.annotations.labels, other.annotations.labels)
        assert np.array_equal(one.pixels(), other.pixels())


def test_pycocotools_loads_it(make: Make, tmp_path: Path) -> None:
    from pycocotools.coco import COCO

    made = make(failing=3)
    write_retraining_set(made, tmp_path / "out", "coco")
    coco = COCO(str(tmp_path / "out" / "instances.json"))
    assert len(coco.imgs) == len(made.pictures)
    for image, one in zip(coco.dataset["images"], made.pictures, strict=True):
        rows = coco.imgToAnns[image["id"]]
        assert one.source.annotations is not None
        assert len(rows) == len(one.source.annotations) + len(one.inserted)
        for row, output in zip(rows[-len(one.inserted) :], one.inserted, strict=True):
            assert coco.cats[row["category_id"]]["name"] == output.label
            mask = coco.annToMask(row)
            assert row["area"] == mask.sum()
            x, y, width, height = row["bbox"]
            assert output.box[0] <= x < x + width <= output.box[2]
            assert output.box[1] <= y < y + height <= output.box[3]


def test_yolo_lines_say_where_the_inserted_objects_are(make: Make, tmp_path: Path) -> None:
    """Parsed here by hand: class, then polygon corners as fractions of width and height."""
    made = make(failing=3)
    out = tmp_path / "out"
    write_retraining_set(made, out, "yolo")
    names = yaml.safe_load((out / "data.yaml").read_text())["names"]
    for one in made.pictures:
        stem = one.scene.id.removesuffix(".png")
        lines = (out / "labels" / "train" / f"{stem}.txt").read_text().splitlines()
        height, width = read_picture(out / "images" / "train" / one.scene.id).shape[:2]
        for line, output in zip(lines[-len(one.inserted) :], one.inserted, strict=True):
            vocabulary = line.split(" ")
            corners = np.array([float(word) for word in vocabulary[1:]]).reshape(-1, 2)
            assert corners.min() >= 0
            assert corners.max() <= 1
            xs, ys = corners[:, 0] * width, corners[:, 1] * height
            x1, y1, x2, y2 = output.box
            assert names[int(vocabulary[0])] == output.label
            assert x1 - 1e-3 <= xs.min() <= x1 + 3
            assert x2 - 3 <= xs.max() <= x2 + 1e-3
            assert y1 - 1e-3 <= ys.min() <= y1 + 3
            assert y2 - 3 <= ys.max() <= y2 + 1e-3


def test_the_manifest_names_which_case_each_picture_comes_from(
    make: Make,
    tmp_path: Path,
    run: Path,
    scenes: dict[str, Scene],
    failing: dict[str, dict[str, Any]],
) -> None:
    write_retraining_set(make(failing=2, random=2), tmp_path / "out", "coco")
    output = json.loads((tmp_path / "out" / "manifest.json").read_text())
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        materials = opened.materials
    for picture in output["pictures"]:
        recipe = recipe_from_json(picture["recipe"])
        scene = scenes[picture["scene"]]
        assert picture["scene_digest"] == scene.digest
        pixels = read_picture(tmp_path / "out" / "images" / picture["id"])
        assert np.array_equal(recipe.build(scene, materials), pixels)
        assert picture["labels"] == "annotations"
        for one, placed in zip(picture["inserted"], picture["recipe"]["placed"], strict=True):
            object, x, y, width, height = placed[:5]
            assert (one["object"], one["box"]) == (object, [x, y, x + width, y + height])
            case = failing[one["case"]]
            same = all(case[key] == value for key, value in zip("xy", (x, y), strict=True))
            assert case["object"] == object
            assert same == (one["why"] == "failing")
    assert {one["object"] for p in output["pictures"] for one in p["inserted"]} == set(
        output["objects"]
    )


def test_the_datasheet_shows_names_as_text(make: Make, tmp_path: Path) -> None:
    found = make(failing=1)
    evil = "<img src=x onerror=alert(1)> | [a](http://x) `b`\n# c"
    subject = {**found.run["subject"], "name": evil}
    made = replace(found, run={**found.run, "subject": subject})
    write_retraining_set(made, tmp_path / "out", "coco")
    text = (tmp_path / "out" / "README.md").read_text()
    assert "subject &lt;img src=x onerror=alert(1)&gt; \\| \\[a\\](http\\://x) \\`b\\` # c," in text
    sheet = datasheet(found, manifest(made, "coco", (), ()), {"images": "a\n```\n<b>"})
    assert "\n<b>" not in sheet


def test_as_published_the_inserted_objects_have_no_label(make: Make, tmp_path: Path) -> None:
    labelled, published = make(failing=2), make(failing=2, label_inserted=False)
    for one, other in zip(labelled.pictures, published.pictures, strict=True):
        assert one.recipe == other.recipe
        assert other.scene.annotations == other.source.annotations
        assert one.scene.annotations is not None
        assert other.scene.annotations is not None
        assert len(one.scene.annotations) == len(other.scene.annotations) + len(one.inserted)
    write_retraining_set(published, tmp_path / "out", "coco")
    output = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert not any(one["labelled"] for p in output["pictures"] for one in p["inserted"])
    assert "**not labelled**" in (tmp_path / "out" / "README.md").read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_set_gives_the_same_bytes(make: Make, tmp_path: Path, format: str) -> None:
    for name in ("one", "two"):
        write_retraining_set(make(failing=2, random=1, pictures=2), tmp_path / name, format)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    write_retraining_set(make(failing=2, random=1, pictures=2, seed=2), tmp_path / "three", format)
    assert contents(tmp_path / "one") != contents(tmp_path / "three")


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_stopped_half_way_nothing_is_left(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def full(*_: object) -> str:
        raise error("no space")

    made = make()
    monkeypatch.setattr(exporting, "datasheet", full)
    (tmp_path / "here").mkdir()
    with pytest.raises((KeyboardInterrupt, UserError)):
        write_retraining_set(made, tmp_path / "here" / "out", "coco")
    assert list((tmp_path / "here").iterdir()) == []
