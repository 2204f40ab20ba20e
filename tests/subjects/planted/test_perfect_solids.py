from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.scenes.frame import Frame, LabelledObject
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.reader import TYPES, KittiOptions, read_kitti
from snellen.subjects.planted.solid_adapter import SolidOptions, open_planted_solids
from snellen.subjects.planted.solid_faults import SolidFault
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.boxes3d import corners
from tests.subjects.fusion.streets import SIZE, car, frame, known

NEAR, FAR, ASIDE = car(12, 0), car(30, 0.3, 0.1), car(20, 8, -1.2)


def asked(one: Frame, **options: Any) -> Detections3D:
    [found] = open_planted_solids(SolidOptions(**options)).predict([one])
    assert isinstance(found, Detections3D)
    return found


def test_every_box_and_label_is_exact() -> None:
    things = [known(NEAR), known(FAR, "Van"), known(ASIDE, "Pedestrian")]
    found = asked(frame(things))
    np.testing.assert_allclose(found.boxes, [NEAR, FAR, ASIDE], atol=1e-9)
    assert [TYPES[label] for label in found.labels] == ["Car", "Van", "Pedestrian"]
    assert found.scores.tolist() == [np.float32(0.9)] * 3
    np.testing.assert_allclose(found.image_boxes, [one.row.box for one in things], rtol=1e-6)


@pytest.mark.parametrize(
    ("thing", "seen"),
    [
        (known(NEAR, points=5, image_visible=0.1), True),
        (known(NEAR, points=4), False),
        (known(NEAR, image_visible=0.09), False),
        (known(NEAR, "Hovercraft"), False),
        (LabelledObject(LabelRow("DontCare", -1, -1, -10, (1, 2, 30, 40)), 100), False),
        (LabelledObject(LabelRow("Car", 0, 0, -10, (1, 2, 30, 40)), 100), False),
    ],
)
def test_what_too_little_is_left_of_is_not_reported(thing: LabelledObject, seen: bool) -> None:
    assert len(asked(frame([thing]))) == seen


def test_a_lidar_only_frame_has_no_2d_boxes() -> None:
    assert not asked(frame([known(NEAR)], image=False)).image_boxes.any()


def test_a_frame_without_labels_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="labels: required"):
        asked(frame(None))


def test_an_empty_frame_has_an_empty_answer_with_every_fault() -> None:
    for fault in SolidFault:
        assert len(asked(frame([]), fault=fault)) == 0


def test_what_is_beyond_is_missed_and_nothing_else() -> None:
    sideways = known(car(20, 16))
    found = asked(frame([known(NEAR), known(FAR), known(ASIDE), sideways]), fault="misses-beyond")
    np.testing.assert_allclose(found.boxes, [NEAR, ASIDE], atol=1e-9)
    assert len(asked(frame([known(NEAR), known(FAR)]), fault="misses-beyond", beyond=10)) == 0


def test_a_phantom_stands_beside_the_new_car_and_touches_nothing() -> None:
    neighbour = car(12, 2.7)
    things = [known(ASIDE), known(neighbour), known(NEAR, inserted=0)]
    found = asked(frame(things), fault="hallucinates-beside")
    assert len(found) == 4
    np.testing.assert_allclose(found.boxes[:3], [ASIDE, neighbour, NEAR], atol=1e-9)
    np.testing.assert_allclose(found.boxes[3], car(12, -2.7), atol=1e-9)
    assert (found.image_boxes[3] != 0).any()
    assert found.image_boxes[3, 0] > found.image_boxes[2, 0]


def test_without_a_new_car_there_is_no_phantom() -> None:
    for things in ([known(NEAR)], [known(NEAR, "Pedestrian", inserted=0)]):
        assert len(asked(frame(things), fault="hallucinates-beside")) == 1


def test_only_what_stood_behind_the_new_thing_is_lost() -> None:
    things = [known(FAR), known(ASIDE), known(car(6, 0)), known(NEAR, inserted=0)]
    found = asked(frame(things), fault="loses-behind")
    np.testing.assert_allclose(found.boxes, [ASIDE, car(6, 0), NEAR], atol=1e-9)


def test_a_new_thing_behind_a_new_thing_is_kept() -> None:
    things = [known(FAR, inserted=0), known(NEAR, inserted=1)]
    assert len(asked(frame(things), fault="loses-behind")) == 2


def test_bearings_that_cross_the_back_hide_what_is_there_alone() -> None:
    things = [known(car(-30, 0.2)), known(FAR), known(car(-12, 0), inserted=0)]
    found = asked(frame(things), fault="loses-behind")
    np.testing.assert_allclose(found.boxes, [FAR, car(-12, 0)], atol=1e-9)


def test_boxes_shift_along_their_length_once_something_is_new() -> None:
    old = [known(FAR), known(ASIDE)]
    assert asked(frame(old), fault="shifts") == asked(frame(old))
    found = asked(frame([*old, known(NEAR, inserted=0)]), fault="shifts", shift=2)
    for before, after in zip([FAR, ASIDE], found.boxes, strict=False):
        front, back = corners(np.array([before]))[0, :2, :2]
        np.testing.assert_allclose((after - before)[:2], (front - back) / 2, atol=1e-6)
    np.testing.assert_allclose(found.boxes[2], NEAR, atol=1e-9)
    assert (found.image_boxes[1] != asked(frame(old)).image_boxes[1]).any()


def test_jitter_stays_below_its_bounds_and_hangs_on_the_frame_alone() -> None:
    things = [known(NEAR), known(FAR), known(ASIDE)]
    clouds = [np.full((1, 4), value) for value in (1.0, 2.0)]
    answers = [asked(frame(things, cloud), fault="jitters", noise=0.05) for cloud in clouds]
    for found in answers:
        off = np.abs(found.boxes - [NEAR, FAR, ASIDE])
        assert 0 < off[:, :3].max() <= 0.05
        assert off[:, 3:6].max() < 1e-9
        assert 0 < off[:, 6].max() <= 0.0101
        assert np.abs(found.scores - 0.9).max() <= 0.0201
        assert (found.image_boxes <= [SIZE[1], SIZE[0]] * 2).all()
    assert answers[0] != answers[1]
    assert answers[0] == asked(frame(things, clouds[0]), fault="jitters", noise=0.05)
    assert answers[0] != asked(frame(things, clouds[0]), fault="jitters", seed=1)


def test_the_configuration_opens_it_and_each_fault_has_its_own_fingerprint() -> None:
    opened = [
        open_subject({"kind": "planted-3d", "fault": fault}, Path())
        for fault in ["none", *SolidFault]
    ]
    assert len({one.fingerprint for one in opened}) == len(opened)
    for one in opened:
        assert isinstance(one, Subject)
        assert one.task == Task.DETECTION_3D
        assert pickle.loads(pickle.dumps(one)).name == one.name


def test_the_labels_of_real_frames_come_back(shared: Any) -> None:
    root = shared("kitti/training").parent
    scenes = read_kitti(KittiOptions(root=root), Path(), False)
    for scene in scenes:
        assert scene.sweep is not None
        rows = [row for row in scene.sweep.labels() or () if row.solid]
        sweep = scene.sweep
        one = Frame(
            scene.pixels(),
            sweep.points(),
            sweep.calibration(),
            tuple(LabelledObject(row, 10) for row in sweep.labels() or ()),
        )
        assert len(asked(one)) == len(rows)
