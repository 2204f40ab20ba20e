from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti import KittiOptions, read_kitti
from snellen.scenes.kitti_boxes import lidar_boxes
from snellen.scenes.known import known_in
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections3d import Detections3D
from tests.subjects.fusion.solid_overlap import iou3d
from tests.subjects.fusion.streets import SIZE, car, cloud, frame, known

BOXES = [car(13, 2), car(24, -4, 0.2)]
# A detector that knows where the cars of the street above are, in whichever part it is shown.
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


def real_frames(root: Path) -> list[Frame]:
    frames = []
    for scene in read_kitti(KittiOptions(root=root), Path(), False):
        assert scene.sweep is not None
        points = scene.sweep.points()
        told = known_in(scene.sweep, points)
        frames.append(Frame(scene.pixels(), points, scene.sweep.calibration(), told))
    return frames


def tallied(frames: list[Frame], answers: list[Detections3D], score: float) -> tuple[int, int, int]:
    """Labelled cars, those found at 3D IoU 0.5, and cars reported where nothing is labelled."""
    cars, found, phantoms = 0, 0, 0
    for one, answer in zip(frames, answers, strict=True):
        rows = [thing.row for thing in one.known or () if thing.row.solid]
        truth = lidar_boxes(rows, one.frames)
        seen = answer[answer.labels == 0].above(score)
        overlaps = np.array([[iou3d(a, b) for b in truth] for a in seen.boxes])
        overlaps = overlaps.reshape(len(seen), len(truth))
        labelled = np.array([row.type == "Car" for row in rows])
        cars += labelled.sum()
        found += (overlaps[:, labelled].max(axis=0, initial=0) >= 0.5).sum()
        free = [not_cared_for(box, one) for box in seen.image_boxes]
        phantoms += ((overlaps.max(axis=1, initial=0) < 0.25) & ~np.array(free, bool)).sum()
    return int(cars), int(found), int(phantoms)


def not_cared_for(box: np.ndarray, one: Frame) -> bool:
    area = float((box[2] - box[0]) * (box[3] - box[1]))
    for region in (thing.row.box for thing in one.known or () if not thing.row.solid):
        width = min(box[2], region[2]) - max(box[0], region[0])
        height = min(box[3], region[3]) - max(box[1], region[1])
        if width > 0 and height > 0 and width * height > area / 2:
            return True
    return False


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
    cars, found, phantoms = tallied(frames, asked(subject, *frames), subject.score)
    subject.close()
    assert cars == 12
    assert found >= at_least
    assert phantoms <= at_most
