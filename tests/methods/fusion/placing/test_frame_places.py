"""Places: allowed as shapely, the points and the limits say, evenly drawn, the same again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from snellen.errors import UserError
from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.methods.fusion.placing.place_checks import COLLIDING, REASONS
from snellen.methods.fusion.placing.pose import GroundPose, is_pedestrian_size
from snellen.vision.lidar.ground_surface import ground_height
from snellen.vision.solids.coordinate_frames import LidarPoints
from tests.methods.fusion.placing.street_frames import (
    AHEAD,
    BUS,
    CAR,
    KERB,
    OTHER,
    PERSON,
    SIZE,
    cloud,
    placing,
    plaza,
)
from tests.vision.solids.test_footprints import polygon, shapely


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def footprint(place: GroundPose, size: tuple[float, float, float]) -> Any:
    return polygon((place.x, place.y, size[0], size[1], place.yaw))


@pytest.mark.parametrize("size", [CAR, BUS, PERSON])
def test_no_drawn_place_touches_anything_or_leaves_the_road(
    size: tuple[float, float, float],
) -> None:
    made = placing()
    seen = cloud()
    low = seen[(seen[:, 2] > -1.5) & (seen[:, 2] < -1.73 + size[2])]
    other = polygon((OTHER[0], OTHER[1], OTHER[3], OTHER[4], OTHER[6]))
    places = made.draw(size, rng(), 150)
    assert len(places) == 150
    for place in places:
        assert made.allowed(place, size) is None
        shape = footprint(place, size)
        assert shape.distance(other) > 0.3 - 1e-6
        assert not shapely.contains_xy(shape.buffer(0.25), low[:, :2]).any()
        assert 5 <= math.hypot(place.x, place.y) <= 60
        middle = np.array([[place.x, place.y, place.z + size[2] / 2]])
        u, v, depth = AHEAD.lidar_to_image(LidarPoints(middle))[0]
        assert 0 <= u < SIZE[1]
        assert 0 <= v < SIZE[0]
        assert depth > 0
        left, right = (11, -6) if is_pedestrian_size(size) else (8.2, -2.7)
        assert right < shape.bounds[1]
        assert shape.bounds[3] < left
        if min(abs(place.y - 8), abs(place.y + 2.5)) > 1:
            step = 0.0 if -2.5 < place.y < 8 else KERB
            assert place.z == pytest.approx(-1.73 + step, abs=0.05)


def test_cars_in_neighbouring_lanes_3_m_apart_are_allowed() -> None:
    beside = GroundPose(OTHER[0], OTHER[1] + 3.0, -1.73, 0.0)
    assert placing().allowed(beside, CAR) is None
    into = GroundPose(OTHER[0], OTHER[1] + 1.9, -1.73, 0.0)
    assert placing().allowed(into, CAR) is not None


@pytest.mark.parametrize(
    ("place", "size", "why"),
    [
        (GroundPose(4.0, 0, -1.73, 0), CAR, "nearer or farther"),
        (GroundPose(61.0, 0, -1.73, 0), CAR, "nearer or farther"),
        (GroundPose(12.0, -4.0, -1.73, 0), CAR, "not on the road"),
        (GroundPose(12.0, -2.5, -1.73, 0), CAR, "not on the road"),
        (GroundPose(16.0, 1.6, -1.73, math.pi / 2), BUS, "not on the road"),
        (GroundPose(20.3, 1.0, -1.73, 0), CAR, "too near"),
        (GroundPose(12.0, 7.0, -1.73, 0.6), BUS, "LiDAR saw"),
        (GroundPose(6.0, 5.8, -1.73, 0), CAR, "view"),
        (GroundPose(8.0, 0, -1.73, 0), BUS, "too near"),
        (GroundPose(15.0, 1.0, -1.73, 0), CAR, None),
    ],
)
def test_a_refusal_says_why(
    place: GroundPose, size: tuple[float, float, float], why: str | None
) -> None:
    found = placing().allowed(place, size)
    assert (found is None) if why is None else (found is not None and why in found)


def test_a_box_that_the_lidar_did_not_see_is_avoided_too() -> None:
    unseen = (15.0, 4.0, -0.98, 4.2, 1.8, 1.5, 0.01)
    made = placing(cars=(OTHER, unseen))
    assert made.allowed(GroundPose(16, 4.5, -1.73, 0), CAR) == REASONS[COLLIDING]


def test_what_was_inserted_before_is_avoided() -> None:
    made = placing()
    taken = np.zeros((0, 7))
    for seed in range(12):
        found = made.draw(CAR, rng(seed), 1, taken)
        if found:
            taken = np.vstack([taken, found[0].box(CAR)])
    assert len(taken) >= 6
    shapes = [polygon(row[[0, 1, 3, 4, 6]]) for row in taken]
    for i, first in enumerate(shapes):
        assert all(first.distance(second) > 0.3 - 1e-6 for second in shapes[:i])


def test_places_are_drawn_evenly_from_all_that_are_allowed() -> None:
    made = placing(nearest=10, farthest=22)
    rows = made.candidates(CAR)
    drawn = made.draw(CAR, rng(5), 40 * len(rows))
    cells = np.floor(np.array([(p.x, p.y) for p in drawn]) / 0.5 + 0.25) @ [1000, 1]
    wanted = np.floor(rows[:, :2] / 0.5 + 0.25) @ [1000, 1]
    ways = [np.cos([p.yaw for p in drawn]) > 0, np.cos(rows[:, 2]) > 0]
    keys, counts = np.unique(cells * 2 + ways[0], return_counts=True)
    assert sorted(keys) == sorted(np.unique(wanted * 2 + ways[1]))
    assert len(keys) == len(rows)
    assert chisquare(counts).pvalue > 1e-3


def test_the_same_seed_draws_the_same_places_and_another_seed_others() -> None:
    first, again = placing().draw(CAR, rng(3), 30), placing().draw(CAR, rng(3), 30)
    assert first == again
    assert first != placing().draw(CAR, rng(4), 30)


def test_without_room_nothing_is_drawn() -> None:
    made = placing(nearest=5, farthest=6)
    assert made.draw(BUS, rng(), 10) == []


@pytest.mark.parametrize("count", [0, 1, 40])
def test_a_sweep_of_next_to_nothing_has_no_places(count: int) -> None:
    points = rng().normal(0, 20, (count, 4))
    made = FramePlaces(points, np.full(count, True), np.zeros((0, 7)), AHEAD, (0, 0))
    assert made.draw(CAR, rng(), 5) == []
    assert made.allowed(GroundPose(10, 0, -1.73, 0), CAR) is not None


def test_a_surface_that_is_known_already_gives_the_same_places() -> None:
    points, ground = _arrays()
    known = ground_height(points, ground)
    boxes = np.array([OTHER])
    made = FramePlaces(points, ground, boxes, AHEAD, SIZE, surface=known)
    assert made.draw(CAR, rng(3), 5) == placing().draw(CAR, rng(3), 5)


def test_the_sector_limits_bearings() -> None:
    made = placing(right=math.radians(3), left=math.radians(20))
    bearings = [math.degrees(math.atan2(p.y, p.x)) for p in made.draw(CAR, rng(), 60)]
    assert min(bearings) >= 3
    assert max(bearings) <= 20


def is_behind(place: GroundPose) -> bool:
    sight = shapely.LineString([(0, 0), (place.x, place.y)])
    return bool(sight.intersects(polygon((OTHER[0], OTHER[1], OTHER[3], OTHER[4], OTHER[6]))))


def test_places_behind_others_are_allowed_avoided_or_sought() -> None:
    near: Any = {"farthest": 45.0}
    allowed = placing(**near).draw(CAR, rng(), 300)
    assert 0 < sum(map(is_behind, allowed)) < 300
    only = placing(behind="only", **near).draw(CAR, rng(), 50)
    assert len(only) == 50
    assert all(map(is_behind, only))
    avoid = placing(behind="avoid", **near)
    assert not any(map(is_behind, avoid.draw(CAR, rng(), 100)))
    shown = footprint(avoid.draw(CAR, rng(), 1)[0], CAR)
    assert shown.area == pytest.approx(CAR[0] * CAR[1])
    assert avoid.allowed(only[0], CAR) == "behind another object"
    front = placing(behind="only", **near).allowed(GroundPose(12, 0, -1.73, 0), CAR)
    assert front == "not behind another object"


def test_avoiding_keeps_every_corner_in_sight() -> None:
    other = polygon((OTHER[0], OTHER[1], OTHER[3], OTHER[4], OTHER[6]))
    for place in placing(behind="avoid").draw(CAR, rng(1), 100):
        for corner in footprint(place, CAR).exterior.coords:
            assert not shapely.LineString([(0, 0), corner]).intersects(other)


def test_people_stand_on_the_pavement_too_unless_they_are_kept_on_the_road() -> None:
    def off_road(made: FramePlaces) -> list[bool]:
        return [not -2.6 < p.y < 8.1 for p in made.draw(PERSON, rng(), 200)]

    assert 0 < sum(off_road(placing())) < 200
    assert not any(off_road(placing(beside=0.0)))


def test_people_look_anywhere() -> None:
    yaws = np.array([p.yaw for p in placing().draw(PERSON, rng(), 400)])
    counts, _ = np.histogram(yaws, bins=8, range=(-math.pi, math.pi))
    assert chisquare(counts).pvalue > 1e-3


def test_without_a_camera_places_lie_on_the_whole_road() -> None:
    made = placing(plaza, (), in_view=False)
    bearings = np.array([math.atan2(p.y, p.x) for p in made.draw(CAR, rng(), 300)])
    assert np.abs(bearings).max() > math.radians(50)


def test_the_road_of_an_image_confirms_places() -> None:
    points_road = np.zeros(SIZE, dtype=bool)
    points_road[:, :610] = True
    whole = placing()
    made = FramePlaces(*_arrays(), np.array([OTHER]), AHEAD, SIZE, PlaceLimits(), road=points_road)
    assert any(p.y < 0 for p in whole.draw(CAR, rng(), 50))
    assert all(p.y > 0 for p in made.draw(CAR, rng(), 50))


def _arrays() -> tuple[Any, Any]:
    from tests.methods.fusion.placing.street_frames import _swept, street

    return _swept(street, (OTHER,))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"nearest": 20.0, "farthest": 10.0}, "20 to 10 m"),
        ({"farthest": 90.0}, "90 m"),
        ({"right": 0.5, "left": 0.1}, "sector"),
        ({"margin": -1.0}, "margin"),
        ({"beside": 99.0}, "beside"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, float], said: str) -> None:
    with pytest.raises(UserError, match=said):
        PlaceLimits(**limits)  # type: ignore[arg-type]
