"""`snellen repair` of a real network, YOLOv4-tiny from its Darknet files, on a few photographs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.errors import SnellenError
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.starter.fetch import fetch
from snellen.subjects.registry import open_subject
from snellen.vision.detections import Detections
from tests.repair.toy_repair import coco

torch.set_num_threads(1)

pytestmark = pytest.mark.slow

READ = ("cfg", "weights", "names", "size", "nms", "letterbox", "max_detections")
"""What `kind: darknet` reads of the part `subject:` of a tuned torch subject."""


@pytest.fixture(scope="module")
def network() -> Path:
    try:
        return fetch(["yolov4-tiny"])["yolov4-tiny"]
    except SnellenError as error:
        pytest.skip(f"YOLOv4-tiny cannot be fetched: {error}")


@pytest.fixture(scope="module")
def photographs(shared: Callable[[str], Path]) -> dict[str, SceneSet]:
    """A few photographs for each use, and others that objects are cut out of."""
    val = open_scenes(coco(shared("coco_val64")), Path())
    values = {"kind": "coco", "annotations": "instances_train2017.json", "images": "images"}
    train = open_scenes(values, shared("coco_train128"))
    return {
        "train": _some(train, 40, 42), "repair": _some(val, 0, 5), "evaluate": _some(val, 6, 9),
        "repair-objects": _some(train, 0, 4), "evaluate-objects": _some(train, 4, 8),
    }  # fmt: skip


def _some(scenes: SceneSet, first: int, last: int) -> SceneSet:
    return replace(scenes, scenes=tuple(scenes)[first:last])


@pytest.fixture(scope="module")
def folder(
    network: Path, photographs: dict[str, SceneSet], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A repair folder after `--iterate`, in a small network's input of 160 pixels."""
    place = tmp_path_factory.mktemp("darknet")
    for name, scenes in photographs.items():
        write_coco(scenes, place / name)
    (place / "repair.yml").write_text(yaml.safe_dump(_values(place, network)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(place / "cache"))
        _repaired(place, "rounds", "--iterate", "2")
    return place


def _repaired(place: Path, kept: str, *words: str) -> None:
    """The outcome of `snellen repair`, kept under a name."""
    command = ["repair", str(place / "repair.yml"), *words]
    reported = CliRunner().invoke(app, command, catch_exceptions=False)
    assert reported.exit_code == 0, reported.output
    assert "Next: " in reported.output
    (place / f"{kept}.json").write_text((place / "out" / "outcome.json").read_text())


def _values(place: Path, network: Path) -> dict[str, Any]:
    files = {"cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights", "names": "coco.names"}
    objects = {use: {**coco(place / f"{use}-objects"), "prune": "none"}
               for use in ("repair", "evaluate")}  # fmt: skip
    return {
        "subject": {"kind": "torch", "size": 160, "threads": 1, "score": 0.3,
                    **{key: str(network / name) for key, name in files.items()}},
        "scenes": {use: coco(place / use) for use in ("train", "repair", "evaluate")},
        "objects": objects,
        # Objects may hide half of what they are put to, so that some tests fail.
        "robustness": {"score": 0.3, "per_scene": 1, "tests_per_level": 5, "levels": [0.0],
                       "cover": 0.6, "size_ratio": [0.9, 1.0], "contour": "box",
                       "uncertainty": "none", "controls": 0.0, "as_published": True},
        "grid": [[1, 0]],
        "iterate": {"patience": 2},
        "retraining": {"failing": 1},
        "training": {"epochs": 1, "steps": 2, "batch": 2, "rate": 1e-3, "freeze": "backbone",
                     "workers": 0, "device": "cpu"},
        "validation": 0.0,
        "fresh": False,
        "engine": {"workers": 0},
        "out": "out",
    }  # fmt: skip


def reported(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
    return found


@pytest.mark.thorough
def test_the_grid_trains_the_network_and_reports_each_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(folder / "cache"))
    _repaired(folder, "grid", "--grid", "--resume")
    found = reported(folder, "grid")
    assert found["test"]["failing"] > 0
    [row] = found["ways"]
    assert (row["name"], row["f"], row["r"]) == ("1f+0r", 1, 0)
    assert row["training"]["steps"] == 2
    assert row["training"]["pictures"] > 0
    assert row["fingerprint"] != found["subject"]["fingerprint"]


def test_each_round_starts_from_the_weights_of_the_round_before(folder: Path) -> None:
    found = reported(folder, "rounds")
    rounds = found["iterated"]["rounds"]
    assert [one["round"] for one in rounds] == [1, 2]
    second = yaml.safe_load((folder / "out/rounds/2/test/config.yaml").read_text())
    assert "rounds/1/training/failing" in second["subject"]["weights"]
    prints = {one["fingerprint"] for one in found["ways"] if one["name"].startswith("round")}
    assert len(prints | {found["subject"]["fingerprint"]}) == 3


def test_tuned_weights_answer_alike_as_torch_darknet_and_onnx(
    folder: Path, photographs: dict[str, SceneSet], network: Path
) -> None:
    images = [scene.pixels() for scene in photographs["evaluate"]]
    row = reported(folder, "rounds")["ways"][-1]
    place = (folder / "out" / row["subject"]).parent
    values = yaml.safe_load((folder / "out" / row["subject"]).read_text())["subject"]
    expected = answers(values, place, images)
    assert sum(len(one) for one in expected) > 10
    given = _values(folder, network)["subject"]
    assert answers(given, place, images) != expected, "nothing was learnt"
    read = {key: values[key] for key in READ}
    written = {key: values[key] for key in ("nms", "letterbox", "max_detections")}
    [model] = place.glob("*.onnx")
    others = (
        {"kind": "darknet", **read},
        {"kind": "onnx", "model": model.name, "decoder": "yolov5", "per_class": True, **written},
    )
    for other in others:
        for found, known in zip(answers(other, place, images), expected, strict=True):
            assert_same(found, known)


def answers(values: dict[str, Any], place: Path, images: Sequence[Any]) -> list[Detections]:
    with closing(open_subject({"floor": 0.05, **values}, place)) as subject:
        return list(subject.predict(images))  # type: ignore[arg-type]


def assert_same(found: Detections, known: Detections) -> None:
    """The same objects, to 1e-4 in score and 0.01 pixels in place."""
    assert found.labels.tolist() == known.labels.tolist()
    np.testing.assert_allclose(found.scores, known.scores, atol=1e-4, rtol=0)
    np.testing.assert_allclose(found.boxes, known.boxes, atol=0.01, rtol=0)
