from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import MissingExtraError, UserError
from snellen.scenes.frame import Frame
from snellen.subjects.answers.solid_checks import checked_solids
from snellen.subjects.fusion.lidar_only import lidar_detections
from snellen.subjects.fusion.priors import CLASSES
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections3d import Detections3D
from tests.subjects.fusion.kitti_recall import real_frames, tallied
from tests.subjects.fusion.solid_overlap import iou3d
from tests.subjects.fusion.streets import SIZE, car, cloud, frame, known

BOXES = [car(13, 2), car(24, -4, 0.2)]
# A detector that knows the cars of the street above, in any tile.
EYE = f"""
import numpy as np
CLASSES = ["person", "car"]
BOXES = {[[*known(box).row.box] for box in BOXES]}
def detect(images):
    found = [BOXES if image.shape[1] == {SIZE[1]} else [] for image in images]
    return [dict(boxes=b, labels=["car"] * len(b), scores=[0.8] * len(b)) for b in found]
detect.classes = CLASSES
"""


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Subject]:
    (tmp_path / "fusion_eye.py").write_text(EYE, encoding="utf-8")

    def open_kind(kind: str, **options: Any) -> Subject:
        camera = {"kind": "python", "target": "fusion_eye:detect", "deterministic": True}
        given = {} if kind == "lidar-only" else {"camera": camera}
        return open_subject({"kind": kind, **given, **options}, tmp_path)

    return open_kind


KINDS = ["lidar-only", "weak-fusion", "late-fusion"]


def asked(subject: Subject, *frames: Frame) -> list[Detections3D]:
    answers = [one for one in subject.predict(frames) if isinstance(one, Detections3D)]
    assert len(answers) == len(frames)
    return answers


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_library_is_an_error_at_the_opening_and_not_in_every_scene(
    opened: Callable[..., Subject], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypatchworkpp", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[fusion\]"):
        opened(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_the_cars_of_a_street_are_found_whatever_the_batch(
    opened: Callable[..., Subject], kind: str
) -> None:
    subject = opened(kind)
    assert subject.task == Task.DETECTION_3D
    assert subject.deterministic
    street, empty = frame([], cloud(BOXES, step=0.1)), frame([], cloud([], step=0.3))
    before = street.points.copy()
    [found] = asked(subject, street)
    sure = found.above(subject.score)
    assert len(sure) == len(BOXES)
    for box in BOXES:
        assert max(iou3d(one, box) for one in sure.boxes) > 0.6
    assert {subject.classes[label] for label in sure.labels} == {"Car"}
    assert (sure.image_boxes[:, 2:] > sure.image_boxes[:, :2]).all()
    assert asked(subject, empty, street)[1] == found
    np.testing.assert_array_equal(street.points, before)
    subject.close()


def test_a_fusion_subject_that_is_not_shown_the_labels_finds_the_same(
    opened: Callable[..., Subject],
) -> None:
    points = cloud(BOXES, step=0.1)
    for kind in KINDS:
        subject = opened(kind)
        [blind] = asked(subject, frame(None, points))
        [told] = asked(subject, frame([known(box) for box in BOXES], points))
        assert blind == told


@pytest.mark.parametrize("kind", KINDS)
def test_what_decides_answers_is_in_the_fingerprint(
    opened: Callable[..., Subject], kind: str
) -> None:
    first = opened(kind)
    assert opened(kind).fingerprint == first.fingerprint
    assert opened(kind, score=0.2, name="other", batch=1).fingerprint == first.fingerprint
    others = [opened(kind, sensor_height=1.9), opened(kind, floor=0.1)]
    others += [] if kind == "lidar-only" else [opened(kind, tiles=False)]
    prints = {first.fingerprint, *(one.fingerprint for one in others)}
    assert len(prints) == len(others) + 1


@given(st.integers(0, 2**32 - 1), st.integers(0, 400))
def test_any_cloud_has_an_answer_that_makes_sense(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(0, 1, (count, 4)) * [10, 4, 0.5, 1] + [15, 0, -1, 0]
    street = frame(None, np.vstack([points, cloud([], step=2.0)]))
    found = lidar_detections(street, 1.73)
    assert checked_solids(found, street, CLASSES) == found


def test_the_order_of_the_points_does_not_matter() -> None:
    points = cloud(BOXES, step=0.1)
    mixed = np.random.default_rng(1).permutation(points)
    first, second = (lidar_detections(frame(None, one), 1.73) for one in (points, mixed))
    np.testing.assert_allclose(first.boxes, second.boxes, atol=1e-9)
    np.testing.assert_array_equal(first.scores, second.scores)


def test_frames_without_an_image_are_for_the_lidar_alone(opened: Callable[..., Subject]) -> None:
    street = frame(None, cloud(BOXES, step=0.1), image=False)
    assert len(asked(opened("lidar-only"), street)[0].above(0.5)) == len(BOXES)
    for kind in ("weak-fusion", "late-fusion"):
        with pytest.raises(UserError, match="lidar-only"):
            opened(kind).predict([street])


def test_a_mistake_in_the_cameras_options_names_the_place(tmp_path: Path) -> None:
    camera = {"kind": "onnx", "modle": "a.onnx"}
    with pytest.raises(UserError, match=r"subject\.camera.*modle"):
        open_subject({"kind": "weak-fusion", "camera": camera}, tmp_path)
    with pytest.raises(UserError, match=r"camera: missing"):
        open_subject({"kind": "late-fusion"}, tmp_path)


@pytest.mark.parametrize(
    ("kind", "at_least", "at_most"),
    [("lidar-only", 7, 20), ("weak-fusion", 9, 2), ("late-fusion", 8, 5)],
)
def test_most_cars_of_real_frames_are_found(
    shared: Callable[[str], Path], kind: str, at_least: int, at_most: int
) -> None:
    frames = real_frames(shared("kitti/training").parent)
    detector = shared("detectors/yolox_nano.onnx")
    camera = {} if kind == "lidar-only" else {"camera": {"kind": "onnx", "model": str(detector)}}
    subject = open_subject({"kind": kind, **camera}, Path())
    answers = [one.above(subject.score) for one in asked(subject, *frames)]
    tally = tallied(frames, answers, subject.classes)
    subject.close()
    assert len(tally.labelled("Car")) == 12
    assert tally.found("Car", 0.5) >= at_least
    assert tally.phantoms["Car"] <= at_most
