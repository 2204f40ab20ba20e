"""The rest of the pipeline takes generated streets for real frames."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.scene import Scene
from snellen.starter.fusion_demo import fusion_values
from snellen.starter.streets.reader import READER, StreetsOptions
from snellen.subjects.registry import open_subject
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.overlap3d import overlap3d
from tests.starter.streets.street_cache import made

COUNT = 3


@pytest.fixture(scope="module")
def streets() -> list[Scene]:
    return [made(index) for index in range(COUNT)]


def frame_of(scene: Scene) -> Frame:
    assert scene.sweep is not None
    return Frame(scene.pixels(), scene.sweep.points(), scene.sweep.calibration())


def near_cars(scene: Scene) -> np.ndarray:
    """(N, 7) cars within 30 m that are in the picture and mostly seen."""
    assert scene.sweep is not None
    rows = scene.sweep.labels() or ()
    boxes = lidar_boxes(rows, scene.sweep.calibration().frames())
    kept = [
        row.type == "Car" and row.truncated < 0.3 and row.occluded < 2 and np.hypot(*box[:2]) < 30
        for row, box in zip(rows, boxes, strict=True)
    ]
    return np.asarray(boxes[kept])


def test_streets_are_generated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, int]] = []

    def write(folder: Path, count: int, seed: int) -> None:
        made.append((count, seed))
        for name in ("image_2", "velodyne", "label_2", "calib"):
            (folder / "training" / name).mkdir(parents=True)

    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path))
    monkeypatch.setattr("snellen.starter.streets.street.write_streets", write)
    for seed in (4, 4, 5):
        with pytest.raises(Exception, match="no scene found"):
            READER.read(StreetsOptions(count=2, seed=seed), tmp_path, False)
    assert made == [(2, 4), (2, 5)]


def test_the_lidar_alone_finds_most_near_cars(streets: list[Scene]) -> None:
    pytest.importorskip("pypatchworkpp")
    subject = open_subject({"kind": "lidar-only"}, Path())
    cars = found = 0
    for scene in streets:
        [answer] = subject.predict([frame_of(scene)])
        truth = near_cars(scene)
        assert isinstance(answer, Detections3D)
        seen = answer.above(subject.score)
        common = overlap3d(truth, seen.boxes[seen.labels == 0])
        cars, found = cars + len(truth), found + int((common.max(axis=1, initial=0) >= 0.5).sum())
    assert cars >= 5
    assert found >= 0.7 * cars


def test_there_is_room_for_cars_and_for_people(streets: list[Scene]) -> None:
    pytest.importorskip("pypatchworkpp")
    from snellen.vision.lidar.ground import ground_mask

    for scene in streets:
        assert scene.sweep is not None
        points, frames = scene.sweep.points(), scene.sweep.calibration().frames()
        boxes = lidar_boxes(scene.sweep.labels() or (), frames)
        ground = ground_mask(points)
        placing = FramePlaces(points, ground, boxes, frames, scene.size, limits=PlaceLimits())
        for size in ((3.9, 1.6, 1.5), (0.8, 0.6, 1.75)):
            places = placing.draw(size, np.random.default_rng(1), 10, np.zeros((0, 7)))
            assert len(places) == 10
            assert all(abs(place.z + 1.73) < 0.25 for place in places)


def test_the_ground_is_found(streets: list[Scene]) -> None:
    pytest.importorskip("pypatchworkpp")
    from snellen.vision.lidar.ground import ground_mask

    for scene in streets:
        assert scene.sweep is not None
        points = scene.sweep.points()
        near = np.hypot(points[:, 0], points[:, 1]) < 30
        near &= np.hypot(points[:, 0], points[:, 1]) > 3
        low, ground = points[:, 2] < -1.6, ground_mask(points)
        assert (ground & near & low).sum() > 0.95 * (near & low).sum()
        assert (ground & near & ~low).sum() < 0.06 * (ground & near).sum()


def test_the_packed_detector_finds_near_cars_in_streets_it_was_not_trained_on(
    streets: list[Scene],
) -> None:
    folder = Path(str(files("snellen.starter.streets")))
    subject = open_subject(fusion_values()["subject"]["camera"], folder)
    assert subject.classes == ("car", "van", "pedestrian", "cyclist")
    cars = found = 0
    for scene in streets:
        assert scene.sweep is not None
        rows = [row for row in scene.sweep.labels() or () if _easy(row)]
        [answer] = subject.predict([scene.pixels()])
        assert isinstance(answer, Detections)
        seen = answer.above(subject.score)
        truth = np.array([row.box for row in rows], dtype=np.float32)
        common = iou(truth, seen.boxes[seen.labels == 0])
        cars, found = cars + len(rows), found + int((common.max(axis=1, initial=0) > 0.5).sum())
    assert cars >= 5
    assert found >= 0.7 * cars


def _easy(row: Any) -> bool:
    near = row.location[2] < 30
    return bool(row.type == "Car" and row.occluded < 2 and row.truncated < 0.3 and near)
