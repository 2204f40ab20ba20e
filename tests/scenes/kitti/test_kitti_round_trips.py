"""Round trips of KITTI frames through files, and of their labels through the LiDAR frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.scenes.kitti.calibration_file import parse_calibration
from snellen.scenes.kitti.label_file import LabelRow, parse_row
from snellen.scenes.kitti.lidar_boxes import lidar_boxes, with_lidar_boxes
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.sweep import SweepArrays, SweepFiles
from tests.scenes.kitti.test_kitti import CALIBRATION, CAR, KIND


def test_unchanged_frames_are_written_byte_for_byte(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    root = shared("kitti")
    scenes = open_scenes(KIND, root)
    assert len(scenes) == 8
    write_kitti(scenes, tmp_path / "out")
    files = [path for path in (root / "training").rglob("*") if path.is_file()]
    assert len(files) == 32
    for path in files:
        copy = tmp_path / "out" / path.relative_to(root)
        assert copy.read_bytes() == path.read_bytes(), path.name


def test_frames_in_memory_are_written_as_the_files_they_came_from(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    root = shared("kitti")
    scene = open_scenes({**KIND, "limit": 1}, root)[0]
    assert isinstance(scene.sweep, SweepFiles)
    sweep = SweepArrays(scene.sweep.points(), scene.sweep.calibration(), scene.sweep.labels())
    assert sweep.digest() == scene.sweep.digest()
    moved = Scene(scene.id, scene.picture, scene.size, scene.annotations, sweep=sweep)
    write_kitti(SceneSet((moved,)), tmp_path / "out")
    for folder, suffix in (("velodyne", "bin"), ("calib", "txt"), ("label_2", "txt")):
        name = f"training/{folder}/{scene.id}.{suffix}"
        assert (tmp_path / "out" / name).read_bytes() == (root / name).read_bytes(), name


def test_real_labels_survive_the_lidar_frame(shared: Callable[[str], Path]) -> None:
    for scene in open_scenes(KIND, shared("kitti")):
        assert scene.sweep is not None
        frames = scene.sweep.calibration().frames()
        rows = [row for row in scene.sweep.labels() or () if row.solid]
        back = with_lidar_boxes(rows, lidar_boxes(rows, frames), frames)
        for one, other in zip(rows, back, strict=True):
            np.testing.assert_allclose(other.location, one.location, atol=1e-9)
            np.testing.assert_allclose(other.dimensions, one.dimensions, atol=1e-9)
            assert other.rotation_y == pytest.approx(one.rotation_y, abs=1e-9)
            assert other.alpha == pytest.approx(one.alpha, abs=0.02)
            assert replace(other, alpha=one.alpha).line() == one.line()


def test_real_cars_hold_points(shared: Callable[[str], Path]) -> None:
    """With a wrong frame, yaw or height, boxes would be empty."""
    for scene in open_scenes(KIND, shared("kitti")):
        assert scene.sweep is not None
        rows = [row for row in scene.sweep.labels() or () if row.solid]
        boxes = lidar_boxes(rows, scene.sweep.calibration().frames())
        points = scene.sweep.points()[:, :3]
        for x, y, z, length, width, height, yaw in boxes:
            offset = points - (x, y, z)
            along = offset[:, 0] * np.cos(yaw) + offset[:, 1] * np.sin(yaw)
            beside = offset[:, 1] * np.cos(yaw) - offset[:, 0] * np.sin(yaw)
            within = (np.abs(along) < length / 2) & (np.abs(beside) < width / 2)
            assert (within & (np.abs(offset[:, 2]) < height / 2)).sum() >= 5


NUMBERS = st.floats(-900, 900).map(lambda value: round(value, 2))


ROWS = st.builds(
    LabelRow,
    st.sampled_from(["Car", "Pedestrian"]),
    st.floats(0, 1).map(lambda value: round(value, 2)),
    st.integers(-1, 3),
    NUMBERS,
    st.tuples(*[NUMBERS] * 4),
    st.tuples(*[st.floats(0.01, 30).map(lambda value: round(value, 2))] * 3),
    st.tuples(*[NUMBERS] * 3),
    NUMBERS,
    st.none() | st.floats(0, 1).map(lambda value: round(value, 4)),
)


@given(ROWS)
def test_a_row_written_is_the_row_read(row: LabelRow) -> None:
    assert parse_row(row.line(), "row") == row


def test_a_changed_row_or_matrix_is_not_written_from_its_old_text() -> None:
    row = parse_row(CAR, "row")
    assert row.line() == CAR
    assert replace(row, location=(1.0, 2.0, 3.0)).line().split()[11:14] == ["1.00", "2.00", "3.00"]
    calibration = parse_calibration(CALIBRATION, "text")
    assert calibration.text() == CALIBRATION
    moved = replace(calibration, p2=calibration.p2 + 1)
    assert parse_calibration(moved.text(), "text") == moved
    assert moved != calibration
