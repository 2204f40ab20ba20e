"""An instance in another answer: of its label, in its place, at the threshold."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.repair.evaluation.case_instance import (
    instance_measurements,
    matching_instance,
    name_of,
    place_of,
)
from snellen.vision.detections import Detections


def seen(boxes: list[list[int]], labels: list[int], scores: list[float]) -> Detections:
    return Detections(np.array(boxes), np.array(labels), np.array(scores))


SEEN = seen([[0, 0, 10, 10], [50, 0, 60, 10]], [0, 1], [0.9, 0.4])
NOW = {
    "moved a little": (seen([[1, 0, 11, 10]], [0], [0.6]), 0),
    "too weak": (seen([[0, 0, 10, 10]], [0], [0.49]), None),
    "another label": (seen([[0, 0, 10, 10]], [1], [0.9]), None),
    "elsewhere": (seen([[6, 0, 16, 10]], [0], [0.9]), None),
    "the nearest": (seen([[3, 0, 13, 10], [0, 0, 10, 11]], [0, 0], [0.9, 0.5]), 1),
    "nothing": (Detections.empty(), None),
}


@pytest.mark.parametrize("what", NOW)
def test_found_again(what: str) -> None:
    now, place = NOW[what]
    assert matching_instance(SEEN, 0, now, 0.5, 0.5) == place


def test_names_and_places() -> None:
    assert name_of({"was": 3.0, "base": 1.0}) == 3
    assert name_of({"gap": 1.0}) is None
    assert place_of({"base": 7.0}, SEEN, 0.5) is None
    assert place_of({"target": 0.0}, SEEN, 0.5) == 0
    now = seen([[9, 9, 12, 12], [0, 0, 10, 10]], [0, 0], [0.2, 0.9])
    assert instance_measurements({"target": 0.0}, 1, now, 0.5) == {"was": 0, "gone": 0, "target": 0}
    assert instance_measurements({"base": 4.0}, None, now, 0.5) == {"was": 4, "gone": 1, "base": -1}
    assert instance_measurements({}, None, now, 0.5) == {}
