from __future__ import annotations

import numpy as np
import pytest

from snellen.subjects.fusion.footprint_suppression import suppress_overlaps
from snellen.subjects.fusion.frustums import solids_behind
from snellen.subjects.fusion.lidar_candidates import (
    LidarCandidates,
    best_per_part,
    candidates_in,
    visible_parts,
)
from snellen.subjects.fusion.obstacles import obstacles_in
from snellen.subjects.fusion.score_fusion import fused_scores
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.projected_boxes import image_boxes
from tests.subjects.fusion.solid_overlap import iou3d
from tests.subjects.fusion.streets import SIZE, calibration, car, cloud, frame

POLE = [10.0, 0.3, -0.73, 0.1, 0.1, 2.0, 0.0]


def shown(*boxes: list[float], scores: list[float] | None = None, label: int = 0) -> Detections:
    flat = image_boxes(np.array(boxes), calibration().frames(), SIZE)
    return Detections(flat, np.full(len(boxes), label), np.array(scores or [0.8] * len(boxes)))


def test_the_car_behind_the_pole_is_boxed_and_not_the_pole() -> None:
    box = car(22, 0.5, 0.3)
    street = frame([], cloud([box, POLE], step=0.1))
    found = solids_behind(shown(box), obstacles_in(street), street)
    assert len(found) == 1
    assert iou3d(found.boxes[0], box) > 0.5
    assert 0.4 < found.scores[0] <= 0.8
    np.testing.assert_allclose(found.image_boxes, shown(box).boxes)


def test_a_camera_box_with_nothing_behind_it_has_no_solid() -> None:
    street = frame([], cloud([car(15, 8)]))
    assert len(solids_behind(shown(car(20, -5)), obstacles_in(street), street)) == 0


def test_things_far_behind_a_small_box_do_not_fill_it() -> None:
    far = car(60, 0)
    street = frame([], cloud([far], step=0.1))
    near = shown(car(9, 0))
    assert len(solids_behind(near, obstacles_in(street), street)) == 0


def test_two_boxes_of_one_car_are_one_solid() -> None:
    box = car(15, 1)
    street = frame([], cloud([box], step=0.1))
    twice = shown(box, [*box[:1], 1.2, *box[2:]], scores=[0.6, 0.9])
    found = solids_behind(twice, obstacles_in(street), street)
    assert len(found) == 1
    assert found.scores[0] > 0.7


def test_the_lidar_alone_reports_each_car_once() -> None:
    boxes = [car(12, 3), car(25, -4, 0.2), car(18, 8, 1.4)]
    street = frame([], cloud(boxes, step=0.1))
    candidates = candidates_in(visible_parts(obstacles_in(street)), street)
    found = best_per_part(candidates, candidates.scores).above(0.4)
    assert len(found) == 3
    for box in boxes:
        assert max(iou3d(one, box) for one in found.boxes) > 0.6


def some(score: float, box: list[float], label: int = 0) -> LidarCandidates:
    boxes = np.array([box])
    flat = image_boxes(boxes, calibration().frames(), SIZE)
    return LidarCandidates(
        boxes, np.array([label]), np.array([score], np.float32), np.array([0]), flat
    )


NEAR, FAR = car(15, 0), car(70, 0)


def test_camera_and_lidar_that_agree_are_believed_more_than_either() -> None:
    [joined] = fused_scores(some(0.6, NEAR), shown(NEAR, scores=[0.7]))
    assert joined == pytest.approx(1 - 0.4 * 0.3)


def test_what_the_camera_should_see_and_does_not_is_believed_less() -> None:
    [near] = fused_scores(some(0.6, NEAR), Detections.empty())
    [far] = fused_scores(some(0.6, FAR), Detections.empty())
    assert near < far < 0.6
    [elsewhere] = fused_scores(some(0.6, NEAR), shown(car(15, 8)))
    assert elsewhere == near


def test_a_camera_box_of_another_class_is_no_support() -> None:
    other = shown(NEAR, scores=[0.9], label=1)
    assert fused_scores(some(0.6, NEAR), other) == fused_scores(some(0.6, NEAR), Detections.empty())


def test_more_support_never_makes_a_score_smaller() -> None:
    scores = [
        fused_scores(some(0.5, NEAR), shown(NEAR, scores=[sure]))[0]
        for sure in np.linspace(0, 1, 30)
    ]
    assert (np.diff(scores) >= -1e-7).all()
    aside = [
        fused_scores(some(0.5, NEAR), shown(car(15, y), scores=[0.8]))[0]
        for y in np.linspace(3, 0, 30)
    ]
    assert (np.diff(aside) >= -1e-7).all()


def test_no_candidates_have_no_scores() -> None:
    none = LidarCandidates(
        np.zeros((0, 7)), np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.int64),
        np.zeros((0, 4), np.float32),
    )  # fmt: skip
    assert fused_scores(none, shown(NEAR)).shape == (0,)
    assert len(best_per_part(none, none.scores)) == 0


def test_the_best_of_what_stands_in_one_place_stays() -> None:
    boxes = np.array([car(15, 0), car(15.3, 0.2), car(15, 2.5)])
    flat = np.zeros((3, 4), np.float32)
    found = suppress_overlaps(Detections3D(boxes, np.zeros(3), np.array([0.5, 0.9, 0.4]), flat))  # type: ignore[arg-type]
    np.testing.assert_allclose(found.boxes, boxes[[1, 2]])
