"""Networks of other tasks are refused by the right name, and detectors are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.subjects.registry import open_subject
from snellen.vision.arrays import AnyArray
from tests.subjects.decoders import encodings
from tests.subjects.decoders.encodings import Known
from tests.subjects.model_file.model_graphs import constant_model

SIZE = (320, 320)
CELLS = 2100
KNOWN = Known(np.array([[20.0, 30, 130, 120]]), np.array([0]), np.array([0.9]), SIZE, classes=1)


def pose() -> AnyArray:
    """YOLOv8-pose: box, one score, 17 keypoints (x, y, visibility)."""
    rng = np.random.default_rng(1)
    points = rng.uniform(0, 320, (17, 3, CELLS))
    points[:, 2] = rng.uniform(0, 1, (17, CELLS))
    scores = rng.uniform(0, 0.1, (1, CELLS))
    boxes = rng.uniform(0, 320, (4, CELLS))
    return np.concatenate([boxes, scores, points.reshape(51, CELLS)])[None].astype(np.float32)


def oriented(classes: int = 15) -> AnyArray:
    """YOLOv8-OBB: box, class scores, angle from -pi/4 to 3 pi/4."""
    rng = np.random.default_rng(1)
    boxes, scores = rng.uniform(0, 320, (4, CELLS)), rng.uniform(0, 0.1, (classes, CELLS))
    angle = rng.uniform(-np.pi / 4, 3 * np.pi / 4, (1, CELLS))
    return np.concatenate([boxes, scores, angle])[None].astype(np.float32)


def finished_pose() -> AnyArray:
    """YOLOv10-like pose: box, score, class, keypoints."""
    rng = np.random.default_rng(1)
    rows = rng.uniform(0, 320, (1, 300, 57))
    rows[..., 4], rows[..., 5] = rng.uniform(0, 1, (1, 300)), 0
    return rows.astype(np.float32)


def finished_oriented() -> AnyArray:
    rng = np.random.default_rng(1)
    rows = rng.uniform(0, 320, (1, 300, 7))
    rows[..., 4], rows[..., 5] = rng.uniform(0, 1, (1, 300)), rng.integers(0, 15, (1, 300))
    rows[..., 6] = rng.uniform(-0.7, 2.3, (1, 300))
    return rows.astype(np.float32)


def opened(folder: Path, outputs: Any, metadata: Any = None, **options: Any) -> Any:
    constant_model(folder / "model.onnx", [1, 3, *SIZE], outputs, metadata)
    return open_subject({"kind": "onnx", "model": "model.onnx", **options}, folder)


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (pose(), "pose head"),
        (oriented(), r"oriented-box head \(OBB\)"),
        (oriented(1), r"oriented-box head \(OBB\)"),
        (finished_pose(), "pose head"),
        (finished_oriented(), r"oriented-box head \(OBB\)"),
        (np.zeros((1, 21, *SIZE), np.float32), "semantic segmentation head"),
        (np.zeros((1, 40, 40, 19), np.float32), "semantic segmentation head"),
        (np.zeros((1, *SIZE), np.int64), "semantic segmentation head"),
    ],
)
def test_a_head_of_another_task_is_refused_by_its_name(
    tmp_path: Path, array: AnyArray, name: str
) -> None:
    with pytest.raises(UserError, match=rf"model\.onnx.*{name}.*not supported.*`kind: python`"):
        opened(tmp_path, {"output0": array})


@pytest.mark.parametrize(("task", "name"), [("pose", "pose head"), ("obb", "OBB")])
def test_the_exporters_own_word_is_enough(tmp_path: Path, task: str, name: str) -> None:
    """Also where the numbers look like a detector's."""
    with pytest.raises(UserError, match=name):
        opened(tmp_path, encodings.yolov8(KNOWN), {"task": task})
    assert opened(tmp_path, encodings.yolov8(KNOWN), {"task": "detect"}).task == "detection"


def test_a_classifier_is_called_one(tmp_path: Path) -> None:
    scores = {"output0": np.full((1, 10), 0.1, np.float32)}
    assert opened(tmp_path, scores, {"task": "classify"}).task == "labels"


def test_a_given_decoder_overrules_the_look_of_the_numbers(tmp_path: Path) -> None:
    subject = opened(tmp_path, {"output0": pose()}, decoder="yolov8", classes=["a"] * 52)
    assert subject.task == "detection"


@pytest.mark.parametrize(
    "encode",
    [encodings.yolov8, encodings.yolov8_in_shares, encodings.rt_detr_joined, encodings.end_to_end],
)
def test_detectors_of_any_number_of_classes_are_not_refused(tmp_path: Path, encode: Any) -> None:
    for classes in (1, 3, 52):
        known = Known(KNOWN.boxes, KNOWN.labels, KNOWN.scores, SIZE, classes=max(classes, 3))
        assert opened(tmp_path, encode(known), classes=[f"c{i}" for i in range(max(classes, 3))])
