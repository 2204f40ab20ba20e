"""The published weights on KITTI's own frames."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.scenes.frame import Frame
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.subjects.registry import open_subject
from snellen.vision.solids.overlap3d import overlap3d

Shared = Callable[[str], Path]
WITH_CARS = ("000001", "000002", "000003", "000004", "000006", "000007")


@cache
def frames(shared: Shared) -> dict[str, tuple[Frame, Any]]:
    """Each frame and its labelled cars."""
    root = shared("kitti/training").parent
    found = {}
    for scene in read_kitti(KittiOptions(root=root), root, False):
        assert scene.sweep is not None
        frame = Frame(scene.pixels(), scene.sweep.points(), scene.sweep.calibration())
        rows = [row for row in scene.sweep.labels() or () if row.type == "Car"]
        found[scene.id] = (frame, lidar_boxes(rows, frame.frames))
    return found


@cache
def subject(shared: Shared, **options: Any) -> Any:
    given = {
        "kind": "pointgnn",
        "weights": str(shared("lidar/pointgnn_car_auto_T1_train.npz")),
        "config": str(shared("lidar/pointgnn_T1_config.json")),
        **options,
    }
    return open_subject(given, Path())


@cache
def answer_of(shared: Shared, name: str) -> Any:
    [answer] = subject(shared).predict([frames(shared)[name][0]])
    return answer


@pytest.mark.slow
def test_most_labelled_cars_of_the_first_eight_frames_are_found(shared: Shared) -> None:
    asked, given = subject(shared), frames(shared)
    labelled = found = extra = 0
    for name in WITH_CARS:
        _, cars = given[name]
        table = overlap3d(cars, answer_of(shared, name).above(asked.score).boxes)
        labelled += len(cars)
        found += int((table.max(axis=1, initial=0) >= 0.5).sum())
        extra += int((table.max(axis=0, initial=0) < 0.5).sum())
    assert labelled == 12 == sum(len(cars) for _, cars in given.values())
    assert found / labelled >= 0.7
    assert extra <= 4


@pytest.mark.slow
def test_a_glance_before_the_full_look_changes_no_answer(shared: Shared) -> None:
    frame, _ = frames(shared)["000003"]
    assert [answer_of(shared, "000003")] == subject(shared, glance=None).predict([frame])


@pytest.mark.slow
def test_a_limit_on_neighbours_keeps_the_cars_of_a_frame(shared: Shared) -> None:
    frame, cars = frames(shared)["000006"]
    [answer] = subject(shared, neighbours=32).predict([frame])
    table = overlap3d(cars, answer.above(0.6).boxes)
    assert (table.max(axis=1) >= 0.5).all()


@pytest.mark.slow
def test_a_frame_mirrored_left_to_right_has_the_same_cars_mirrored(shared: Shared) -> None:
    """Mixed-up axes would fail: no car is as wide as it is long."""
    frame, _ = frames(shared)["000004"]
    asked = subject(shared, neighbours=32)
    [answer] = asked.predict([frame])
    centre = frame.frames.projection[0, 2] / frame.size[1]
    assert centre == pytest.approx(0.5, abs=0.02)
    points = frame.points * np.array([1, -1, 1, 1], dtype=np.float32)
    [mirrored] = asked.predict([Frame(frame.image, points, frame.calibration)])
    ours = answer.above(0.6).boxes * [1, -1, 1, 1, 1, 1, -1]
    assert len(ours) == len(mirrored.above(0.6))
    assert (overlap3d(ours, mirrored.boxes).max(axis=1) > 0.4).all()


@pytest.mark.slow
def test_the_weights_without_messages_run_by_a_configuration_without_them(
    shared: Shared, tmp_path: Path
) -> None:
    values = json.loads(shared("lidar/pointgnn_T1_config.json").read_text())
    del values["model_kwargs"]["layer_configs"][1]
    (tmp_path / "config.json").write_text(json.dumps(values))
    weights = shared("lidar/pointgnn_car_auto_T0_train.npz")
    asked = subject(shared, weights=str(weights), config=str(tmp_path / "config.json"))
    frame, cars = frames(shared)["000003"]
    [answer] = asked.predict([frame])
    assert (overlap3d(cars, answer.boxes).max(axis=1) >= 0.5).all()
