"""What a user sees of a value in a session: one short line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import snellen as sn
from snellen.vision.detections3d import Detections3D

MANY: Any = np.tile(np.array([[0, 0, 9, 9]], np.float32), (300, 1))
ONE: Any = ([3], [0.5])
FEW: Any = [4, 1]
TWO: Any = [0.1, 0.7]
SCORES: Any = np.linspace(0.1, 0.9, 300)
SHOWN = [
    (sn.Detections.empty(), "<Detections: 0>"),
    (sn.Detections(MANY[:1], *ONE), "<Detections: 1, labels 3, score 0.50>"),
    (
        sn.Detections(MANY, np.arange(300), SCORES),
        "<Detections: 300, labels 0, 1, 2, 3, 4, 5, ..., scores 0.10 to 0.90>",
    ),
    (sn.Annotations.empty(), "<Annotations: 0>"),
    (
        sn.Annotations(MANY[:2], FEW, crowd=np.array([True, False])),
        "<Annotations: 2, labels 1, 4, crowd>",
    ),
    (sn.LabelVector(TWO), "<LabelVector: 2 classes, best 1, scores 0.10 to 0.70>"),
    (Detections3D.empty(), "<Detections3D: 0>"),
]


@pytest.mark.parametrize(("value", "form"), SHOWN, ids=lambda one: str(one)[:30])
def test_a_value_is_shown_in_one_short_line(value: object, form: str) -> None:
    assert repr(value) == form


def test_scenes_and_subjects_are_shown_in_one_short_line() -> None:
    scenes = sn.open_scenes("synthetic", count=2, size=[96, 128], objects=[2, 2])
    assert repr(scenes) == "<SceneSet: 2 scenes, 2 annotated, 6 classes>"
    assert repr(scenes[0]) == "<Scene synthetic-00000: 128 x 96, 2 annotated objects>"
    for fault in ("none", "loses"):
        subject = sn.open_subject(kind="planted", fault=fault)
        assert repr(subject).startswith("<Subject perfect")
        assert repr(subject).endswith(": detection, 6 classes, score 0.5>")
