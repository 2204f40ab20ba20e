from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from snellen.subjects.pointgnn.box_codes import ACROSS, ALONG
from snellen.subjects.pointgnn.graph_network import Votes
from snellen.subjects.pointgnn.vote_merge import CarVotes, car_votes, merge_votes, scores_of
from tests.subjects.pointgnn.encoded_boxes import encode_boxes

geometry: Any = pytest.importorskip("shapely.geometry")

CAR = [2.0, 1.7, 20.0, 4.0, 1.5, 1.7, 0.1]


def footprint(box: Any) -> Any:
    """The footprint in the camera's x and z; yaw rotates the length from x towards -z."""
    x, _, z, length, _, width, yaw = box
    along = np.array([np.cos(yaw), -np.sin(yaw)]) * length / 2
    across = np.array([np.sin(yaw), np.cos(yaw)]) * width / 2
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return geometry.Polygon([np.array([x, z]) + a * along + b * across for a, b in signs])


def iou(one: Any, other: Any) -> float:
    flat = footprint(one).intersection(footprint(other)).area
    common = flat * max(0.0, min(one[1], other[1]) - max(one[1] - one[4], other[1] - other[4]))
    return float(common / (np.prod(one[3:6]) + np.prod(other[3:6]) - common))


def slow(found: CarVotes, overlap: float) -> tuple[Any, Any]:
    """The same rule, by loops and polygons."""
    left = list(range(len(found.shares)))
    boxes, weights = [], []
    while left:
        first = left.pop(0)
        group = [i for i in left if iou(found.boxes[first], found.boxes[i]) > overlap]
        left = [i for i in left if i not in group]
        box = np.median(found.boxes[[first, *group]], axis=0)
        weight = found.shares[first]
        weight += sum(found.shares[i] * iou(box, found.boxes[i]) for i in group)
        boxes.append(box)
        weights.append(weight * (1 + span(box, found.places)))
    return np.array(boxes), np.array(weights)


def span(box: Any, places: Any) -> float:
    """The share of the box between its outermost voters."""
    x, y, z, length, height, width, yaw = box
    inside = []
    for place in places:
        dx, dy, dz = place - [x, y, z]
        along = (dx * np.cos(yaw) - dz * np.sin(yaw)) / length
        across = (dx * np.sin(yaw) + dz * np.cos(yaw)) / width
        up = -dy / height
        if abs(along) < 0.5 and abs(across) < 0.5 and 0 < up < 1:
            inside.append([along, across, up])
    return float(np.ptp(inside, axis=0).prod()) if inside else 0.0


def scattered(seed: int, count: int = 60) -> CarVotes:
    rng = np.random.default_rng(seed)
    cars = np.array([CAR, [8.0, 1.6, 25.0, 3.8, 1.5, 1.6, 1.5], [-4, 1.5, 14, 4.2, 1.6, 1.7, 0.7]])
    noise = rng.normal(0, [0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.2], (count, 7))
    boxes = cars[rng.integers(0, 3, count)] + noise
    places = boxes[:, :3] + rng.uniform([-2, -1.5, -1], [2, 0, 1], (count, 3))
    shares = np.sort(rng.uniform(0.25, 1, count))[::-1]
    return CarVotes(boxes, shares, places)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("overlap", [0.01, 0.5])
def test_cars_and_weights_are_those_of_the_rule_by_loops_and_polygons(
    seed: int, overlap: float
) -> None:
    found = scattered(seed)
    boxes, weights = merge_votes(found, overlap)
    expected_boxes, expected_weights = slow(found, overlap)
    np.testing.assert_allclose(boxes, expected_boxes, atol=1e-9)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-6)


def test_cars_side_by_side_stay_two() -> None:
    boxes = np.array([CAR, [*CAR[:2], CAR[2] + 3.0, *CAR[3:]]])
    found = CarVotes(boxes, np.array([0.9, 0.8]), boxes[:, :3] - [0, 0.7, 0])
    assert len(merge_votes(found, 0.01)[0]) == 2


def test_more_agreement_weighs_more() -> None:
    def weight(count: int) -> float:
        boxes = np.array([CAR] * count)
        found = CarVotes(boxes, np.full(count, 0.5), boxes[:, :3] - [0, 0.7, 0])
        return float(merge_votes(found, 0.01)[1][0])

    assert weight(1) == pytest.approx(0.5)
    assert weight(4) == pytest.approx(2.0)


def test_voters_all_over_the_box_weigh_twice_as_much_as_one_place() -> None:
    corner = np.array([1.9999, -0.7499, 0.8499])
    middle = np.array([0.0, 1.0, 10.0]) - [0, 0.75, 0]
    places = np.array([middle + corner, middle - corner])
    boxes = np.array([[0.0, 1.0, 10.0, 4.0, 1.5, 1.7, 0.0]] * 2)
    wide = merge_votes(CarVotes(boxes, np.array([0.5, 0.5]), places), 0.01)[1]
    narrow = merge_votes(CarVotes(boxes, np.array([0.5, 0.5]), places[[0, 0]]), 0.01)[1]
    assert wide[0] == pytest.approx(2 * narrow[0], rel=1e-3)


def test_no_votes_are_no_cars() -> None:
    none = CarVotes(np.zeros((0, 7)), np.zeros(0), np.zeros((0, 3)))
    boxes, weights = merge_votes(none, 0.01)
    assert boxes.shape == (0, 7)
    assert weights.shape == (0,)


def test_only_car_classes_above_an_even_guess_are_votes_the_surest_first() -> None:
    shares = np.array(
        [[0.9, 0.05, 0.05, 0.0], [0.1, 0.6, 0.3, 0.0], [0.0, 0.2, 0.7, 0.1], [0.1, 0.1, 0.2, 0.6]]
    )
    places = np.arange(12.0).reshape(4, 3)
    codes = np.zeros((4, 4, 7))
    box = np.array([[2.0, 1.7, 20.0, 4.0, 1.5, 1.7, 1.5]])
    codes[2, ACROSS] = encode_boxes(box, places[[2]], np.array([ACROSS]))[0]
    found = car_votes(Votes(places, shares.astype(np.float32), codes.astype(np.float32)))
    np.testing.assert_allclose(found.shares, [0.7, 0.6, 0.3], atol=1e-6)
    np.testing.assert_allclose(found.boxes[0], box[0], atol=1e-5)
    np.testing.assert_array_equal(found.places, places[[2, 1, 1]])
    assert found.boxes[1, 6] == pytest.approx(0.0)
    assert found.boxes[2, 6] == pytest.approx(np.pi / 2)
    assert ALONG == 1


def test_scores_keep_the_order_of_weights_and_stay_below_one() -> None:
    weights = np.array([0.25, 0.3, 2.0, 60.0, 500.0])
    scores = scores_of(weights)
    assert (np.diff(scores) > 0).all()
    assert 0 < scores[0] < scores[-1] < 1
