"""Places in real frames: clear of every labelled thing and of every point above the ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Boxes3D
from snellen.vision.lidar.ground import ground_mask
from snellen.vision.solids.coordinate_frames import LidarPoints
from tests.methods.fusion.placing.street_frames import CAR, PERSON
from tests.vision.solids.test_footprints import polygon, shapely

FRAMES = range(8)

Prepared = tuple[Scene, npt.NDArray[np.float32], npt.NDArray[np.bool_], Boxes3D]


@pytest.fixture(scope="module")
def frames(shared: Callable[[str], Path]) -> list[Prepared]:
    made = []
    for scene in open_scenes({"kind": "kitti", "root": "."}, shared("kitti")):
        assert scene.sweep is not None
        points = scene.sweep.points()
        rows = [row for row in scene.sweep.labels() or () if row.solid]
        boxes = lidar_boxes(rows, scene.sweep.calibration().frames())
        made.append((scene, points, ground_mask(points), boxes))
    return made


def prepared(frame: Prepared, limits: PlaceLimits = PlaceLimits()) -> FramePlaces:  # noqa: B008
    scene, points, ground, boxes = frame
    assert scene.sweep is not None
    return FramePlaces(
        points, ground, boxes, scene.sweep.calibration().frames(), scene.size, limits
    )


@pytest.mark.parametrize("number", FRAMES)
@pytest.mark.parametrize("size", [CAR, PERSON])
def test_every_frame_has_places_and_all_are_clear(
    number: int, size: tuple[float, float, float], frames: list[Prepared]
) -> None:
    scene, points, ground, boxes = frames[number]
    assert scene.sweep is not None
    made = prepared(frames[number])
    places = made.draw(size, np.random.default_rng(number), 20)
    assert len(places) == 20
    above = points[:, 2] - made.ground_height(points[:, 0], points[:, 1])
    things = points[(above > 0.3) & (above < size[2]) & ~ground, :2].astype(float)
    others = [polygon(box[[0, 1, 3, 4, 6]]) for box in boxes]
    middles = np.array([(p.x, p.y, p.z + size[2] / 2) for p in places])
    u, v, depth = scene.sweep.calibration().frames().lidar_to_image(LidarPoints(middles)).T
    assert (depth > 0).all()
    assert ((u >= 0) & (u < scene.size[1]) & (v >= 0) & (v < scene.size[0])).all()
    for place in places:
        assert made.allowed(place, size) is None
        shape = polygon((place.x, place.y, size[0], size[1], place.yaw))
        assert all(shape.distance(other) > 0.29 for other in others)
        assert not shapely.contains_xy(shape, things).any()
        assert 5 <= math.hypot(place.x, place.y) <= 60


@pytest.mark.parametrize("number", [1, 4, 7])
def test_cars_on_straight_roads_stand_along_them(number: int, frames: list[Prepared]) -> None:
    places = prepared(frames[number]).draw(CAR, np.random.default_rng(0), 200)
    off = np.abs((np.degrees([place.yaw for place in places]) + 90) % 180 - 90)
    assert off.max() < 12


def test_cars_on_a_plaza_head_as_we_do(frames: list[Prepared]) -> None:
    """Frame 0 shows one, broader than it is deep, before a building."""
    places = prepared(frames[0]).draw(CAR, np.random.default_rng(0), 100)
    assert max(abs(math.degrees(place.yaw)) for place in places) < 30


@pytest.mark.parametrize(("number", "both"), [(1, False), (4, False), (5, True), (7, True)])
def test_cars_come_towards_us_only_where_the_road_has_their_lane(
    number: int, both: bool, frames: list[Prepared]
) -> None:
    """Frames 1 and 4 show one half of a road with tracks in its middle, 5 and 7 two-way roads."""
    places = prepared(frames[number]).draw(CAR, np.random.default_rng(0), 200)
    towards = np.array([math.cos(place.yaw) < 0 for place in places])
    assert towards.any() == both
    if both:
        y = np.array([place.y for place in places])
        assert y[towards].mean() > y[~towards].mean() + 2


def test_a_place_behind_the_car_ahead_is_found(frames: list[Prepared]) -> None:
    places = prepared(frames[7], PlaceLimits(behind="only")).draw(CAR, np.random.default_rng(0), 20)
    others = shapely.union_all([polygon(box[[0, 1, 3, 4, 6]]) for box in frames[7][3]])
    assert len(places) == 20
    assert all(shapely.LineString([(0, 0), (p.x, p.y)]).intersects(others) for p in places)


def test_places_do_not_depend_on_the_order_of_the_points(frames: list[Prepared]) -> None:
    scene, points, _, boxes = frames[6]
    order = np.random.default_rng(9).permutation(len(points))
    shuffled = (scene, points[order], ground_mask(points[order]), boxes)
    draws = [
        prepared(frame).draw(CAR, np.random.default_rng(1), 10) for frame in (frames[6], shuffled)
    ]
    np.testing.assert_allclose(draws[0], draws[1], atol=1e-4)
