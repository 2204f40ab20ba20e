"""The inserted object's own boxes are never phantoms; a phantom elsewhere always is one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from snellen.methods.inserted_detections import LARGEST, events_beside
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.events import Event
from snellen.vision.truth.annotated_objects import AnnotatedObjects
from tests.vision.small_predictions import detections_of

Box = tuple[float, float, float, float]
PASTED: Box = (200.0, 200.0, 260.0, 240.0)
LABELS = 3


def inside(box: Box, other: Box) -> float:
    """The share of a box's area within another, from first principles."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    down = min(box[3], other[3]) - max(box[1], other[1])
    return max(0.0, across) * max(0.0, down) / ((box[2] - box[0]) * (box[3] - box[1]))


@st.composite
def places(draw: st.DrawFn, low: int = 0, high: int = 460) -> Box:
    x, y = draw(st.integers(low, high - 20)), draw(st.integers(low, high - 20))
    width, height = draw(st.integers(12, 120)), draw(st.integers(12, 120))
    return float(x), float(y), float(x + width), float(y + height)


def apart(*boxes: Box) -> bool:
    return all(inside(a, b) == 0 for k, a in enumerate(boxes) for b in boxes[:k])


@st.composite
def scenes(draw: st.DrawFn) -> list[Box]:
    """Objects of a scene, apart from one another and from the pasted rectangle."""
    objects: list[Box] = []
    for box in draw(st.lists(places(), min_size=1, max_size=4)):
        if apart(box, PASTED, *objects):
            objects.append(box)
    assume(objects)
    return objects


@st.composite
def own_boxes(draw: st.DrawFn) -> Box:
    """A box that shows the inserted object: displaced a little, a part of it, or around it."""
    kind = draw(st.sampled_from(["displaced", "part", "around"]))
    x1, y1, x2, y2 = PASTED
    if kind == "part":
        left, top = draw(st.integers(200, 250)), draw(st.integers(200, 230))
        return (
            float(left),
            float(top),
            float(draw(st.integers(left + 5, 262))),
            float(draw(st.integers(top + 5, 242))),
        )
    if kind == "around":
        margins = [draw(st.integers(0, 40)) for _ in range(4)]
        return x1 - margins[0], y1 - margins[1], x2 + margins[2], y2 + margins[3]
    dx, dy = draw(st.integers(-12, 12)), draw(st.integers(-8, 8))
    return x1 + dx, y1 + dy, x2 + dx, y2 + dy


def answer(boxes: list[Box], labels: list[int], score: float = 0.9) -> Detections:
    return detections_of(boxes, labels, [score] * len(boxes))


def compared(
    before: Detections, after: Detections, known: AnnotatedObjects | None = None
) -> tuple[list[Event], Bools]:
    events, own = events_beside(before, after, PASTED, known, score=0.5)
    return list(events), own


def hull(*boxes: Box) -> Box:
    corners = np.array(boxes)
    x1, y1 = corners[:, :2].min(axis=0).tolist()
    x2, y2 = corners[:, 2:].max(axis=0).tolist()
    return x1, y1, x2, y2


@given(scenes(), st.lists(own_boxes(), min_size=1, max_size=3), st.data())
def test_boxes_of_the_inserted_object_are_no_events(
    objects: list[Box], mine: list[Box], data: st.DataObject
) -> None:
    area = (PASTED[2] - PASTED[0]) * (PASTED[3] - PASTED[1])
    assume(all((b[2] - b[0]) * (b[3] - b[1]) <= LARGEST * area for b in mine))
    labels = [data.draw(st.integers(0, LABELS - 1)) for _ in objects]
    other = [data.draw(st.integers(0, LABELS - 1)) for _ in mine]
    before = answer(objects, labels)
    events, own = compared(before, answer([*objects, *mine], [*labels, *other]))
    assert events == []
    assert not own[: len(objects)].any()
    assert own[len(objects) :].all()


@given(scenes(), st.integers(0, LABELS - 1), st.data())
def test_a_box_that_merges_the_inserted_object_with_neighbours_is_no_event(
    objects: list[Box], label: int, data: st.DataObject
) -> None:
    merged = data.draw(st.lists(st.sampled_from(objects), min_size=1, max_size=3, unique=True))
    labels = [data.draw(st.integers(0, LABELS - 1)) for _ in objects]
    before = answer(objects, labels)
    box = hull(PASTED, *merged)
    # A box that is as good for an old object is that object's.
    assume(iou([box], objects).max() < 0.5)
    events, _ = compared(before, answer([*objects, box], [*labels, label]))
    assert events == []


@given(scenes(), st.data())
def test_a_merged_box_that_swallows_an_object_loses_it_but_is_no_phantom(
    objects: list[Box], data: st.DataObject
) -> None:
    swallowed = data.draw(st.integers(0, len(objects) - 1))
    labels = [data.draw(st.integers(0, LABELS - 1)) for _ in objects]
    label = data.draw(st.integers(0, LABELS - 1))
    box = hull(PASTED, objects[swallowed])
    assume(iou([box], objects).max() < 0.4)
    rest = [one for k, one in enumerate(objects) if k != swallowed]
    kept = [one for k, one in enumerate(labels) if k != swallowed]
    truths = Annotations(np.array(objects, np.float32), np.array(labels))
    known = AnnotatedObjects(truths, np.ones(LABELS, dtype=bool))
    before, after = answer(objects, labels), answer([*rest, box], [*kept, label])
    [event], _ = compared(before, after, known)
    assert event.kind in ("lost", "moved")
    assert (event.before, event.truth, event.severity) == (swallowed, "object", "hard")


@given(scenes(), places(), st.integers(0, LABELS - 1), own_boxes())
def test_a_phantom_that_does_not_touch_the_inserted_object_is_an_event(
    objects: list[Box], phantom: Box, label: int, mine: Box
) -> None:
    assume(apart(phantom, PASTED, *objects))
    assume(inside(phantom, mine) == 0)
    labels = [0] * len(objects)
    before, after = answer(objects, labels), answer([*objects, mine, phantom], [*labels, 1, label])
    assume(iou([mine], objects).max() < 0.5)
    known = AnnotatedObjects(
        Annotations(np.array(objects, np.float32), np.array(labels)), np.ones(LABELS, dtype=bool)
    )
    [event], _ = compared(before, after, known)
    assert (event.kind, event.truth, event.severity) == ("appeared", "phantom", "hard")
    assert event.after == len(objects) + 1
    [event], _ = compared(before, after)
    assert (event.kind, event.truth, event.severity) == ("appeared", None, "hard")


@pytest.mark.parametrize(
    ("box", "mine"),
    [
        ((150.0, 180.0, 310.0, 260.0), True),  # 5.3 times as large, around it
        ((0.0, 0.0, 640.0, 480.0), False),  # the whole image
        ((230.0, 200.0, 290.0, 240.0), True),  # half beside it
        ((236.0, 200.0, 296.0, 240.0), False),  # more than half beside it
    ],
)
def test_how_large_and_how_far_beside_a_box_may_be(box: Box, *, mine: bool) -> None:
    events, own = compared(answer([], []), answer([box], [0]))
    assert own.tolist() == [mine]
    assert [event.kind for event in events] == ([] if mine else ["appeared"])


def test_an_old_object_next_to_the_inserted_one_keeps_its_box_though_it_grew() -> None:
    """A box with IoU 0.5 or more with an old object is that object's, whatever else it covers."""
    old, grown = (200.0, 100.0, 260.0, 199.0), (200.0, 100.0, 260.0, 240.0)
    events, own = compared(answer([old], [0]), answer([grown], [0]))
    assert events == []
    assert not own.any()


def test_without_an_insertion_every_detection_is_of_the_scene() -> None:
    before, after = answer([PASTED], [0]), answer([PASTED, (0.0, 0.0, 30.0, 30.0)], [0, 1])
    [event], own = events_beside(before, after, None, score=0.5)
    assert (event.kind, event.after) == ("appeared", 1)
    assert not own.any()


def test_a_phantom_beside_the_inserted_object_is_no_second_box_of_it() -> None:
    mine, phantom = (200.0, 190.0, 290.0, 250.0), (236.0, 200.0, 296.0, 240.0)
    [event], own = compared(answer([], []), answer([mine, phantom], [0, 0]))
    assert own.tolist() == [True, False]
    assert (event.after, event.truth, event.severity) == (1, None, "hard")
