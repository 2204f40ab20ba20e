"""What is known of the object of each event, with and without annotations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.events import Event, Severity
from snellen.vision.object_events import compare_detections
from snellen.vision.truth.annotated_objects import AnnotatedObjects
from snellen.vision.truth.event_truth import HARMLESS, EventTruth, with_truth
from tests.vision.generated_sets import Recipe, recipes
from tests.vision.small_predictions import annotations_of, detections_of
from tests.vision.test_events import pairs_of

CAR, DOG, UNKNOWN = 0, 1, 2
A, B = [0, 0, 100, 100], [300, 0, 400, 100]
NEAR_A = [0, 0, 100, 70]
"""IoU 0.7 with A: a second box on the same object."""
PART = [10, 10, 50, 50]
"""Inside A, with IoU 0.16."""
SHIFTED = [60, 0, 160, 100]
"""IoU 0.25 with A: moved."""
Row = tuple[list[int], int, float]


def known(*rows: tuple[list[int], int], **flags: Any) -> AnnotatedObjects:
    boxes, labels = [row[0] for row in rows], [row[1] for row in rows]
    annotated = np.array([True, True, False])
    return AnnotatedObjects(annotations_of(boxes, labels, **flags), annotated)


def seen(*rows: Row) -> Detections:
    return detections_of([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])


def told(before: Detections, after: Detections, truth: AnnotatedObjects | None) -> list[Event]:
    events = compare_detections(before, after, score=0.4)
    return list(with_truth(events, before, after, truth, score=0.4))


CAR_A, DOG_A, NOTHING = known((A, CAR)), known((A, DOG)), known()
TWO, WITH_PART = known((A, CAR), (NEAR_A, CAR)), known((A, CAR), (PART, CAR))
WITH_DOG = known((A, CAR), (PART, DOG))


@pytest.mark.parametrize(
    ("before", "after", "truth", "expected"),
    [
        # lost
        ([(A, CAR, 0.9)], [], CAR_A, "object"),
        ([(A, CAR, 0.9)], [], None, None),
        ([(A, CAR, 0.9)], [], NOTHING, "mistake"),
        ([(A, UNKNOWN, 0.9)], [], NOTHING, None),
        ([(A, CAR, 0.9)], [], known((A, CAR), crowd=[True]), None),
        ([(A, CAR, 0.9)], [], known((A, DOG), ignore=[True]), None),
        ([(A, CAR, 0.9)], [], DOG_A, "object"),
        ([(SHIFTED, CAR, 0.9)], [], CAR_A, None),
        ([(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], [(A, CAR, 0.9)], CAR_A, "duplicate"),
        ([(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], [(A, CAR, 0.9)], None, "duplicate"),
        ([(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], [(NEAR_A, CAR, 0.8)], CAR_A, "duplicate"),
        ([(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], [(NEAR_A, CAR, 0.8)], None, None),
        ([(A, CAR, 0.9), (A, DOG, 0.8)], [(A, CAR, 0.9)], CAR_A, "duplicate"),
        ([(A, CAR, 0.9), (A, DOG, 0.8)], [(A, CAR, 0.9)], None, "duplicate"),
        ([(A, CAR, 0.9), (NEAR_A, DOG, 0.8)], [(A, CAR, 0.9)], None, None),
        ([(A, CAR, 0.9), (PART, CAR, 0.8)], [(A, CAR, 0.9)], CAR_A, "duplicate"),
        ([(A, CAR, 0.9), (PART, CAR, 0.8)], [(A, CAR, 0.9)], None, None),
        ([(A, CAR, 0.9), (PART, CAR, 0.8)], [(A, CAR, 0.9)], WITH_PART, "object"),
        # two true objects that overlap, one of them lost
        ([(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], [(A, CAR, 0.9)], TWO, "object"),
        # relabelled
        ([(A, CAR, 0.9)], [(A, DOG, 0.9)], CAR_A, "object"),
        ([(A, CAR, 0.9)], [(A, DOG, 0.9)], DOG_A, "corrected"),
        ([(A, CAR, 0.9)], [(A, DOG, 0.9)], NOTHING, "mistake"),
        ([(A, CAR, 0.9)], [(A, DOG, 0.9)], None, None),
        ([(A, CAR, 0.9)], [(A, UNKNOWN, 0.9)], DOG_A, "mistake"),
        # moved
        ([(A, CAR, 0.9)], [(SHIFTED, CAR, 0.9)], CAR_A, "object"),
        ([(A, CAR, 0.9)], [(SHIFTED, CAR, 0.9)], known((SHIFTED, CAR)), "corrected"),
        ([(A, CAR, 0.9)], [(SHIFTED, CAR, 0.9)], known(([30, 0, 130, 100], CAR)), "object"),
        ([(A, CAR, 0.9)], [(SHIFTED, CAR, 0.9)], NOTHING, "mistake"),
        ([(A, CAR, 0.9)], [(SHIFTED, CAR, 0.9)], None, None),
        # appeared
        ([], [(A, CAR, 0.9)], NOTHING, "phantom"),
        ([], [(A, CAR, 0.9)], known((B, CAR)), "phantom"),
        ([], [(A, CAR, 0.9)], None, None),
        ([], [(A, UNKNOWN, 0.9)], NOTHING, None),
        ([], [(A, CAR, 0.9)], CAR_A, "there-all-along"),
        ([], [(A, CAR, 0.9)], DOG_A, "there-all-along"),
        ([], [(PART, CAR, 0.9)], CAR_A, "there-all-along"),
        ([], [(PART, CAR, 0.9)], known((A, CAR), crowd=[True]), "there-all-along"),
        ([], [(PART, CAR, 0.9)], known((A, DOG), crowd=[True]), None),
        ([], [(SHIFTED, CAR, 0.9)], CAR_A, None),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], CAR_A, "second-box"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], None, "second-box"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (NEAR_A, DOG, 0.8)], None, "second-box"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (PART, CAR, 0.8)], None, "second-box"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (PART, CAR, 0.8)], CAR_A, "second-box"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (PART, DOG, 0.8)], None, None),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (PART, DOG, 0.8)], CAR_A, "phantom"),
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (PART, DOG, 0.8)], WITH_DOG, "there-all-along"),
        # one box around two known objects
        (
            [(A, CAR, 0.9), ([120, 0, 220, 100], CAR, 0.9)],
            [(A, CAR, 0.9), ([120, 0, 220, 100], CAR, 0.9), ([0, 0, 220, 100], CAR, 0.8)],
            None,
            "second-box",
        ),
        # two true objects that overlap, one of them new
        ([(A, CAR, 0.9)], [(A, CAR, 0.9), (NEAR_A, CAR, 0.8)], TWO, "there-all-along"),
    ],
)  # fmt: skip
def test_the_truth_of_one_event(
    before: list[Row], after: list[Row], truth: AnnotatedObjects | None, expected: str | None
) -> None:
    [event] = told(seen(*before), seen(*after), truth)
    assert event.truth == expected
    harmless = {"duplicate", "mistake", "corrected", "second-box", "there-all-along"}
    assert event.severity == ("borderline" if expected in harmless else "hard")


def test_a_duplicate_is_lost_together_with_its_object() -> None:
    first, second = told(seen((A, CAR, 0.9), (NEAR_A, CAR, 0.8)), seen(), CAR_A)
    assert (first.truth, second.truth) == ("object", "duplicate")
    assert (first.severity, second.severity) == ("hard", "borderline")


def test_without_annotations_both_boxes_of_a_lost_object_stay_hard() -> None:
    events = told(seen((A, CAR, 0.9), (NEAR_A, CAR, 0.8)), seen(), None)
    assert [event.truth for event in events] == [None, None]


def test_detections_of_something_inserted_are_no_evidence() -> None:
    before, after = seen(), seen((A, CAR, 0.9), (NEAR_A, CAR, 0.8))
    [_, event] = compare_detections(before, after, score=0.4)
    inserted = np.array([True, False])
    [told_] = with_truth([event], before, after, NOTHING, score=0.4, excluded=inserted)
    assert told_.truth == "phantom"
    [told_] = with_truth([event], before, after, NOTHING, score=0.4)
    assert told_.truth == "second-box"


@given(recipes(), st.booleans())
def test_truth_changes_nothing_but_truth_and_severity(recipe: Recipe, annotated: bool) -> None:
    _, annotations = recipe.build()
    for (before, after), truths in zip(pairs_of(recipe), annotations, strict=True):
        labels = 1 + max([0, *before.labels, *after.labels, *truths.labels])
        known_ = AnnotatedObjects(truths, np.ones(labels, dtype=bool)) if annotated else None
        events = compare_detections(before, after, score=0.4)
        found = with_truth(events, before, after, known_, score=0.4)
        plain = [replace(event, truth=None, severity=Severity.HARD) for event in found]
        assert plain == [replace(event, severity=Severity.HARD) for event in events]
        for event, original in zip(found, events, strict=True):
            soft = event.truth in HARMLESS
            assert event.severity == ("borderline" if soft else original.severity)
            new = event.kind == "appeared"
            assert event.truth in ({*NEW, None} if new else {*OLD, None})
            if not annotated:
                assert event.truth in (None, "second-box" if new else "duplicate")


NEW = {EventTruth.SECOND_BOX, EventTruth.THERE_ALL_ALONG, EventTruth.PHANTOM}
OLD = {EventTruth.OBJECT, EventTruth.DUPLICATE, EventTruth.MISTAKE, EventTruth.CORRECTED}


@given(recipes())
def test_a_subject_that_was_right_loses_objects_and_gains_no_object(recipe: Recipe) -> None:
    """Where every detection before is annotated and nothing else, no loss is a mistake."""
    for before, after in pairs_of(recipe):
        objects = before.above(0.4)
        truths = Annotations(objects.boxes, objects.labels)
        labels = 1 + max([0, *before.labels, *after.labels])
        right = AnnotatedObjects(truths, np.ones(labels, dtype=bool))
        events = compare_detections(before, after, score=0.4)
        for event in with_truth(events, before, after, right, score=0.4):
            assert event.truth not in (EventTruth.MISTAKE, EventTruth.THERE_ALL_ALONG)
