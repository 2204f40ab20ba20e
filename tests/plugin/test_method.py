"""The method of the plug-in, its relation and its explanation, on answers that are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from snellen.api import (
    Answer,
    Asked,
    Case,
    Detections,
    Identity,
    LabelVector,
    Method,
    PictureArray,
    Scene,
    SceneSet,
    Setting,
    Status,
    Task,
    Unit,
    UserError,
)
from snellen.subjects.planted.adapter import open_planted

WIDTH = 100
SCENE = Scene("s", PictureArray(np.zeros((50, WIDTH, 3), np.uint8)), (50, WIDTH))
CAR = [10.0, 10.0, 30.0, 30.0]
"""In the left half."""
MIRRORED = [70.0, 10.0, 90.0, 30.0]


def method(**options: Any) -> Any:
    from pathlib import Path

    from snellen_mirror.method import MirrorOptions, prepare

    setting = Setting(open_planted(), SceneSet((SCENE,)), Path(), 1)
    return prepare(MirrorOptions(**options), setting)


def seen(
    *boxes: Sequence[float], labels: Sequence[int] | None = None, score: float = 0.9
) -> Answer:
    found = np.array(boxes, np.float32).reshape(-1, 4)
    ids = np.array(labels or [0] * len(found), np.int64)
    return Answer(Detections(found, ids, np.full(len(found), score, np.float32)))


def judged(before: Answer, after: Answer) -> Case:
    from snellen_mirror.recipe import Mirror

    case: Case = method().judge(Asked(SCENE, Mirror(), after, before))
    return case


def kinds(case: Case) -> list[str]:
    return [event.kind.value for event in case.events]


def test_mirrored_boxes_hold() -> None:
    assert judged(seen(CAR), seen(MIRRORED)).status == Status.HOLDS


def test_boxes_that_stay_where_they_were_do_not() -> None:
    case = judged(seen(CAR), seen(CAR))
    assert case.status == Status.FAILING
    assert kinds(case) == ["lost", "appeared"]


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (seen(), "lost"),
        (seen(MIRRORED, labels=[1]), "relabelled"),
        (seen([78.0, 10.0, 98.0, 30.0]), "moved"),
        (seen(MIRRORED, [0.0, 0.0, 9.0, 9.0]), "appeared"),
    ],
)
def test_each_way_to_break_is_an_event(after: Answer, kind: str) -> None:
    assert kinds(judged(seen(CAR), after)) == [kind]


def test_an_event_has_its_box_in_the_picture_where_the_object_is() -> None:
    lost, appeared = judged(seen(CAR), seen(CAR)).events
    assert lost.box == tuple(CAR), "of the scene"
    assert appeared.box == tuple(CAR), "of the case, where it was found unmoved"
    [moved] = judged(seen(CAR), seen([78.0, 10.0, 98.0, 30.0])).events
    assert moved.box == tuple(CAR)


def test_labels_do_not_move() -> None:
    cat, dog = (Answer(LabelVector(np.array(one, np.float32))) for one in ([0.9, 0], [0, 0.9]))
    assert judged(cat, cat).status == Status.HOLDS
    assert judged(cat, dog).status == Status.FAILING


def test_objects_are_counted_by_the_half_they_stand_in() -> None:
    measured = judged(seen(CAR, [60.0, 0.0, 69.0, 9.0]), seen([31.0, 0.0, 40.0, 9.0])).measurements
    assert measured == {
        "left_objects": 1.0, "left_broken": 1.0, "right_objects": 1.0, "right_broken": 0.0,
    }  # fmt: skip


def answered(work: Any, answer: Answer) -> tuple[Any, Any]:
    """The one question of a generator, and what it returns when it is given the answer."""
    [asked] = next(work)
    with pytest.raises(StopIteration) as end:
        work.send([answer])
    return asked, end.value.value


@pytest.mark.parametrize(
    ("alone", "cause"), [(seen(), "object"), (seen([10.0, 10.0, 30.0, 30.0]), "scene")]
)
def test_a_finding_is_explained_by_mirroring_its_object_alone(alone: Answer, cause: str) -> None:
    case = judged(seen(CAR), seen())
    work = method().explain(case, Unit("s", SCENE), np.random.default_rng(0))
    asked, found = answered(work, alone)
    assert asked.recipe.window == (10, 10, 30, 30)
    assert found.cause == cause
    assert (found.smallest is not None) == (cause == "object")


def test_a_phantom_is_explained_where_it_is_in_the_scene() -> None:
    case = judged(seen(), seen(MIRRORED))
    work = method().explain(case, Unit("s", SCENE), np.random.default_rng(0))
    asked, found = answered(work, seen(CAR))
    assert asked.recipe.window == (10, 10, 30, 30)
    assert found.cause == "object"


def test_a_finding_without_hard_events_is_not_explained() -> None:
    case = judged(seen(CAR), seen(MIRRORED))
    work = method().explain(case, Unit("s", SCENE), np.random.default_rng(0))
    with pytest.raises(StopIteration) as end:
        next(work)
    assert end.value.value.cause == "unexplained"


def test_faults_are_the_same_in_every_scene() -> None:
    case = judged(seen(CAR), seen(CAR))
    names = method().setting.subject.classes
    things = method().struck(case, names)
    assert [one.key for one in things] == [f"appeared {names[0]}", f"lost {names[0]}"]
    assert all(one.shared for one in things)
    assert Method.struck(method(), case, names) != things


def test_a_budget_that_ends_among_the_questions_keeps_what_was_answered() -> None:
    work = method().examine(Unit("s", SCENE), np.random.default_rng(0))
    assert isinstance(next(work)[0].recipe, Identity)
    assert len(work.send([seen(CAR)])) == 2
    with pytest.raises(StopIteration) as end:
        work.send([seen(MIRRORED)])
    [case] = end.value.value.cases
    assert (case.role, case.status) == ("test", Status.HOLDS)


def test_a_camera_lidar_subject_is_refused() -> None:
    from snellen_mirror.method import MirrorOptions, prepare

    setting = method().setting
    setting.subject.task = Task.DETECTION_3D
    with pytest.raises(UserError, match="mirror changes images"):
        prepare(MirrorOptions(), setting)
