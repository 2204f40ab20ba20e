"""Accepted and refused answers of a camera+LiDAR subject."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.errors import SubjectError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.subject import Task
from snellen.vision.detections3d import Detections3D

CLASSES = ("Car", "Cyclist")
LENS = np.array([[700.0, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1, 0]])
AHEAD = np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0]])
CAR = [15.0, 1.0, -0.9, 4.0, 1.7, 1.5, 0.2]


@pytest.fixture
def frame() -> Frame:
    calibration = Calibration(LENS, LENS, LENS, LENS, np.eye(3), AHEAD, AHEAD)
    image = np.zeros((375, 1242, 3), dtype=np.uint8)
    return Frame(image, np.zeros((0, 4), dtype=np.float32), calibration)


def checked(answer: object, frame: Frame) -> Detections3D:
    [made] = checked_batch([answer], [frame], CLASSES, Task.DETECTION_3D)
    assert isinstance(made, Detections3D)
    return made


def test_names_and_plain_lists_are_read_and_the_image_box_is_projected(frame: Frame) -> None:
    made = checked({"boxes": [CAR], "labels": ["Cyclist"], "scores": [0.5]}, frame)
    assert made.labels.tolist() == [1]
    x1, y1, x2, y2 = made.image_boxes[0].tolist()
    # The car's middle is seen at 600 - 700 * 1 / 15 = 553 from the left.
    assert x1 < 553 < x2
    assert y1 < 180 + 700 * 0.9 / 15 < y2


def test_a_subjects_own_image_box_is_kept_and_an_empty_one_replaced(frame: Frame) -> None:
    answer = {
        "boxes": [CAR, CAR],
        "labels": [0, 0],
        "scores": [0.5, 0.4],
        "image_boxes": [[500, 150, 700, 260], [0, 0, 0, 0]],
    }
    made = checked(answer, frame)
    assert made.image_boxes[0].tolist() == [500, 150, 700, 260]
    projected = checked({"boxes": [CAR], "labels": [0], "scores": [0.5]}, frame).image_boxes[0]
    assert made.image_boxes[1].tolist() == projected.tolist()


def test_a_turned_yaw_is_brought_back_into_one_turn(frame: Frame) -> None:
    turned = [*CAR[:6], CAR[6] + 4 * np.pi]
    made = checked({"boxes": [turned], "labels": [0], "scores": [0.5]}, frame)
    assert made.boxes[0, 6] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"boxes": [CAR[:6]], "labels": [0], "scores": [1]}, r"\(1, 6\), expected \(N, 7\)"),
        ({"boxes": [[*CAR[:5], 0, 0]], "labels": [0], "scores": [1]}, "expected metres above 0"),
        ({"boxes": [CAR], "labels": [2], "scores": [1]}, "expected 0 to 1"),
        ({"boxes": [CAR], "labels": [0], "scores": [80]}, "from 0 to 1"),
        ({"boxes": [CAR], "labels": [0, 0], "scores": [1]}, "one box, label and score"),
        ({"boxes": [CAR], "scores": [1]}, "no 'labels'"),
        ({"boxes": [[np.nan] * 7], "labels": [0], "scores": [1]}, "finite"),
        ([1, 2], "expected Detections3D or a mapping"),
    ],
)
def test_a_senseless_answer_is_refused_in_words(answer: object, said: str, frame: Frame) -> None:
    with pytest.raises(SubjectError, match=said):
        checked(answer, frame)


def test_no_detections_are_an_answer(frame: Frame) -> None:
    assert len(checked({"boxes": [], "labels": [], "scores": []}, frame)) == 0
