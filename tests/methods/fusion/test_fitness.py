"""MultiTest's fitness: the published tool's own values, and what it must do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.fusion.fitness import fitness
from snellen.vision.detections3d import Detections3D

NOTHING = Detections3D.empty()


def standing(x: float, y: float, ground: float = -1.6, yaw: float = 0.0) -> tuple[float, ...]:
    """A car of 4.0 x 1.6 x 1.5 m on the ground, 1.6 m below the sensor.

    The published tool was asked about cars with KITTI's location (0, 1.6, 20) and so on, camera
    frame; the distance is that of the middle of the bottom face. Length 4.0 m is what its values
    of a shift lead to: 0.25 * (1 - (4 - s) / (4 + s)).
    """
    return (x, y, ground + 0.75, 4.0, 1.6, 1.5, yaw)


def boxes(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows).reshape(-1, 7)


def found(
    *rows: tuple[float, ...],
    score: float | list[float] = 1.0,
    label: int = 0,
    box: tuple[float, ...] = (100, 100, 200, 150),
) -> Detections3D:
    count = len(rows)
    return Detections3D(
        boxes(*rows),
        np.full(count, label),
        np.broadcast_to(np.array(score, np.float32), count),
        np.tile(np.array(box, np.float32), (count, 1)),
    )


# Golden values of the published tool (METHODS 3.8)


def test_a_miss_at_20_m_is_0_4164() -> None:
    """d = sqrt(20^2 + 1.6^2) = 20.064 m: 0.5 * (1 - d / 120)."""
    assert fitness(NOTHING, boxes(standing(20, 0))) == pytest.approx(0.4164, abs=5e-5)


def test_a_phantom_of_0_8_at_30_m_is_0_1482() -> None:
    """30 m ahead and 8 m aside, d = 31.09 m: 0.25 * 0.8 * (1 - d / 120)."""
    there = found(standing(30, 8), score=0.8)
    assert fitness(there, boxes()) == pytest.approx(0.1482, abs=5e-5)


@pytest.mark.parametrize(
    ("shift", "value"), [(0.2, 0.024), (1.0, 0.100), (2.0, 0.167), (3.5, 0.233)]
)
def test_a_shift_along_a_car_of_4_m(shift: float, value: float) -> None:
    moved = found(standing(20 + shift, 0))
    assert fitness(moved, boxes(standing(20, 0))) == pytest.approx(value, abs=5e-4)


# What it must do


def test_empty_frames_have_no_fitness() -> None:
    assert fitness(NOTHING, boxes()) == 0


def test_a_right_answer_has_no_fitness() -> None:
    three = (standing(10, 3), standing(30, -3), standing(60, 0))
    assert fitness(found(*three), boxes(*three)) == pytest.approx(0)


def test_parts_add_up_by_their_weights() -> None:
    """A miss at 60 m (nearness 1/2), a phantom of 0.5 at 30 m (3/4), a shift of 1 m (0.4)."""
    flat = [standing(x, 0, ground=0) for x in (60, 100, 30, 99)]
    answer = found(flat[2], flat[3], score=[0.5, 0.9])
    value = fitness(answer, boxes(flat[0], flat[1]), weights=(0.2, 0.3, 0.5))
    assert value == pytest.approx(0.2 * 0.5 + 0.3 * 0.375 + 0.5 * 0.4)


def test_beyond_the_reach_nothing_matters() -> None:
    assert fitness(NOTHING, boxes(standing(200, 0))) == 0
    assert fitness(found(standing(200, 0)), boxes()) == 0
    assert fitness(NOTHING, boxes(standing(20, 0)), reach=20) == 0


def test_the_worst_placed_object_counts_and_not_each_with_every_detection() -> None:
    known = (standing(10, 3), standing(30, -3))
    answer = found(known[0], standing(31, -3))
    assert fitness(answer, boxes(*known)) == pytest.approx(0.25 * 0.4)


def test_what_need_not_be_found_is_neither_missed_nor_false() -> None:
    hidden = standing(15, 0)
    assert fitness(NOTHING, boxes(), ignored=boxes(hidden)) == 0
    assert fitness(found(standing(16, 0)), boxes(), ignored=boxes(hidden)) == 0
    assert fitness(found(standing(25, 0)), boxes(), ignored=boxes(hidden)) > 0


def test_a_detection_in_a_region_of_the_image_is_not_false() -> None:
    phantom = found(standing(25, 0))
    assert fitness(phantom, boxes(), regions=np.array([[190, 100, 300, 200]])) == 0
    assert fitness(phantom, boxes(), regions=np.array([[210, 100, 300, 200]])) > 0


def test_another_label_is_as_good_as_none_where_labels_are_told() -> None:
    known, answer = boxes(standing(20, 0)), found(standing(20, 0), label=1)
    assert fitness(answer, known) == 0
    wrong = fitness(answer, known, labels=np.array([0]))
    assert wrong == pytest.approx(0.4164 + 0.2082, abs=1e-4)


@given(st.integers(0, 10**6))
def test_each_further_miss_or_phantom_makes_it_worse(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = [standing(float(x), float(y)) for x, y in rng.uniform([6, -20], [80, 20], (3, 2))]
    rest = found(*known[1:])
    assert fitness(rest, boxes(*known[1:])) <= fitness(rest, boxes(*known)) + 1e-12
    far = standing(100, 30)
    more = found(*known, far, score=0.6)
    assert fitness(found(*known), boxes(*known)) < fitness(more, boxes(*known))
