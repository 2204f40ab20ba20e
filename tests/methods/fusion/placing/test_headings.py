"""Headings: along the road, on the right side of it, as others drive."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.methods.fusion.placing.headings import AGAINST, ALONG, traffic_at
from snellen.vision.lidar.drivable_area import DrivableArea, cell_centres
from snellen.vision.lidar.ground_surface import GroundSurface
from tests.methods.fusion.placing.street_frames import CAR, placing, plaza, turned

cell_x, cell_y = cell_centres()


def known(road: np.ndarray) -> DrivableArea:
    """A road in ground that is known everywhere."""
    level = GroundSurface(np.full((320, 320), -1.73))
    free = np.full(road.shape, np.inf, dtype=np.float32)
    return DrivableArea(road, np.ones_like(road), free, level)


def lane_of(left: float, right: float, angle: float = 0.0) -> DrivableArea:
    """A road through where we are, its borders to the left and right, at an angle."""
    across = cell_y * math.cos(angle) - cell_x * math.sin(angle)
    return known(np.asarray((across < left) & (across > right)))


def degrees_off(yaws: np.ndarray, angle: float) -> np.ndarray:
    """How far axes lie from an angle, whichever end is ahead."""
    off = np.degrees(yaws - angle)
    return np.asarray(np.abs((off + 90) % 180 - 90))


@pytest.mark.parametrize("angle", [-0.3, -0.1, 0.0, 0.2, 0.35])
def test_the_axis_follows_the_road_away_from_us(angle: float) -> None:
    away = np.array([25.0, 35.0, 45.0])
    places = np.column_stack([away * math.cos(angle), away * math.sin(angle)])
    axes = traffic_at(places, lane_of(4, -4, angle), np.zeros((0, 7))).axes
    assert degrees_off(axes, angle).max() < 8


@pytest.mark.parametrize(("side", "left_hand"), [(1, False), (-1, True)])
def test_the_side_of_the_road_decides_the_way(side: int, left_hand: bool) -> None:
    """We drive in the outer of four lanes; both of the others' lanes come towards us."""
    road = lane_of(12, -2) if side == 1 else lane_of(2, -12)
    places = np.array([[20.0, 0.0], [20.0, side * 3.0], [20.0, side * 5.0], [20.0, side * 10.0]])
    ways = traffic_at(places, road, np.zeros((0, 7)), left_hand).ways
    assert ways.tolist() == [ALONG, ALONG, ALONG + AGAINST, AGAINST]


def test_a_road_whose_left_lane_is_ours_is_one_way() -> None:
    places = np.array([[20.0, 1.0], [20.0, -7.0]])
    ways = traffic_at(places, lane_of(2, -9), np.zeros((0, 7))).ways
    assert ways.tolist() == [ALONG, ALONG]


def test_a_vehicle_in_line_decides_the_way() -> None:
    """It faces us in the lane that would be ours by the side of the road."""
    car = np.array([[30.0, 0.0, -1, 4.2, 1.8, 1.5, math.pi - 0.1]])
    ways = traffic_at(np.array([[20.0, 0.3], [20.0, 6.0]]), lane_of(2, -9), car).ways
    assert ways[0] == AGAINST


def test_a_parked_row_across_gives_its_axis_to_a_plaza() -> None:
    cars = np.array([[20.0 + 2.6 * k, 6.0, -1, 4.2, 1.8, 1.5, math.pi / 2] for k in range(5)])
    everywhere = known(np.ones_like(cell_x, dtype=bool))
    axes = traffic_at(np.array([[25.0, 2.0]]), everywhere, cars).axes
    assert degrees_off(axes, math.pi / 2).max() < 5


def test_people_do_not_tell_the_way() -> None:
    people = np.array([[20.0, 0.5, -1, 0.8, 0.6, 1.7, 1.5]] * 6)
    everywhere = known(np.ones_like(cell_x, dtype=bool))
    axes = traffic_at(np.array([[20.0, 0.0]]), everywhere, people).axes
    assert degrees_off(axes, 0.0).max() < 1


def test_on_a_plaza_cars_head_as_we_do() -> None:
    places = placing(plaza, ()).draw(CAR, np.random.default_rng(0), 60)
    assert max(abs(math.degrees(p.yaw)) for p in places) < 20


@pytest.mark.parametrize("angle", [-0.15, 0.15])
def test_drawn_cars_head_along_a_road_that_veers(angle: float) -> None:
    places = placing(turned(angle), (), nearest=15).draw(CAR, np.random.default_rng(1), 60)
    assert len(places) == 60
    assert degrees_off(np.array([p.yaw for p in places]), angle).max() < 12


def test_both_ways_are_drawn_on_a_street_and_mirrored_by_the_traffic() -> None:
    for traffic, sign in (("right", 1), ("left", -1)):
        made = placing(cars=(), traffic=traffic, nearest=10)
        places = made.draw(CAR, np.random.default_rng(2), 200)
        along = np.array([abs(p.yaw) < math.pi / 2 for p in places])
        assert along.any()
        if sign == 1:
            lateral = np.array([p.y for p in places])
            assert (~along).any()
            assert lateral[~along].mean() > lateral[along].mean() + 2
