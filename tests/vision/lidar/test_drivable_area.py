"""The drivable area of synthetic and of real streets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.label_file import read_labels
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.point_file import read_points
from snellen.vision.arrays import F64
from snellen.vision.lidar.drivable_area import DrivableArea, cell_centres, drivable_area, not_road
from snellen.vision.lidar.ground import ground_mask
from snellen.vision.lidar.ground_surface import ground_height
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from tests.vision.lidar.street_sweeps import Ground, between, ground_of, sweep, with_boxes

cell_x, cell_y = cell_centres()
AHEAD = CoordinateFrames(
    np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]),
    np.array([[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1, 0]]),
)


def flat(x: F64, y: F64) -> F64:
    return np.asarray(np.zeros_like(x))


def area_of(above: Ground, apart: float = 0.41) -> DrivableArea:
    points = sweep(above, apart)
    ground = ground_of(points, above)
    return drivable_area(points, ground, ground_height(points, ground))


def share(area: DrivableArea, x: tuple[float, float], y: tuple[float, float]) -> float:
    """The share of a rectangle that is road."""
    inside = (cell_x > x[0]) & (cell_x < x[1]) & (cell_y > y[0]) & (cell_y < y[1])
    return float(area.road[inside].mean())


@pytest.mark.parametrize(("apart", "reach", "half"), [(0.41, 55.0, 4.0), (1.33, 43.0, 2.5)])
def test_gaps_between_rings_do_not_end_the_road(apart: float, reach: float, half: float) -> None:
    area = area_of(between(5, 2.0), apart)
    assert share(area, (5, reach), (-half, half)) > 0.97


def test_walls_end_the_road() -> None:
    area = area_of(between(5, 2.0))
    assert share(area, (0, 60), (5.3, 20)) == 0
    assert share(area, (0, 60), (-20, -5.3)) == 0


@pytest.mark.parametrize("kerb", [0.07, 0.12, 0.16])
def test_kerbs_end_the_road_and_pavements_are_ground(kerb: float) -> None:
    def street(x: F64, y: F64) -> F64:
        return np.asarray(np.where(np.abs(y) > 8, 2.0, between(4, kerb)(x, y)))

    area = area_of(street)
    assert share(area, (6, 32), (-3.5, 3.5)) > 0.97
    assert share(area, (6, 32), (4.3, 8)) < 0.01
    assert share(area, (6, 32), (-8, -4.3)) < 0.01
    pavement = (cell_x > 6) & (cell_x < 25) & (cell_y > 4.8) & (cell_y < 7.5)
    assert area.ground[pavement].mean() > 0.9


@pytest.mark.parametrize(("grade", "fall"), [(0.06, 0.0), (0.0, 0.03), (-0.02, -0.04)])
def test_a_hill_and_a_camber_are_not_taken_for_kerbs(grade: float, fall: float) -> None:
    def hill(x: F64, y: F64) -> F64:
        return np.asarray(np.where(np.abs(y) > 6, 4.0, grade * x / 2 + fall * y))

    points = sweep(hill)
    ground = np.abs(points[:, 1]) < 5.9
    area = drivable_area(points, ground, ground_height(points, ground))
    assert share(area, (5, 35), (-5, 5)) > 0.95


def test_a_wall_across_ends_the_road() -> None:
    area = area_of(with_boxes(flat, (20, 0, 1, 60, 1.0)))
    assert share(area, (5, 18), (-5, 5)) > 0.97
    assert share(area, (21, 60), (-25, 25)) == 0


@pytest.mark.parametrize(("gap", "passed"), [(1.2, False), (4.0, True)])
def test_a_car_only_gets_through_gaps_as_wide_as_itself(gap: float, passed: bool) -> None:
    """The walls are low, so that the ground behind them is visible."""
    walls = [(16, side * (gap / 2 + 15), 0.6, 30, 0.5) for side in (-1, 1)]
    area = area_of(with_boxes(flat, *walls))
    assert (share(area, (28, 34), (-4, 4)) > 0.5) is passed


def test_the_shadow_of_a_car_is_road_but_the_car_is_not() -> None:
    area = area_of(with_boxes(between(7, 2.0), (15, 0, 4, 1.8, 1.5)))
    assert share(area, (13.2, 16.8), (-0.7, 0.7)) == 0
    assert share(area, (20, 35), (-1, 1)) > 0.9


def test_the_shadow_of_a_house_is_not_road() -> None:
    area = area_of(with_boxes(flat, (15, 8, 8, 10, 1.6)))
    assert share(area, (25, 35), (12, 14)) == 0


def test_what_hangs_over_the_road_does_not_end_it() -> None:
    points = sweep(between(6, 2.0))
    ground = ground_of(points, between(6, 2.0))
    sign = np.column_stack([np.full(60, 20.1), np.linspace(-4, 4, 60), np.full((60, 2), 2.5)])
    area = drivable_area(
        np.vstack([points, sign]),
        np.append(ground, np.zeros(60, bool)),
        ground_height(points, ground),
    )
    assert share(area, (19, 21), (-4, 4)) > 0.97
    assert area.lowest[
        (cell_x > 20) & (cell_x < 20.2) & (np.abs(cell_y) < 3.9)
    ].min() == pytest.approx(4.23, abs=0.03)


def test_an_image_that_shows_no_road_takes_it_away() -> None:
    points = sweep(between(7, 2.0))
    ground = ground_of(points, between(7, 2.0))
    surface = ground_height(points, ground)
    right_half = np.zeros((375, 1242), dtype=bool)
    right_half[:, 600:] = True
    area = drivable_area(points, ground, surface, not_road(right_half, AHEAD, surface))
    assert share(area, (8, 40), (0.3, 7)) == 0
    assert share(area, (8, 40), (-6, -0.3)) > 0.95


def test_ground_out_of_the_image_is_not_denied() -> None:
    points = sweep(between(7, 2.0))
    surface = ground_height(points, ground_of(points, between(7, 2.0)))
    denied = not_road(np.zeros((375, 1242), dtype=bool), AHEAD, surface)
    assert not denied[cell_x < 0].any()
    assert denied[(cell_x > 10) & (cell_x < 50) & (np.abs(cell_y) < 5)].all()


def test_a_sweep_without_ground_has_no_road() -> None:
    points = sweep(with_boxes(flat, (12, 0, 20, 60, 2.5)))
    nothing = np.zeros(len(points), dtype=bool)
    area = drivable_area(points, nothing, ground_height(points, nothing))
    assert not area.road.any()


def test_the_area_is_the_same_again_and_mirrored_for_a_mirrored_street() -> None:
    def bend(x: F64, y: F64) -> F64:
        return np.asarray(np.where((y > 7) | (y < -4 + 0 * x), 1.0, 0.0))

    area, again = area_of(bend), area_of(bend)
    assert (area.road == again.road).all()
    other = area_of(lambda x, y: bend(x, -y))
    assert (area.road != other.road[:, ::-1]).mean() < 0.002


FRAMES = range(8)


@pytest.fixture(scope="module")
def real(
    shared: Callable[[str], Path],
) -> Callable[[int], tuple[DrivableArea, F64]]:
    def load(frame: int) -> tuple[DrivableArea, F64]:
        root = shared("kitti/training")
        points = read_points(root / f"velodyne/{frame:06d}.bin")
        ground = ground_mask(points)
        frames = read_calibration(root / f"calib/{frame:06d}.txt").frames()
        rows = [row for row in read_labels(root / f"label_2/{frame:06d}.txt") if row.solid]
        area = drivable_area(points, ground, ground_height(points, ground))
        return area, lidar_boxes(rows, frames)

    return load


@pytest.mark.parametrize("frame", FRAMES)
def test_real_roads_hold_the_way_ahead_and_no_seen_object(
    frame: int, real: Callable[[int], tuple[DrivableArea, F64]]
) -> None:
    area, boxes = real(frame)
    assert area.road[(cell_x > 6) & (cell_x < 8) & (np.abs(cell_y) < 0.8)].mean() > 0.8
    for box in boxes[np.hypot(boxes[:, 0], boxes[:, 1]) < 30]:
        low, high = (
            corners(box[None])[0, :4, :2].min(axis=0),
            corners(box[None])[0, :4, :2].max(axis=0),
        )
        inside = (cell_x > low[0]) & (cell_x < high[0]) & (cell_y > low[1]) & (cell_y < high[1])
        assert area.lowest[inside].min() < box[5] + 0.3
        assert area.road[inside].mean() < 0.8


@pytest.mark.parametrize(
    ("frame", "left", "right"), [(1, 4.9, -2.2), (4, 4.7, -4.4), (5, 6.0, -2.4), (7, 8.3, -3.3)]
)
def test_real_roads_reach_45_m_and_keep_off_tracks_and_grass(
    frame: int,
    left: float,
    right: float,
    real: Callable[[int], tuple[DrivableArea, F64]],
) -> None:
    """The borders, metres to the left at 10 to 20 m ahead, were read off the images."""
    area, _ = real(frame)
    assert share(area, (8, 20), (right + 1, left - 1)) > 0.95
    assert share(area, (8, 20), (left + 0.75, left + 8)) < 0.05
    assert area.road[(cell_x > 40) & (cell_x < 45) & (np.abs(cell_y) < 2)].mean() > 0.9
