from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.scenes.frame import Frame
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.subjects.answers.solid_checks import checked_solids
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from tests.subjects.pointgnn import tiny_network as tiny

SIZE = (360, 1200)


def calibration() -> Calibration:
    lens = np.array([[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1.0, 0]])
    ahead = np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0.0]])
    return Calibration(lens, lens, lens, lens, np.eye(3), ahead, ahead)


def frame(seed: int, count: int = 150, image: bool = True) -> Frame:
    rng = np.random.default_rng(seed)
    x, y, z = tiny.cloud(rng, count)[:, [2, 0, 1]].T
    points = np.column_stack([x, -y, -z, rng.uniform(0, 1, len(x))]).astype(np.float32)
    return Frame(np.zeros((*SIZE, 3), np.uint8) if image else None, points, calibration())


def subject(folder: Path, **options: Any) -> Any:
    """A tiny network with high car probabilities, so that there are detections to compare."""
    values = tiny.config()
    arrays = tiny.tensors(values)
    arrays["output.predictor.cls.fully_connected_1.biases"] = np.array([0, 2, 2, 0], np.float32)
    given = {"outside": 1, "threads": 1, **options}
    return open_subject({**tiny.written(folder, values, arrays), **given}, folder)


def test_it_is_a_subject_of_3d_detection_that_says_its_traits(tmp_path: Path) -> None:
    found = subject(tmp_path)
    assert isinstance(found, Subject)
    assert found.task is Task.DETECTION_3D
    assert found.classes == ("Car",)
    assert found.name == "weights"
    assert (found.deterministic, found.tolerance) == (True, 0.0)


def test_answers_pass_the_check_of_answers(tmp_path: Path) -> None:
    given = frame(1)
    [answer] = subject(tmp_path).predict([given])
    assert len(answer) > 0
    assert (np.diff(answer.scores) <= 0).all()
    checked = checked_solids(answer, given, ("Car",))
    np.testing.assert_allclose(checked.boxes, answer.boxes)
    assert (checked.image_boxes[:, 2] > checked.image_boxes[:, 0]).any()


def test_an_answer_does_not_hang_on_the_batch_or_on_what_was_asked_before(tmp_path: Path) -> None:
    asked = subject(tmp_path)
    frames = [frame(seed, count) for seed, count in ((1, 150), (2, 40), (3, 90))]
    together = asked.predict(frames)
    assert together == [asked.predict([one])[0] for one in reversed(frames)][::-1]
    assert together[0] != together[1]


def test_two_threads_answer_as_one_does(tmp_path: Path) -> None:
    [one] = subject(tmp_path).predict([frame(1)])
    [two] = subject(tmp_path, threads=2).predict([frame(1)])
    assert one.rounded() == two.rounded()


def test_a_frame_without_points_in_view_has_no_cars(tmp_path: Path) -> None:
    asked = subject(tmp_path)
    behind = np.array([[-5, 0, 0, 0.5]], dtype=np.float32)
    for points in (behind, behind[:0]):
        given = Frame(np.zeros((*SIZE, 3), np.uint8), points, calibration())
        assert len(asked.predict([given])[0]) == 0


def test_a_frame_without_an_image_is_cropped_to_the_size_that_the_options_say(
    tmp_path: Path,
) -> None:
    [seen] = subject(tmp_path).predict([frame(1)])
    [blind] = subject(tmp_path, size=SIZE).predict([frame(1, image=False)])
    np.testing.assert_array_equal(seen.boxes, blind.boxes)
    assert not blind.image_boxes.any()


def test_cars_that_lie_outside_the_image_for_the_most_part_are_left_out(tmp_path: Path) -> None:
    [every] = subject(tmp_path).predict([frame(1)])
    [inner] = subject(tmp_path, outside=0).predict([frame(1)])
    assert len(inner) < len(every)


def test_scores_below_the_floor_are_left_out(tmp_path: Path) -> None:
    [every] = subject(tmp_path, floor=0).predict([frame(1)])
    middle = float(np.median(every.scores))
    [upper] = subject(tmp_path, floor=middle, score=0.99).predict([frame(1)])
    assert upper == every.above(middle)


@pytest.mark.parametrize(
    "options",
    [
        {"voxel": 0.5},
        {"neighbours": 9},
        {"glance": 9},
        {"overlap": 0.2},
        {"outside": 0.5},
        {"floor": 0.3},
    ],
)
def test_the_fingerprint_follows_whatever_changes_answers(tmp_path: Path, options: Any) -> None:
    assert subject(tmp_path).fingerprint != subject(tmp_path, **options).fingerprint


def test_the_fingerprint_follows_the_weights_and_the_configuration(tmp_path: Path) -> None:
    values, arrays = tiny.config(), tiny.tensors(tiny.config())
    folders = [tmp_path / name for name in "abc"]
    other_weights = {**arrays, "layer2.fully_connected.biases": np.ones(4, np.float32)}
    other_values = {**values, "nms_overlapped_thres": 0.3}
    cases = [(values, arrays), (values, other_weights), (other_values, arrays)]
    found = set()
    for folder, (config, tensors) in zip(folders, cases, strict=True):
        folder.mkdir()
        found.add(open_subject(tiny.written(folder, config, tensors), folder).fingerprint)
    assert len(found) == 3


def test_the_fingerprint_does_not_follow_what_changes_no_answer(tmp_path: Path) -> None:
    other = subject(tmp_path, name="another", threads=2)
    assert subject(tmp_path).fingerprint == other.fingerprint
    assert other.name == "another"
