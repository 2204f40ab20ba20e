"""Meshes in KITTI's images: people occlude what is behind them, and daylight is recognised."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from snellen.changes.insert3d.camera_insertion import CameraSeed, camera_seed
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.label_file import read_labels
from snellen.scenes.kitti.point_file import read_points
from snellen.vision.lidar.ground import ground_mask
from snellen.vision.lidar.ground_surface import ground_height
from tests.changes.insert3d.streets import Street
from tests.changes.insert3d.test_camera_insertion import put


def kitti(shared: Callable[[str], Path], name: str) -> tuple[Street, CameraSeed]:
    folder = shared("kitti/training")
    picture = cv2.imread(str(folder / "image_2" / f"{name}.png"))
    assert picture is not None
    image = np.ascontiguousarray(picture[..., ::-1])
    points = read_points(folder / "velodyne" / f"{name}.bin")
    ground = ground_mask(points)
    frames = read_calibration(folder / "calib" / f"{name}.txt").frames()
    seed = camera_seed(image, points, ground, frames, ground_height(points, ground))
    return Street(image, points, ground), seed


def test_a_real_pedestrian_hides_a_car_put_behind(shared: Callable[[str], Path]) -> None:
    where, seed = kitti(shared, "000000")
    surface = ground_height(where.points, where.ground)
    mesh = parametric("sedan", np.random.default_rng(1))
    behind = put(where, seed, (mesh, (13.0, -1.5, float(surface(13.0, -1.5)), 1.5)))
    before = put(where, seed, (mesh, (6.5, -1.5, float(surface(6.5, -1.5)), 1.5)))
    [row] = read_labels(shared("kitti/training/label_2/000000.txt"))
    left, top = (int(edge) for edge in row.box[:2])
    chest = slice(top + 35, top + 60), slice(left + 39, left + 54)
    hips = slice(top + 66, top + 74), slice(left + 40, left + 54)
    np.testing.assert_array_equal(behind.image[chest], where.image[chest])
    np.testing.assert_array_equal(behind.image[hips], where.image[hips])
    assert before.covered[hips].all()
    assert 0.6 < behind.traces[0].visible_pixels / behind.traces[0].pixels < 0.95


@pytest.mark.parametrize("name", [f"{index:06d}" for index in range(8)])
def test_real_frames_are_read_as_daylight_by_a_linear_camera(
    shared: Callable[[str], Path], name: str
) -> None:
    where, seed = kitti(shared, name)
    lit = seed.lit
    assert lit.sensor.gamma == 1.0
    assert 2.0 < lit.lit.mean() / lit.shaded.mean() < 9.0
    assert 0.3 < np.sqrt(lit.sensor.floor + 80 * lit.sensor.gain) < 2.5
    assert 0.2 < lit.sensor.blur < 0.9
    surface = ground_height(where.points, where.ground)
    mesh = parametric("suv", np.random.default_rng(2))
    change = put(where, seed, (mesh, (15.0, 0.0, float(surface(15.0, 0.0)), 0.1)))
    body = change.image[change.covered].astype(float)
    assert np.median(where.image) * 0.1 < body.mean() < 250
    assert change.traces[0].visible_pixels > 0.6 * change.traces[0].pixels
