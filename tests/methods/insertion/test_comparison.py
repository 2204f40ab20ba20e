"""What an insertion changes, and what belongs to the inserted object itself."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.insertion.comparison import InsertedOutcome, compare_insertion
from snellen.vision.detections import Detections

CAR, BUS = 0, 1
BOX = (100.0, 100.0, 140.0, 130.0)


def seen(*rows: tuple[tuple[float, float, float, float], int, float]) -> Detections:
    return Detections(
        np.array([row[0] for row in rows], dtype=np.float32).reshape(-1, 4),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.float32),
    )


OLD = ((20.0, 20.0, 60.0, 60.0), CAR, 0.9)
NEW = (BOX, CAR, 0.8)


def judged(before: Detections, after: Detections, label: int | None = CAR):  # type: ignore[no-untyped-def]
    return compare_insertion(before, after, BOX, label, score=0.5)


def test_the_inserted_objects_own_detection_is_no_event() -> None:
    found = judged(seen(OLD), seen(OLD, NEW))
    assert found.events == ()
    assert found.inserted == InsertedOutcome.FOUND
    assert found.score == pytest.approx(0.8)


def test_a_missed_insertion_is_counted_apart() -> None:
    found = judged(seen(OLD), seen(OLD))
    assert found.events == ()
    assert found.inserted == InsertedOutcome.MISSED


def test_an_insertion_seen_as_something_else_is_counted_apart() -> None:
    found = judged(seen(OLD), seen(OLD, (BOX, BUS, 0.8)))
    assert found.events == ()
    assert found.inserted == InsertedOutcome.RELABELLED


def test_a_lost_neighbour_is_an_event_on_that_neighbour() -> None:
    [event] = judged(seen(OLD), seen(NEW)).events
    assert (event.kind, event.before, event.severity) == ("lost", 0, "hard")


def test_a_phantom_with_a_low_score_is_an_event_although_ap_would_be_100() -> None:
    phantom = ((200.0, 20.0, 240.0, 60.0), CAR, 0.55)
    [event] = judged(seen(OLD), seen(OLD, NEW, phantom)).events
    assert (event.kind, event.after) == ("appeared", 2)


def test_a_part_of_the_inserted_object_with_another_label_is_its_own() -> None:
    """The feet of a person on snow that are taken for skis are no phantom beside the person."""
    part = ((110.0, 105.0, 125.0, 120.0), BUS, 0.7)
    assert judged(seen(OLD), seen(OLD, NEW, part)).events == ()


def test_a_part_of_the_inserted_object_with_its_label_is_its_own() -> None:
    part = ((102.0, 102.0, 120.0, 120.0), CAR, 0.7)
    assert judged(seen(OLD), seen(OLD, NEW, part)).events == ()


def test_an_old_object_beside_the_inserted_one_is_not_taken_for_it() -> None:
    neighbour = ((105.0, 100.0, 150.0, 130.0), CAR, 0.9)
    found = compare_insertion(seen(neighbour), seen(neighbour), BOX, CAR, score=0.5)
    assert found.events == ()
    assert not found.own.any()
    assert found.inserted == InsertedOutcome.MISSED


def test_what_lies_on_a_pasted_patch_of_background_is_its_own() -> None:
    found = judged(seen(OLD), seen(OLD, NEW), label=None)
    assert found.events == ()


def test_indices_of_events_count_in_the_whole_answer() -> None:
    relabelled = ((20.0, 20.0, 60.0, 60.0), BUS, 0.9)
    [event] = judged(seen(OLD), seen(NEW, relabelled)).events
    assert (event.kind, event.before, event.after) == ("relabelled", 0, 1)


def test_empty_answers() -> None:
    assert judged(seen(), seen()).events == ()
    assert [e.kind for e in judged(seen(), seen(OLD)).events] == ["appeared"]
