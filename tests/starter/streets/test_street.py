"""Generated streets: exact labels, sound sensors, the same for the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.scenes.scene import Scene, SceneSet
from snellen.starter.streets.street import (
    CLASSES,
    calibration,
    sense_street,
    street,
    write_streets,
)
from snellen.starter.streets.street_labels import rows_of
from snellen.starter.streets.street_layout import StreetLayout, StreetObject, layout
from snellen.starter.streets.street_road import Road
from snellen.starter.streets.world import placed_objects, world
from snellen.vision.lidar.beams import recovered_beams
from snellen.vision.lidar.presets import hdl_64e
from snellen.vision.solids.boxes3d import points_inside
from snellen.vision.solids.coordinate_frames import LidarPoints
from snellen.vision.solids.overlap3d import overlap_bev
from snellen.vision.solids.projected_boxes import image_boxes
from tests.starter.streets.street_cache import SEED, made

COUNT = 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("streets") / "kitti"
    write_streets(root, COUNT, SEED)
    return root


@pytest.fixture(scope="module")
def streets(folder: Path) -> SceneSet:
    """The streets as they are read back from the files."""
    return read_kitti(KittiOptions(root=folder), folder, False)


def _boxes(scene: Scene) -> np.ndarray:
    assert scene.sweep is not None
    return lidar_boxes(scene.sweep.labels() or (), scene.sweep.calibration().frames())


def test_a_street_is_the_same_for_the_same_numbers(streets: SceneSet) -> None:
    again, other = made(1), streets[0]
    assert again.digest != street(SEED + 1, 1).digest
    assert np.array_equal(again.pixels(), streets[1].pixels())
    assert not np.array_equal(again.pixels(), other.pixels())
    assert again.sweep is not None
    assert streets[1].sweep is not None
    assert np.array_equal(again.sweep.points(), streets[1].sweep.points())
    lines = [row.line() for row in again.sweep.labels() or ()]
    assert lines == [row.line() for row in streets[1].sweep.labels() or ()]


def test_every_label_is_complete_and_none_is_dont_care(streets: SceneSet) -> None:
    assert streets.classes == CLASSES
    for scene in streets:
        assert scene.size == (375, 1242)
        assert scene.sweep is not None
        rows = scene.sweep.labels() or ()
        assert len(rows) >= 5
        assert {row.type for row in rows} <= {"Car", "Van", "Pedestrian", "Cyclist"}
        for row in rows:
            assert row.solid
            assert 0 <= row.truncated <= 1
            assert 0 <= row.occluded <= 3
            x1, y1, x2, y2 = row.box
            assert 0 <= x1 < x2 <= 1242
            assert 0 <= y1 < y2 <= 375


def test_2d_boxes_are_those_of_the_3d_boxes_projected(streets: SceneSet) -> None:
    """A mesh fills its 3D box, but not its corners: the projected box is a little larger."""
    for scene in streets:
        assert scene.sweep is not None
        rows = scene.sweep.labels() or ()
        frames = scene.sweep.calibration().frames()
        projected = image_boxes(_boxes(scene), frames, scene.size)
        for row, outer in zip(rows, projected.tolist(), strict=True):
            if row.truncated > 0:
                continue
            x1, y1, x2, y2 = row.box
            assert x1 >= outer[0] - 1.5
            assert y1 >= outer[1] - 1.5
            assert x2 <= outer[2] + 1.5
            assert y2 <= outer[3] + 1.5
            assert x2 - x1 >= 0.6 * (outer[2] - outer[0]) - 2
            assert y2 - y1 >= 0.8 * (outer[3] - outer[1]) - 2


def test_things_stand_on_the_ground_without_overlap(streets: SceneSet) -> None:
    for scene in streets:
        assert scene.sweep is not None
        boxes, points = _boxes(scene), scene.sweep.points()
        bottoms = boxes[:, 2] - boxes[:, 5] / 2
        for box, bottom in zip(boxes, bottoms, strict=True):
            away = np.hypot(points[:, 0] - box[0], points[:, 1] - box[1])
            around = points[(away < 5) & (away > 2.8), 2]
            if len(around) >= 20:
                assert bottom == pytest.approx(np.percentile(around, 10), abs=0.2)
        common = overlap_bev(boxes, boxes)
        np.fill_diagonal(common, 0)
        assert common.max() < 1e-9


def test_labelled_things_that_nothing_hides_have_returns(streets: SceneSet) -> None:
    for scene in streets:
        assert scene.sweep is not None
        rows, boxes = scene.sweep.labels() or (), _boxes(scene)
        counts = points_inside(scene.sweep.points()[:, :3], boxes).sum(axis=1)
        for row, box, count in zip(rows, boxes, counts.tolist(), strict=True):
            range_ = float(np.hypot(box[0], box[1]))
            if row.occluded == 0 and range_ < 40:
                width, height = max(box[3:5].min(), 0.5), box[5]
                beams = width * height / (range_**2 * 0.003 * 0.0075)
                assert count >= 0.25 * beams, (row, count, beams)


def test_the_beams_of_a_sweep_are_those_of_the_sensor(streets: SceneSet) -> None:
    sensor = hdl_64e()
    for scene in streets:
        assert scene.sweep is not None
        points = scene.sweep.points()
        found = recovered_beams(points)
        assert 80_000 < len(points) < 134_000
        assert len(found.elevations) == 64
        assert found.elevations == pytest.approx(sensor.elevations, abs=1e-3)
        assert found.step == pytest.approx(sensor.step, rel=0.02)
        assert points[:, 3].min() >= 0
        assert points[:, 3].max() <= 1


def test_picture_and_sweep_show_the_same_street(streets: SceneSet) -> None:
    """Where beams meet lane marks, which send much back, the picture is bright."""
    for scene in streets:
        assert scene.sweep is not None
        points = scene.sweep.points()
        frames = scene.sweep.calibration().frames()
        range_ = np.hypot(points[:, 0], points[:, 1])
        road = (points[:, 2] < -1.6) & (points[:, 0] > 0) & (range_ < 18) & (abs(points[:, 1]) < 5)
        u, v, _ = frames.lidar_to_image(LidarPoints(points[road, :3].astype(np.float64))).T
        inside = (u >= 0) & (u < 1241) & (v >= 0) & (v < 374)
        seen = scene.pixels()[np.rint(v[inside]).astype(int), np.rint(u[inside]).astype(int)]
        marks = points[road, 3][inside] > 0.55
        assert marks.sum() >= 15
        bright = seen.mean(axis=1)
        assert np.median(bright[marks]) > np.median(bright[~marks]) + 15


def test_what_hides_a_thing_raises_its_occlusion() -> None:
    """A van hides a third to two thirds of a car, and a man whole: he is not in the street."""
    road = Road()
    row = [
        StreetObject("van-0", 10.0, road.own, 0.0),
        StreetObject("sedan-1", 17.5, road.own + 2.2, 0.0),
    ]
    row.append(StreetObject("hatchback-2", 17.5, road.own + 8.0, 0.0))
    row.append(StreetObject("pedestrian-0", 25.0, road.own, 0.0))
    plan = StreetLayout(road, tuple(row), (), (), (), ())
    frames = calibration().frames()
    sensed = sense_street(world(plan, np.random.default_rng(0)), frames)
    rows = rows_of(sensed.street, sensed.traces, sensed.echoes, frames)
    assert [thing.mesh.label for thing in sensed.street.objects] == ["Van", "Car", "Car"]
    levels = {(row.type, round(row.location[0])): row.occluded for row in rows}
    assert levels[("Van", 0)] == 0
    assert levels[("Car", -2)] in (1, 2)
    assert levels[("Car", -8)] == 0


@pytest.mark.parametrize("number", range(12))
def test_nothing_stands_in_anything_else(number: int) -> None:
    """Cars in lanes and on parking strips, people on pavements, and the own lane free."""
    plan = layout(np.random.default_rng((5, number)))
    road = plan.road
    boxes = np.array([thing.box for thing in placed_objects(plan)])
    common = overlap_bev(boxes, boxes)
    np.fill_diagonal(common, 0)
    assert common.max() < 1e-9
    own = np.array([[0.0, 0.0, -0.9, 4.5, 1.8, 1.6, 0.0]])
    assert overlap_bev(own, boxes).max() < 1e-9
    for thing in plan.objects:
        kind, aside = thing.mesh.split("-")[0], abs(thing.d)
        side = -1 if thing.d < 0 else 1
        if kind == "pedestrian":
            assert road.kerb(side) < aside < road.front(side)
        else:
            assert aside < road.kerb(side) - 0.3
        ahead = np.cos(thing.turn) > 0
        if kind not in ("pedestrian", "cyclist"):
            assert ahead == (thing.d < 0), "on the right, cars drive as we do"
            if abs(thing.d - road.own) < 1.5:
                assert abs(thing.s) > 9
