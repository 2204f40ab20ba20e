"""Events of 3D boxes, and differences that a change of the frame explains."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.detections3d import Detections3D
from snellen.vision.events import Event, EventKind, compare_predictions
from snellen.vision.solids.insertions import ANY_LABEL, InsertedSolids, missed_insertion
from snellen.vision.solids.solid_events import compare_solid

CAR, VAN, PERSON = 0, 1, 2
HERE = (15.0, 3.0, -0.9, 4.0, 1.6, 1.5, 0.2)
THERE = (30.0, -4.0, -0.9, 4.0, 1.6, 1.5, 0.0)
BEHIND = (-20.0, 0.0, -0.9, 4.0, 1.6, 1.5, 0.0)
ON_HERE, ON_THERE, NOWHERE = (300, 150, 450, 260), (800, 160, 860, 210), (0, 0, 0, 0)

One = tuple[tuple[float, ...], int, float, tuple[float, ...]]


def seen(*ones: One) -> Detections3D:
    boxes, labels, scores, image = zip(*ones, strict=True) if ones else ((), (), (), ())
    return Detections3D(np.array(boxes), np.array(labels), np.array(scores), np.array(image))


def put(*ones: tuple[tuple[float, ...], int, tuple[float, ...]]) -> InsertedSolids:
    boxes, labels, image = zip(*ones, strict=True)
    return InsertedSolids(np.array(boxes), np.array(labels), np.array(image))


def ahead(box: tuple[float, ...], metres: float) -> tuple[float, ...]:
    """The box, moved along its own length."""
    x, y, *rest = box
    return (x + metres * math.cos(rest[-1]), y + metres * math.sin(rest[-1]), *rest)


def story(events: tuple[Event, ...]) -> list[tuple[str, str, int | None, int | None]]:
    return [
        (event.kind.value, "3D" if event.solid else "2D", event.before, event.after)
        for event in events
    ]


FIRST = (HERE, CAR, 0.9, ON_HERE)
SECOND = (THERE, CAR, 0.8, ON_THERE)


@pytest.mark.parametrize(
    ("after", "kind", "margin", "severity"),
    [
        (seen(), "lost", 0.9, "hard"),
        (seen((HERE, CAR, 0.45, NOWHERE)), "lost", 0.45, "hard"),
        (seen((HERE, VAN, 0.8, NOWHERE)), "relabelled", 0.8, "hard"),
        (seen((ahead(HERE, 2), CAR, 0.9, NOWHERE)), "moved", 0.5 - 1 / 3, "hard"),
        (seen((ahead(HERE, 1.5), CAR, 0.9, NOWHERE)), "moved", 0.5 - 2.5 / 5.5, "borderline"),
    ],
)
def test_what_became_of_a_car_in_space(
    after: Detections3D, kind: str, margin: float, severity: str
) -> None:
    before = seen((HERE, CAR, 0.9, NOWHERE))
    [event] = compare_solid(before, after, score=0.5)
    assert (event.kind.value, event.severity.value) == (kind, severity)
    assert event.margin == pytest.approx(margin, abs=1e-6)
    assert event.solid == HERE
    assert event.box is None


def test_an_object_lost_in_both_is_reported_in_3d_first_and_then_in_the_image() -> None:
    events = compare_solid(seen(FIRST, SECOND), seen(SECOND), score=0.5)
    assert story(events) == [("lost", "3D", 0, None), ("lost", "2D", 0, None)]
    assert events[0].box == events[1].box == ON_HERE
    assert (events[0].solid, events[1].solid) == (HERE, None)


def test_a_box_displaced_in_depth_alone_is_an_event_in_3d_alone() -> None:
    """Three metres farther a car overlaps itself by 1/7, and hardly moves in the image."""
    after = seen((ahead(HERE, 3), CAR, 0.9, ON_HERE))
    assert story(compare_solid(seen(FIRST), after, score=0.5)) == [("moved", "3D", 0, 0)]


def test_a_box_displaced_in_the_image_alone_is_an_event_in_2d_alone() -> None:
    after = seen((HERE, CAR, 0.9, (400, 150, 550, 260)))
    assert story(compare_solid(seen(FIRST), after, score=0.5)) == [("moved", "2D", 0, 0)]
    assert compare_solid(seen(FIRST), after, score=0.5, image_iou=None) == ()


def test_what_the_camera_does_not_see_is_compared_in_space_alone() -> None:
    before, after = seen((BEHIND, CAR, 0.9, NOWHERE)), seen()
    assert story(compare_solid(before, after, score=0.5)) == [("lost", "3D", 0, None)]


def test_neighbouring_lanes_are_not_one_car() -> None:
    """Side by side, 3 m apart: the new one must not count as the lost one, moved."""
    beside = (15.0, 6.0, *HERE[2:])
    events = compare_solid(seen((HERE, CAR, 0.9, NOWHERE)), seen((beside, CAR, 0.9, NOWHERE)),
                           score=0.5)  # fmt: skip
    assert story(events) == [("lost", "3D", 0, None), ("appeared", "3D", None, 0)]


def test_predictions_of_frames_are_compared_by_the_common_entrance() -> None:
    found = compare_predictions(seen(FIRST), seen(), score=0.5)
    assert story(found) == [("lost", "3D", 0, None), ("lost", "2D", 0, None)]


# Differences that a change of the frame explains


def test_what_is_now_hidden_may_be_lost_and_nothing_else() -> None:
    before = seen(FIRST, SECOND)
    by_flags = compare_solid(before, seen(), score=0.5, excused=np.array([True, False]))
    by_boxes = compare_solid(before, seen(), score=0.5, hidden=np.array([ahead(HERE, 0.4)]))
    assert story(by_flags) == story(by_boxes) == [("lost", "3D", 1, None), ("lost", "2D", 1, None)]


def test_a_hidden_object_that_is_still_seen_has_not_appeared() -> None:
    before = seen(FIRST, SECOND)
    hidden = np.array([HERE])
    assert compare_solid(before, seen(SECOND, FIRST), score=0.5, hidden=hidden) == ()


def test_flags_of_excuse_for_other_objects_are_refused() -> None:
    with pytest.raises(ValueError, match="1 objects before"):
        compare_solid(seen(FIRST), seen(), score=0.5, excused=np.zeros(2, bool))


@pytest.mark.parametrize(
    "found",
    [
        (THERE, CAR, 0.9, ON_THERE),  # found
        (ahead(THERE, 2), CAR, 0.9, ON_THERE),  # misplaced
        (THERE, VAN, 0.9, ON_THERE),  # labelled as another class
        (ahead(THERE, 2), VAN, 0.9, ON_THERE),  # both
    ],
)
def test_a_detection_of_what_was_inserted_did_not_appear(found: One) -> None:
    inserted = put((THERE, CAR, ON_THERE))
    assert compare_solid(seen(FIRST), seen(FIRST, found), score=0.5, inserted=inserted) == ()


def test_a_phantom_beside_what_was_inserted_is_reported() -> None:
    inserted = put((THERE, CAR, ON_THERE))
    beside = ((30.0, -7.0, *THERE[2:]), CAR, 0.9, (880, 160, 940, 210))
    events = compare_solid(seen(FIRST), seen(FIRST, SECOND, beside), score=0.5, inserted=inserted)
    assert story(events) == [("appeared", "3D", None, 2), ("appeared", "2D", None, 2)]


def test_a_second_box_on_what_was_inserted_is_reported() -> None:
    inserted = put((THERE, CAR, ON_THERE))
    twice = (ahead(THERE, 0.3), CAR, 0.7, (802, 160, 862, 210))
    events = compare_solid(seen(FIRST), seen(FIRST, SECOND, twice), score=0.5, inserted=inserted)
    assert story(events) == [("appeared", "3D", None, 2), ("appeared", "2D", None, 2)]


def test_the_car_behind_what_was_inserted_is_lost_though_a_box_is_where_it_was_in_the_image() -> (
    None
):
    """In the image the new car is where the old one was; in 3D it is not."""
    nearer = (10.0, 2.0, -0.9, 4.0, 1.6, 1.5, 0.2)
    in_front = (280, 140, 450, 280)
    inserted = put((nearer, CAR, in_front))
    events = compare_solid(
        seen(FIRST), seen((nearer, CAR, 0.9, in_front)), score=0.5, inserted=inserted
    )
    assert story(events) == [("lost", "3D", 0, None), ("lost", "2D", 0, None)]
    assert {event.severity.value for event in events} == {"hard"}


def test_the_old_car_is_not_taken_for_the_new_one_that_was_missed() -> None:
    """Their image boxes overlap widely; the detection is the old one, unchanged."""
    inserted = put(((10.0, 2.0, -0.9, 4.0, 1.6, 1.5, 0.2), CAR, (290, 140, 450, 270)))
    assert compare_solid(seen(FIRST), seen(FIRST), score=0.5, inserted=inserted) == ()


def test_a_neighbour_that_reaches_into_the_new_car_is_not_taken_for_it() -> None:
    """The old car, 0.9 m nearer to the new one, has IoU 0.19 with it: it is still the old car."""
    inserted = put((ahead(HERE, 3.6), CAR, NOWHERE))
    before, after = seen((HERE, CAR, 0.9, NOWHERE)), seen((ahead(HERE, 0.9), CAR, 0.9, NOWHERE))
    assert compare_solid(before, after, score=0.5, inserted=inserted) == ()


def test_an_old_car_in_the_image_is_not_taken_for_the_new_one_before_or_behind_it() -> None:
    """The new image box covers 0.4 of the old one; the old car moved only in depth."""
    inserted = put((THERE, CAR, (300, 150, 360, 260)))
    after = seen((ahead(HERE, 3), CAR, 0.9, ON_HERE))
    events = compare_solid(seen(FIRST), after, score=0.5, inserted=inserted)
    assert story(events) == [("moved", "3D", 0, 0)]


def test_an_image_box_that_jumps_to_the_new_car_is_still_of_the_old_one() -> None:
    beside = (400, 150, 550, 260)
    inserted = put((THERE, CAR, beside))
    events = compare_solid(
        seen(FIRST), seen((HERE, CAR, 0.9, beside)), score=0.5, inserted=inserted
    )
    assert story(events) == [("moved", "2D", 0, 0)]


def test_a_covered_car_that_moved_in_space_may_still_shrink_in_the_image() -> None:
    inserted = put((THERE, CAR, (340, 100, 460, 300)))
    shrunk = (ahead(HERE, 2), CAR, 0.9, (300, 150, 340, 260))
    found = (THERE, CAR, 0.9, (340, 100, 460, 300))
    events = compare_solid(seen(FIRST), seen(shrunk, found), score=0.5, inserted=inserted)
    assert story(events) == [("moved", "3D", 0, 0)]


def test_an_image_box_may_shrink_where_an_inserted_object_covers_it() -> None:
    inserted = put((THERE, CAR, (340, 100, 460, 300)))
    found = (THERE, CAR, 0.9, (340, 100, 460, 300))
    shrunk = (HERE, CAR, 0.9, (300, 150, 340, 260))
    after = seen(shrunk, found)
    assert compare_solid(seen(FIRST), after, score=0.5, inserted=inserted) == ()
    assert story(compare_solid(seen(FIRST), seen(shrunk), score=0.5)) == [("moved", "2D", 0, 0)]
    strip = seen((HERE, CAR, 0.9, (300, 150, 310, 260)), found)
    assert compare_solid(seen(FIRST), strip, score=0.5, inserted=inserted) == ()


def test_a_phantom_whose_place_was_given_away_is_not_lost() -> None:
    before = seen(FIRST, (ahead(THERE, 1), VAN, 0.6, ON_THERE))
    inserted = put((THERE, CAR, ON_THERE))
    assert compare_solid(before, seen(FIRST, SECOND), score=0.5, inserted=inserted) == ()


def test_what_appears_where_nobody_knows_is_no_event() -> None:
    region = np.array([[790, 150, 870, 190]])  # 30 of the 50 rows of the second car's box
    assert compare_solid(seen(FIRST), seen(FIRST, SECOND), score=0.5, ignored=region) == ()
    narrow = np.array([[790, 150, 870, 180]])
    events = compare_solid(seen(FIRST), seen(FIRST, SECOND), score=0.5, ignored=narrow)
    assert story(events) == [("appeared", "3D", None, 1), ("appeared", "2D", None, 1)]


# Inserted objects


@pytest.mark.parametrize(
    ("after", "row", "became", "margin", "severity"),
    [
        (seen(FIRST), None, None, 0.5, "hard"),
        (seen((THERE, CAR, 0.45, ON_THERE)), None, None, 0.05, "borderline"),
        (seen((THERE, CAR, 0.1, ON_THERE)), None, None, 0.4, "hard"),
        (seen((THERE, VAN, 0.9, ON_THERE)), 0, VAN, 0.9, "hard"),
        (seen((THERE, VAN, 0.55, NOWHERE), (THERE, CAR, 0.45, ON_THERE)), 0, VAN, 0.1,
         "borderline"),
        (seen((ahead(THERE, 2), CAR, 0.9, ON_THERE)), 0, None, 0.5 - 1 / 3, "hard"),
        (seen((ahead(THERE, 1.5), CAR, 0.9, ON_THERE)), 0, None, 0.5 - 2.5 / 5.5, "borderline"),
    ],
)  # fmt: skip
def test_how_an_inserted_car_is_missed_in_3d(
    after: Detections3D, row: int | None, became: int | None, margin: float, severity: str
) -> None:
    inserted = put((THERE, CAR, ON_THERE))
    [event] = missed_insertion(after, inserted, score=0.5, image_iou=None)
    assert event.kind is EventKind.INSERTED_MISSED
    assert (event.before, event.after, event.new_label) == (None, row, became)
    assert (event.label, event.severity.value) == (CAR, severity)
    assert event.margin == pytest.approx(margin, abs=1e-6)
    assert (event.solid, event.box) == (THERE, ON_THERE)


def test_nothing_at_all_is_hard_even_at_a_low_threshold() -> None:
    [event] = missed_insertion(seen(), put((THERE, CAR, NOWHERE)), score=0.1)
    assert event.severity.value == "hard"


def test_a_car_found_in_the_image_alone_is_missed_in_3d_alone() -> None:
    far = ((50.0, -6.7, *THERE[2:]), CAR, 0.9, ON_THERE)
    events = missed_insertion(seen(far), put((THERE, CAR, ON_THERE)), score=0.5)
    assert [bool(event.solid) for event in events] == [True]


def test_one_detection_finds_one_object() -> None:
    two = put((THERE, CAR, NOWHERE), (ahead(THERE, 0.5), CAR, NOWHERE))
    [event] = missed_insertion(seen(SECOND), two, score=0.5)
    assert event.solid == ahead(THERE, 0.5)


def test_a_detection_of_another_object_finds_nothing() -> None:
    inserted = put((THERE, CAR, ON_THERE))
    assert missed_insertion(seen(SECOND), inserted, score=0.5) == ()
    taken = missed_insertion(seen(SECOND), inserted, score=0.5, taken=np.array([True]))
    assert len(taken) == 2


def test_an_object_of_no_known_class_is_found_by_any() -> None:
    unknown = put((THERE, ANY_LABEL, ON_THERE))
    assert missed_insertion(seen((THERE, VAN, 0.9, ON_THERE)), unknown, score=0.5) == ()


# Any answers


def random_answer(rng: np.random.Generator, count: int) -> Detections3D:
    places = np.array([HERE, THERE, BEHIND, (18.0, 3.5, *HERE[2:])])
    boxes = places[rng.integers(0, 4, count)] + rng.normal(0, 0.6, (count, 7)) * 0.8
    boxes[:, 3:6] = np.abs(boxes[:, 3:6]) + 0.2
    corner = rng.integers(0, 3, (count, 2)) * 40 + rng.normal(0, 6, (count, 2))
    image = np.hstack([corner, corner + rng.uniform(30, 60, (count, 2))])
    image[rng.random(count) < 0.2] = 0
    labels, scores = rng.integers(0, 3, count), rng.uniform(0.2, 1, count)
    return Detections3D(boxes, labels, scores.astype(np.float32), image.astype(np.float32))


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(0, 6))
def test_swapping_before_and_after_turns_lost_into_appeared(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_answer(rng, n), random_answer(rng, m)
    swap = {EventKind.LOST: EventKind.APPEARED, EventKind.APPEARED: EventKind.LOST}

    def described(events: tuple[Event, ...], turned: bool) -> list[Any]:
        rows = []
        for event in events:
            sides = (event.before, event.after)
            kind = swap.get(event.kind, event.kind) if turned else event.kind
            sides = sides[::-1] if turned else sides
            rows.append((kind, event.solid is None, str(sides), event.margin))
        return sorted(rows)

    forth, back = compare_solid(one, other, score=0.5), compare_solid(other, one, score=0.5)
    assert described(forth, False) == described(back, True)


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(0, 6))
def test_each_object_is_explained_once_in_space_and_once_in_the_image(
    seed: int, n: int, m: int
) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_answer(rng, n), random_answer(rng, m)
    for flat in (False, True):
        events = [e for e in compare_solid(one, other, score=0.5) if (e.solid is None) == flat]
        for side in ("before", "after"):
            rows = [getattr(e, side) for e in events if getattr(e, side) is not None]
            assert len(rows) == len(set(rows))
    assert compare_solid(one, one[np.arange(n)], score=0.5) == ()
