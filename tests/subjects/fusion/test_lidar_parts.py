from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.subjects.fusion.box_completion import completed_box, visible_part
from snellen.subjects.fusion.class_belief import belief
from snellen.subjects.fusion.obstacles import HIGHEST, LOWEST, Obstacles, obstacles_in
from snellen.subjects.fusion.point_clusters import clusters
from snellen.subjects.fusion.priors import CAR, CYCLIST, PEDESTRIAN, PRIORS
from snellen.subjects.fusion.rectangles import rectangle_around
from snellen.vision.solids.coordinate_frames import LidarPoints
from tests.subjects.fusion.solid_overlap import iou3d
from tests.subjects.fusion.streets import car, cloud, frame

angles = st.floats(-np.pi, np.pi)


def linked(points: np.ndarray, share: float) -> np.ndarray:
    """(N, N) whether a chain of steps joins two points, by brute force; the length of a step is
    relative to the threshold at its nearer end."""
    range_ = np.hypot(points[:, 0], points[:, 1])
    step = 0.3 + 0.01 * np.minimum(range_[:, None], range_[None])
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    together = apart <= share * step
    for _ in range(len(points)):
        together = together | (together @ together)
    return np.asarray(together)


@given(
    st.lists(st.tuples(st.floats(5, 12), st.floats(-4, 4)), min_size=1, max_size=25),
    st.randoms(use_true_random=False),
)
def test_chains_of_short_steps_are_one_cluster_and_long_steps_part_them(points, random) -> None:  # type: ignore[no-untyped-def]
    flat = np.array(points)
    groups = clusters(flat, gap=0.3, spread=0.01)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(flat)))
    assert [len(one) for one in groups] == sorted((len(one) for one in groups), reverse=True)
    same = np.zeros((len(flat), len(flat)), dtype=bool)
    for group in groups:
        same[np.ix_(group, group)] = True
    # Cell diagonals and the normalisation of far points leave a band of uncertainty.
    assert same[linked(flat, 0.5)].all()
    assert not same[~linked(flat, 2.2)].any()


def test_the_same_gap_parts_near_things_and_not_far_ones() -> None:
    def pair(x: float) -> np.ndarray:
        side = np.column_stack([np.linspace(0, 1, 30), np.zeros(30)])
        return np.vstack([np.add(side, (x, 0)), np.add(side, (x + 1.35, 0))])

    assert len(clusters(pair(8.0))) == 2
    assert len(clusters(pair(70.0))) == 1


def test_no_points_are_no_clusters() -> None:
    assert clusters(np.zeros((0, 3))) == []


@given(angles, st.floats(3, 5), st.floats(1.4, 2), st.integers(0, 2**32 - 1))
def test_a_noisy_l_shape_has_its_heading_and_sides_found(
    yaw: float, length: float, width: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    side = np.column_stack([np.linspace(0, length, 90), np.zeros(90)])
    back = np.column_stack([np.zeros(40), np.linspace(0, width, 40)])
    flat = np.vstack([side, back]) + rng.normal(0, 0.01, (130, 2))
    cos, sin = np.cos(yaw), np.sin(yaw)
    place = -20 * np.array([cos + sin, sin - cos]) / np.sqrt(2)  # its corner faces the LiDAR
    found = rectangle_around((flat @ np.array([[cos, sin], [-sin, cos]])) - place)
    off = (found.yaw - yaw) % (np.pi / 2)
    assert min(off, np.pi / 2 - off) < np.radians(4)
    assert sorted(found.sides.tolist()) == pytest.approx([width, length], abs=0.4)
    assert 0 <= found.yaw < np.pi / 2


@pytest.mark.parametrize(("count"), [1, 2, 3])
def test_a_few_returns_have_a_rectangle_as_well(count: int) -> None:
    found = rectangle_around(np.array([[10.0, 1.0], [10.2, 1.4], [10.3, 1.1]])[:count])
    assert (found.sides >= 0).all()
    assert 0 <= found.closeness <= 1


CARS = [
    car(12, 0, 0.0),
    car(12, 3, 0.0),
    car(15, -5, 1.2),
    car(20, 4, -0.7),
    car(25, -8, np.pi / 2),
    car(30, 0, 3.0),
    car(35, 6, 0.1, (4.4, 1.8, 1.6)),
    car(14, -3, 0.0, (3.4, 1.6, 1.5)),
]


@pytest.mark.parametrize("box", CARS)
def test_the_box_of_a_car_is_found_from_the_faces_that_are_seen(box: list[float]) -> None:
    street = obstacles_in(frame([], cloud([box])))
    groups = clusters(street.points)
    found = completed_box(visible_part(street[groups[0]]), CAR)
    assert iou3d(found, box) > 0.6
    turn = (found[6] - box[6]) % np.pi
    assert min(turn, np.pi - turn) < np.radians(8)
    assert found[0] * np.cos(found[6]) + found[1] * np.sin(found[6]) > 0


def test_only_what_stands_on_the_ground_is_left() -> None:
    thing, ceiling = car(15, 0), [20, 0, 3.0, 10, 10, 0.2, 0.0]
    street = frame([], cloud([thing, ceiling]))
    found = obstacles_in(street)
    above = found.points[:, 2] + 1.73
    assert len(found) > 100
    assert (above > LOWEST - 0.05).all()
    assert (above < HIGHEST + 0.05).all()
    np.testing.assert_allclose(found.ground, -1.73, atol=0.05)
    assert (np.abs(found.points[:, 0] - 15) < 2.3).all()


def test_pixels_are_those_of_the_calibration_and_inside_the_image() -> None:
    street = frame([], cloud([car(15, 0), car(12, 14)]))
    found = obstacles_in(street)
    expected = street.frames.lidar_to_image(LidarPoints(found.points))
    np.testing.assert_allclose(found.pixels, expected[:, :2], atol=1e-6)
    height, width = street.size
    assert (found.pixels >= 0).all()
    assert (found.pixels < [width, height]).all()


def test_an_empty_sweep_has_no_obstacles() -> None:
    assert len(obstacles_in(frame([], np.zeros((0, 4))))) == 0


PERSON = [10, 1, -1.73 + 0.88, 0.5, 0.6, 1.76, 0.0]
RIDER = [12, 1, -1.73 + 0.92, 1.75, 0.5, 1.84, 1.4]
WALL = [12, 0, -0.73, 14.0, 0.3, 2.0, np.pi / 2]
POST = [10, 0, -0.73, 0.15, 0.15, 2.0, 0.0]


@pytest.mark.parametrize(
    ("box", "best"), [(car(12, 3), CAR), (PERSON, PEDESTRIAN), (RIDER, CYCLIST)]
)
def test_a_thing_is_believed_to_be_what_it_is(box: list[float], best: object) -> None:
    part = visible_part(largest(box))
    beliefs = [belief(part, prior) for prior in PRIORS]
    assert max(beliefs) > 0.6
    assert PRIORS[int(np.argmax(beliefs))] is best


@pytest.mark.parametrize("box", [WALL, POST])
def test_walls_and_posts_are_not_believed_to_be_anything(box: list[float]) -> None:
    part = visible_part(largest(box))
    assert max(belief(part, prior) for prior in PRIORS) < 0.3


def largest(box: list[float]) -> Obstacles:
    street = obstacles_in(frame([], cloud([box], step=0.1)))
    return street[clusters(street.points)[0]]
