"""Subjects, scenes and average precision in MAITE's own workflow."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import snellen as sn
from snellen.errors import UserError
from snellen.session.maite.box_target import BoxTarget
from snellen.session.maite.maite_dataset import MaiteScenes
from snellen.session.maite.maite_detector import MaiteDetector, pixels_of
from snellen.session.maite.maite_precision import MaitePrecision
from snellen.vision.detections import Detections

maite = pytest.importorskip("maite", reason="the extra maite is not installed")
from maite.protocols import object_detection as od  # noqa: E402
from maite.tasks import evaluate  # noqa: E402

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
GROUP = "maite.protocols.object_detection."
SCENES = sn.open_scenes("synthetic", count=6, seed=3)
PLANTED = {"kind": "planted", "fault": "shifts", "victims": "any", "rate": 0.5, "shift": 0.3}


def coco_ap(subject: sn.Subject) -> float:
    """AP by pycocotools."""
    truth: dict[str, Any] = {"images": [], "annotations": [], "categories": []}
    truth["categories"] = [{"id": id + 1, "name": name} for id, name in enumerate(SCENES.classes)]
    found = []
    for number, scene in enumerate(SCENES):
        truth["images"].append({"id": number})
        assert scene.annotations is not None
        for box, label in zip(scene.annotations.boxes, scene.annotations.labels, strict=True):
            x1, y1, x2, y2 = map(float, box)
            truth["annotations"].append(
                {
                    "id": len(truth["annotations"]) + 1, "image_id": number,
                    "category_id": int(label) + 1, "bbox": [x1, y1, x2 - x1, y2 - y1],
                    "area": (x2 - x1) * (y2 - y1), "iscrowd": 0,
                }
            )  # fmt: skip
        [answer] = subject.predict([scene.pixels()])
        assert isinstance(answer, Detections)
        rows = zip(answer.boxes, answer.labels, answer.scores, strict=True)
        found += [
            [number, x1, y1, x2 - x1, y2 - y1, score, label + 1]
            for (x1, y1, x2, y2), label, score in rows
        ]
    known = COCO()
    known.dataset = truth
    known.createIndex()
    result = COCOeval(known, known.loadRes(np.array(found, dtype=np.float64)), "bbox")
    result.evaluate()
    result.accumulate()
    result.summarize()
    return float(result.stats[0])


def test_maite_evaluates_our_subject_on_our_scenes_by_our_metric() -> None:
    """The number is that of pycocotools."""
    subject = sn.open_subject(PLANTED)
    data = MaiteScenes(SCENES)
    names = data.metadata["index2label"]
    values, answers, _ = evaluate(
        model=MaiteDetector(subject, names),
        dataset=data,
        metric=MaitePrecision(names),
        batch_size=4,
        return_preds=True,
    )
    assert values["AP"] == pytest.approx(coco_ap(subject), abs=1e-9)
    assert 0 < values["AP"] < 1
    assert set(values["AP_by_class"]) <= set(SCENES.classes)
    assert sum(map(len, answers)) == len(SCENES)


def test_ids_are_those_of_the_data_set_and_foreign_classes_are_left_out() -> None:
    subject = sn.open_subject(kind="planted")
    planes = SCENES[0].pixels().transpose(2, 0, 1)
    [own] = MaiteDetector(subject)([planes])
    mixed = {7: "Lemon", 3: "tomato", 4: "lime", 1: "ice", 9: "plum"}
    [other] = MaiteDetector(subject, mixed)([planes])
    expected = {name: id for id, name in mixed.items()} | {"lemon": 7}
    names = [subject.classes[label] for label in own.labels]
    assert other.labels.tolist() == [expected[name] for name in names if name != "rose"]
    with pytest.raises(UserError, match="has no class name of the subject, tomato"):
        MaiteDetector(subject, {0: "car"})


def test_images_are_bytes_or_floats_and_anything_else_is_refused() -> None:
    model = MaiteDetector({"kind": "planted"})
    planes = SCENES[1].pixels().transpose(2, 0, 1)
    [one], [other] = model([planes]), model([planes / np.float32(255)])
    assert np.array_equal(one.boxes, other.boxes)
    every = np.arange(3 * 256, dtype=np.uint32).reshape(3, 16, 16).astype(np.uint8)
    for given in (every, every / 255, (every / 255).astype(np.float32)):
        assert np.array_equal(pixels_of(given), every.transpose(1, 2, 0))
    with pytest.raises(UserError, match="floats from 0 to 255, expected 0 to 1"):
        model([np.linspace(0, 255, 3 * 64 * 64).reshape(3, 64, 64)])
    with pytest.raises(UserError, match=r"expected MAITE's \(3, height, width\)"):
        model([SCENES[1].pixels()])


def test_a_round_trip_tests_the_same_subject(tmp_path: Path) -> None:
    model, data = MaiteDetector({"kind": "planted"}), MaiteScenes(SCENES)
    run = sn.test(model, data, "identity", workers=0, out=tmp_path / "run")
    assert (run.summary.cases, run.summary.failing_cases) == (len(SCENES), 0)


def test_the_metric_takes_scores_of_all_classes_and_forgets_on_reset() -> None:
    box = np.array([[0, 0, 10, 10]])
    known = BoxTarget(box, np.array([1]), np.ones(1))
    metric = MaitePrecision()
    metric.update([BoxTarget(box, np.array([1]), np.array([[0.1, 0.8]]))], [known], [{}])
    assert metric.compute()["AP"] == pytest.approx(1)
    metric.update([BoxTarget(np.zeros((0, 4)), np.zeros(0), np.zeros((0, 2)))], [known], [{}])
    assert metric.compute()["AP"] == pytest.approx(0.5, abs=0.01)
    metric.reset()
    metric.update([BoxTarget(box, np.array([1]), np.array([0.8]))], [known], [{}])
    assert metric.compute()["AP"] == pytest.approx(1)


@pytest.mark.parametrize("protocol", ["Model", "Metric", "Dataset"])
def test_entry_points_name_implementers_of_the_protocol(protocol: str) -> None:
    [place] = PROJECT["project"]["entry-points"][f"{GROUP}{protocol}"].values()
    module, _, name = place.partition(":")
    made = {
        "Model": lambda kind: kind({"kind": "planted"}),
        "Metric": lambda kind: kind(),
        "Dataset": lambda kind: kind(SCENES),
    }[protocol](getattr(import_module(module), name))
    assert isinstance(made, getattr(od, protocol))


def test_what_has_no_boxes_or_no_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="predicts labels, expected boxes"):
        MaiteDetector({"kind": "planted", "task": "labels"})
    (tmp_path / "photos").mkdir()
    from PIL import Image

    Image.new("RGB", (20, 20)).save(tmp_path / "photos" / "a.png")
    with pytest.raises(UserError, match=r"'a\.png' has no annotations"):
        MaiteScenes(tmp_path / "photos")
