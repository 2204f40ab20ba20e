"""The published oracle, case by case: what it calls a failure, and what it cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.insertion.published_oracle import fails_as_published
from snellen.vision.detections import Detections

CAR, BUS = 0, 1
INSERTED = (100.0, 100.0, 140.0, 130.0)
Row = tuple[tuple[float, float, float, float], int, float]

OLD: Row = ((20.0, 20.0, 60.0, 60.0), CAR, 0.9)
OTHER: Row = ((200.0, 20.0, 240.0, 60.0), CAR, 0.7)
OWN: Row = (INSERTED, CAR, 0.8)


def seen(*rows: Row) -> Detections:
    return Detections(
        np.array([row[0] for row in rows], dtype=np.float32).reshape(-1, 4),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.float32),
    )


def phantom(score: float, label: int = CAR) -> Row:
    return ((20.0, 200.0, 60.0, 240.0), label, score)


@pytest.mark.parametrize(
    ("after", "fails"),
    [
        ([OLD, OTHER, OWN], False),
        ([OLD, OTHER], False),
        ([OLD, OWN], True),
        ([OLD, OTHER, OWN, phantom(0.95)], True),
        ([OLD, OTHER, OWN, phantom(0.8)], True),
        ([OLD, OTHER, OWN, phantom(0.6, BUS)], True),
        ([OWN], True),
        ([], True),
        ([((35.0, 20.0, 75.0, 60.0), CAR, 0.9), OTHER, OWN], True),
    ],
    ids=[
        "as before", "insertion missed", "one lost", "phantom ranked first", "phantom between",
        "a class not there before", "nothing left", "nothing at all", "box moved past IoU 0.5",
    ],
)  # fmt: skip
def test_what_the_oracle_calls_a_failure(after: list[Row], fails: bool) -> None:
    assert fails_as_published(seen(OLD, OTHER), seen(*after), INSERTED, 0.5) is fails


def test_it_is_blind_to_a_phantom_that_scores_below_every_object() -> None:
    after = seen(OLD, OTHER, OWN, phantom(0.6))
    assert not fails_as_published(seen(OLD, OTHER), after, INSERTED, 0.5)


def test_it_hides_what_is_centred_on_the_inserted_object() -> None:
    on_it: Row = ((110.0, 105.0, 125.0, 120.0), BUS, 0.95)
    assert not fails_as_published(seen(OLD), seen(OLD, OWN, on_it), INSERTED, 0.5)
    assert fails_as_published(seen(OLD), seen(OLD, OWN, on_it), None, 0.5)


def test_a_corner_within_ten_pixels_is_taken_for_the_inserted_object() -> None:
    for offset, fails in ((9.0, False), (11.0, True)):
        wide: Row = ((100.0 + offset, 100.0, 400.0, 300.0), BUS, 0.9)
        assert fails_as_published(seen(OLD), seen(OLD, wide), INSERTED, 0.5) is fails


def test_only_objects_at_the_threshold_count() -> None:
    assert not fails_as_published(seen(OLD), seen(OLD, phantom(0.49, BUS)), INSERTED, 0.5)
    assert fails_as_published(seen(OLD), seen((OLD[0], CAR, 0.49)), INSERTED, 0.5)


def test_a_scene_without_objects_fails_only_if_something_comes_up() -> None:
    assert not fails_as_published(seen(), seen(OWN), INSERTED, 0.5)
    assert fails_as_published(seen(), seen(OLD), INSERTED, 0.5)
