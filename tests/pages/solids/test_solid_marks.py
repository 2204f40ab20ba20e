"""What happened in a camera+LiDAR case is told once, and drawn where it is, in both sensors."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import image_marks, solid_marks
from snellen.pages.solids.solid_words import happened, inserted_kinds, merged_events
from snellen.vision.detections3d import Detections3D
from tests.pages.solids.solid_findings import (
    CAR,
    CLASSES,
    HIDDEN,
    NEW,
    solid_case,
    solid_event,
    solid_finding,
)
from tests.store.test_findings import event, finding

FLAT = (100.0, 100.0, 150.0, 140.0)
MOVED = (22.0, 3.0, -0.9, 4.0, 1.7, 1.5, 0.0)
BEFORE = Detections3D(
    np.array([CAR, HIDDEN]),
    np.array([0, 0]),
    np.array([0.9, 0.8], np.float32),
    np.array([FLAT, (0, 0, 0, 0)], np.float32),
)
AFTER = Detections3D(
    np.array([MOVED, NEW]),
    np.array([0, 0]),
    np.array([0.9, 0.8], np.float32),
    np.array([(90, 100, 140, 140), (300, 100, 420, 200)], np.float32),
)


def test_what_is_lost_in_3d_and_in_the_image_is_told_once() -> None:
    found = solid_finding(solid_event(), solid_event(solid=None))
    assert happened(found) == ("lost Car: score 0.90 to 0.10, 20 m away, in 3D and in the image",)
    assert happened(solid_finding(solid_event(solid=None)))[0].endswith(", in the image")
    assert happened(solid_finding(solid_event()))[0].endswith(", in 3D")


def test_what_is_hard_in_one_of_them_is_hard() -> None:
    [told] = merged_events([solid_event(hard=False), solid_event(solid=None)])
    assert told.hard
    first, second = merged_events(
        [solid_event(hard=False, before=1), solid_event(solid=None, before=0)]
    )
    assert (first.hard, second.hard) == (True, False)


def test_two_things_that_were_put_in_and_missed_are_two() -> None:
    missed = [
        solid_event("inserted-missed", before=None, solid=NEW, box=(300.0, 100.0, 420.0, 200.0)),
        solid_event("inserted-missed", before=None, solid=None, box=(300.0, 100.0, 420.0, 200.0)),
        solid_event("inserted-missed", before=None, solid=HIDDEN, box=None),
    ]
    assert [one.where for one in merged_events(missed)] == [("in 3D", "in the image"), ("in 3D",)]


def test_events_of_other_methods_are_told_as_they_were() -> None:
    assert happened(finding("a", "s", event())) == ("lost cat: score 0.90 to 0.10",)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"after": None, "score_after": 0.0}, "inserted Car is not found,"),
        ({"after": None, "score_after": 0.3}, "inserted Car is not found: score 0.30"),
        ({"after": 3, "iou": 0.21}, "is found in another place: IoU 0.21"),
        ({"after": 3, "new_name": "Van"}, "inserted Car is classified as Van"),
    ],
)
def test_the_outcome_of_an_inserted_object_is_reported(more: dict[str, object], words: str) -> None:
    [line] = happened(solid_finding(solid_event("inserted-missed", before=None, **more)))
    assert words in line


def test_lost_is_dashed_after_and_solid_before_and_drawn_once() -> None:
    found = solid_finding(solid_event(), solid_event(solid=None))
    marks = image_marks(found, (BEFORE, AFTER), CLASSES, 0.5, solid_case())
    lost = [mark for mark in marks.after if mark.kind == "lost"]
    assert [(mark.box, mark.dashed) for mark in lost] == [(FLAT, True)]
    assert [mark.box for mark in marks.before if mark.kind == "lost"] == [FLAT]
    assert not any(mark.box == (0, 0, 0, 0) for mark in (*marks.before, *marks.after))


def test_what_was_put_in_is_outlined_where_the_image_shows_it() -> None:
    marks = image_marks(solid_finding(), (BEFORE, AFTER), CLASSES, 0.5, solid_case())
    put = [mark for mark in marks.after if mark.kind == "inserted"]
    assert [(mark.box, mark.text) for mark in put] == [((300, 100, 420, 200), "sedan inserted")]


def test_what_was_missed_is_marked_in_both_views_and_the_other_is_not() -> None:
    missed = solid_event("inserted-missed", before=None, solid=HIDDEN, box=None)
    found = solid_finding(missed)
    drawn = solid_marks(found, (BEFORE, AFTER), CLASSES, 0.5, solid_case())
    boxes = {mark.kind: mark.box for mark in drawn if mark.kind.startswith("inserted")}
    assert boxes == {"inserted": NEW, "inserted-missed": HIDDEN}
    flat = solid_event("inserted-missed", before=None, solid=None, box=(300.0, 100.0, 420.0, 200.0))
    marks = image_marks(solid_finding(flat), (BEFORE, AFTER), CLASSES, 0.5, solid_case())
    assert [mark.text for mark in marks.after if mark.kind == "inserted-missed"] == [
        "sedan not found"
    ]
    assert not [mark for mark in marks.after if mark.kind == "inserted"]


def test_moved_has_both_places_in_space() -> None:
    found = solid_finding(solid_event("moved", after=0, iou=0.33))
    drawn = solid_marks(found, (BEFORE, AFTER), CLASSES, 0.5, solid_case())
    moved = [(mark.box, mark.dashed) for mark in drawn if mark.kind == "moved"]
    assert moved == [(CAR, True), (MOVED, False)]
    assert [mark.box for mark in drawn if mark.kind == "kept"] == [NEW]


def test_a_case_is_kept_to_the_centimetre() -> None:
    case = solid_case()
    read = SolidCase.from_bytes(case.to_bytes())
    assert read.same(case)
    assert np.abs(read.points - case.points).max() < 0.0051
    for name in ("new", "labelled", "inserted", "inserted_image", "image"):
        assert np.array_equal(getattr(read, name), getattr(case, name))
    moved = SolidCase(case.points + 0.02, case.new, case.labelled, case.inserted,
                      case.inserted_image)  # fmt: skip
    assert not moved.same(read)


def test_what_was_put_in_is_named_by_kind() -> None:
    assert inserted_kinds(solid_finding().recipe) == "sedan, van"
    assert inserted_kinds({"kind": "identity"}) is None
