"""The rest of the pipeline takes generated streets for real frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from snellen.methods.fusion.placing.limits import Limits
from snellen.methods.fusion.placing.placing import Placing
from snellen.scenes.frame import Frame
from snellen.scenes.kitti_boxes import lidar_boxes
from snellen.scenes.scene import Scene
from snellen.starter.streets.reader import READER, StreetsOptions
from snellen.subjects.registry import open_subject
from snellen.vision.boxes3d_overlap import overlap3d
from snellen.vision.detections3d import Detections3D
from tests.starter.streets_made import made

pytest.importorskip("pypatchworkpp")

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
    from snellen.vision.lidar.ground import ground_mask

    for scene in streets:
        assert scene.sweep is not None
        points, frames = scene.sweep.points(), scene.sweep.calibration().frames()
        boxes = lidar_boxes(scene.sweep.labels() or (), frames)
        ground = ground_mask(points)
        placing = Placing(points, ground, boxes, frames, scene.size, limits=Limits())
        for size in ((3.9, 1.6, 1.5), (0.8, 0.6, 1.75)):
            places = placing.draw(size, np.random.default_rng(1), 10, np.zeros((0, 7)))
            assert len(places) == 10
            assert all(abs(place.z + 1.73) < 0.25 for place in places)


def test_the_ground_is_found(streets: list[Scene]) -> None:
    from snellen.vision.lidar.ground import ground_mask

    for scene in streets:
        assert scene.sweep is not None
        points = scene.sweep.points()
        near = np.hypot(points[:, 0], points[:, 1]) < 30
        near &= np.hypot(points[:, 0], points[:, 1]) > 3
        low, ground = points[:, 2] < -1.6, ground_mask(points)
        assert (ground & near & low).sum() > 0.95 * (near & low).sum()
        assert (ground & near & ~low).sum() < 0.06 * (ground & near).sum()
