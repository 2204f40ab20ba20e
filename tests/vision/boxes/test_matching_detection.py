"""An object in another answer: of its label, in its place, at the threshold."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.vision.boxes.matching_detection import matching_detection
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
    assert matching_detection(SEEN, 0, now, score=0.5, overlap=0.5) == place
