"""The published classes of error, case by case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.ground_truth import KittiObjects
from snellen.vision.kitti.multitest_errors import SolidError, solid_errors

CLASSES = ("Pedestrian", "Car")
CAR = 1
PLAIN = (100.0, 100.0, 200.0, 150.0)


def car(x: float, y: float = 0.0) -> tuple[float, ...]:
    return (x, y, -0.85, 4.0, 1.6, 1.5, 0.0)


def known(*rows: tuple[tuple[float, ...], dict[str, Any]]) -> KittiObjects:
    return KittiObjects(
        tuple(fields.get("type", "Car") for _, fields in rows),
        np.array([solid for solid, _ in rows]),
        np.array([fields.get("box", PLAIN) for _, fields in rows]),
        np.array([fields.get("occluded", 0) for _, fields in rows]),
        np.array([fields.get("truncated", 0.0) for _, fields in rows]),
    )


def found(
    *solids: tuple[float, ...],
    score: float = 0.9,
    label: int = CAR,
    box: tuple[float, ...] = (500, 100, 600, 150),
) -> Detections3D:
    count = len(solids)
    return Detections3D(
        np.array(solids),
        np.full(count, label),
        np.full(count, score, np.float32),
        np.tile(np.array(box, np.float32), (count, 1)),
    )


def errors_of(answer: Detections3D, truth: KittiObjects, **options: Any) -> list[Any]:
    made: tuple[SolidError, ...] = solid_errors(answer, truth, classes=CLASSES, **options)
    return [(one.kind.value, one.truth, one.detection) for one in made]


NONE = Detections3D.empty()
ONE = known((car(20), {}))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (NONE, [("missing", 0, None)]),
        (found(car(20)), []),
        (found(car(21.3)), []),  # IoU 2.7 / 5.3 = 0.509
        (found(car(21.4)), [("location", 0, 0)]),  # IoU 2.6 / 5.4 = 0.481
        (found(car(23.9)), [("location", 0, 0)]),
        (found(car(24.1)), [("missing", 0, None), ("false", None, 0)]),
        (found(car(20), car(21.5)), [("location", 0, 1)]),
        (found(car(20), score=0.5), [("missing", 0, None)]),  # not above 0.5
        (found(car(20), label=0), [("missing", 0, None)]),
        (found(car(20), car(40), score=0.51), [("false", None, 1)]),
    ],
)
def test_one_car_at_20_m(answer: Detections3D, expected: list[Any]) -> None:
    assert errors_of(answer, ONE) == expected


@pytest.mark.parametrize(
    ("fields", "ours", "published"),
    [
        ({}, True, False),  # easy: as published, not counted
        ({"box": (100, 100, 200, 130)}, True, True),
        ({"occluded": 1}, True, True),
        ({"occluded": 2}, False, False),
        ({"truncated": 0.25}, True, True),
        ({"truncated": 0.4}, False, False),
        ({"type": "Van"}, False, False),
        ({"type": "DontCare"}, False, False),
    ],
)
def test_which_cars_can_be_missed(fields: dict[str, Any], ours: bool, published: bool) -> None:
    truth = known((car(20), fields))
    assert bool(errors_of(NONE, truth)) == ours
    assert bool(errors_of(NONE, truth, moderate_only=True)) == published


@pytest.mark.parametrize(
    ("fields", "x", "expected"),
    [
        ({"type": "Van"}, 22, []),
        ({"type": "DontCare"}, 22, []),
        ({"type": "Pedestrian"}, 22, [("false", None, 0)]),
        ({"occluded": 3}, 20, []),
        ({"occluded": 3}, 22, [("location", 0, 0)]),
    ],
)
def test_what_a_detection_on_another_thing_is(
    fields: dict[str, Any], x: float, expected: list[Any]
) -> None:
    assert errors_of(found(car(x)), known((car(20), fields))) == expected


def test_a_region_without_a_3d_box_spares_what_the_image_shows_there() -> None:
    region = known(((0.0,) * 7, {"type": "DontCare"}))
    assert errors_of(found(car(30), box=PLAIN), region) == []
    assert errors_of(found(car(30)), region) == [("false", None, 0)]


def test_errors_within_5_m_are_serious() -> None:
    near, far = (solid_errors(found(car(x)), known(), classes=CLASSES)[0] for x in (4.7, 4.8))
    # the centre of the bottom face is 1.6 m lower: 4.965 m and 5.06 m
    assert (near.serious, far.serious) == (True, False)
    assert near.distance == pytest.approx(np.hypot(4.7, 1.6))


def test_in_the_image_the_image_boxes_decide() -> None:
    answer = found(car(60), box=(140, 100, 240, 150))  # 60 x 50 of 140 x 50: IoU 0.43
    assert errors_of(answer, ONE, metric="2d") == [("location", 0, 0)]
    assert errors_of(answer, ONE, metric="3d") == [("missing", 0, None), ("false", None, 0)]


def test_nothing_known_and_nothing_found_is_no_error() -> None:
    assert errors_of(NONE, known()) == []
