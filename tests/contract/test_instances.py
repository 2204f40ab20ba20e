"""A case's instance keeps its number from the run, and gets another one in each new answer."""

from __future__ import annotations

import numpy as np

from snellen.contract.instances import InstanceKey
from snellen.vision.detections import Detections

BASE, TARGET = InstanceKey("base"), InstanceKey("target", reported=True)


def seen(boxes: list[list[int]], labels: list[int], scores: list[float]) -> Detections:
    return Detections(np.array(boxes), np.array(labels), np.array(scores))


SEEN = seen([[0, 0, 10, 10], [50, 0, 60, 10]], [0, 1], [0.9, 0.4])


def test_the_number_of_the_run_goes_before_that_of_the_answer() -> None:
    assert BASE.number({"was": 3.0, "base": 1.0}) == 3
    assert BASE.number({"gap": 1.0}) is None


def test_an_index_counts_all_detections_or_only_those_reported() -> None:
    assert BASE.index({"base": 1.0}, SEEN, 0.5) == 1
    assert BASE.index({"base": 7.0}, SEEN, 0.5) is None
    assert TARGET.index({"target": 0.0}, SEEN, 0.5) == 0
    assert TARGET.index({"target": 1.0}, SEEN, 0.5) is None
    assert TARGET.index({"base": 0.0}, SEEN, 0.5) is None


def test_an_instance_that_is_gone_has_no_number_in_the_new_answer() -> None:
    now = seen([[9, 9, 12, 12], [0, 0, 10, 10]], [0, 0], [0.2, 0.9])
    assert TARGET.measurements({"target": 0.0}, 1, now, 0.5) == {"was": 0, "gone": 0, "target": 0}
    assert BASE.measurements({"base": 4.0}, None, now, 0.5) == {"was": 4, "gone": 1, "base": -1}
    assert BASE.measurements({}, None, now, 0.5) == {}
