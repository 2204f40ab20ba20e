"""Marks of camera+LiDAR cases: boxes in the image and in 3D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.pages.marks import INSERTED, KEPT, Mark, Sides
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_words import MISSED, MergedEvent, merged_events, mesh_kind
from snellen.store.findings import Box, Finding
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Boxes3D
from snellen.vision.detections3d import Detections3D

LABELLED = "labelled"
Solid = tuple[float, ...]
"""x y z length width height yaw in the LiDAR frame."""


@dataclass(frozen=True)
class SolidMark:
    """A 3D box with text; kind and dashed as in `Mark`, and the kind `labelled`."""

    kind: str
    box: Solid
    text: str
    dashed: bool = False


def image_marks(
    finding: Finding,
    said: tuple[Prediction | None, Prediction],
    classes: Sequence[str],
    score: float,
    solid: SolidCase | None,
) -> Sides:
    """The marks on the images of a camera+LiDAR case; said: the answers before and after."""
    before, after = said
    assert isinstance(after, Detections3D)
    assert before is None or isinstance(before, Detections3D)
    merged = merged_events(finding.events)
    old = _kept(before, {one.event.before for one in merged}, classes, score)
    new = _kept(after, {one.event.after for one in merged}, classes, score)
    new += _inserted(finding, merged, solid)
    for one in merged:
        old += _before(one)
        new += _after(one, after)
    return Sides(tuple(old), tuple(new))


def solid_marks(
    finding: Finding,
    said: tuple[Prediction | None, Prediction],
    classes: Sequence[str],
    score: float,
    solid: SolidCase,
) -> tuple[SolidMark, ...]:
    """The marks in 3D: labels, unchanged detections, inserted objects, events.

    The most important last.
    """
    before, after = said
    assert isinstance(after, Detections3D)
    old = before if isinstance(before, Detections3D) else Detections3D.empty()
    merged = merged_events(finding.events)
    changed = {one.event.after for one in merged}
    made = [SolidMark(LABELLED, _solid(box), "labelled") for box in solid.labelled]
    made += [
        SolidMark(KEPT, _solid(after.boxes[row]), f"{classes[after.labels[row]]} {value:.2f}")
        for row, value in enumerate(after.scores)
        if value >= np.float32(score) and row not in changed
    ]
    missed = _missed(merged, solid)
    for place, box in enumerate(solid.inserted):
        name = _name(finding, place)
        kind, text = (MISSED, f"{name} not found") if place in missed else (INSERTED, name)
        made.append(SolidMark(kind, _solid(box), text))
    for one in merged:
        made += _in_space(one, old.boxes, after.boxes)
    return tuple(made)


def _kept(
    answer: Detections3D | None, changed: set[int | None], classes: Sequence[str], score: float
) -> list[Mark]:
    if answer is None:
        return []
    return [
        Mark(KEPT, _flat(answer, row), f"{classes[answer.labels[row]]} {answer.scores[row]:.2f}")
        for row in np.flatnonzero(
            answer.has_image_box & (answer.scores >= np.float32(score))
        ).tolist()
        if row not in changed
    ]


def _inserted(
    finding: Finding, merged: Sequence[MergedEvent], solid: SolidCase | None
) -> list[Mark]:
    """The inserted objects visible in the image; missed ones are marked as such."""
    if solid is None:
        return []
    missed, made = _missed(merged, solid), []
    for place, (x1, y1, x2, y2) in enumerate(solid.inserted_image.tolist()):
        if x2 > x1:
            name = _name(finding, place)
            kind, text = (MISSED, "not found") if place in missed else (INSERTED, "inserted")
            made.append(Mark(kind, (x1, y1, x2, y2), f"{name} {text}", dashed=place in missed))
    return sorted(made, key=lambda mark: mark.dashed)


def _missed(merged: Sequence[MergedEvent], solid: SolidCase) -> set[int]:
    """Indices of missed inserted objects, by their 3D box, else by that in the image."""
    found = set()
    for event in (one.event for one in merged if one.event.kind == MISSED):
        where: Solid | None = event.box
        boxes = np.asarray(solid.inserted_image, dtype=np.float64)
        if event.solid is not None:
            where, boxes = event.solid, solid.inserted
        if where is not None and len(boxes):
            found.add(int(np.abs(boxes - where).max(axis=1).argmin()))
    return found


def _name(finding: Finding, place: int) -> str:
    objects = finding.recipe.get("objects") or ()
    return mesh_kind(objects[place][0]) if place < len(objects) else "object"


def _before(merged: MergedEvent) -> list[Mark]:
    event = merged.event
    if event.before is None or event.box is None:
        return []
    return [Mark(event.kind, event.box, f"{event.name} {event.score_before:.2f}")]


def _after(merged: MergedEvent, after: Detections3D) -> list[Mark]:
    event = merged.event
    if event.kind == MISSED:
        return []
    if event.kind == "lost":
        return [Mark("lost", event.box, _text(merged), dashed=True)] if event.box else []
    assert event.after is not None
    made = []
    if event.kind == "moved" and event.box is not None:
        made.append(Mark(event.kind, event.box, "was here", dashed=True))
    if after.has_image_box[event.after]:
        made.append(Mark(event.kind, _flat(after, event.after), _text(merged)))
    return made


def _in_space(merged: MergedEvent, old: Boxes3D, new: Boxes3D) -> list[SolidMark]:
    event = merged.event
    if event.kind == MISSED:
        return []
    made = []
    if event.before is not None and event.kind in ("lost", "moved"):
        text = "was here" if event.kind == "moved" else _text(merged)
        made.append(SolidMark(event.kind, _solid(old[event.before]), text, dashed=True))
    if event.after is not None and event.kind != "lost":
        made.append(SolidMark(event.kind, _solid(new[event.after]), _text(merged)))
    return made


def _text(merged: MergedEvent) -> str:
    event = merged.event
    words = {
        "lost": f"lost {event.name}",
        "appeared": f"new {event.name}",
        "relabelled": f"now {event.new_name}",
        "moved": f"{event.name} moved",
    }.get(event.kind, f"{event.kind} {event.name}")
    only = f" {merged.where[0]}" if len(merged.where) == 1 else ""
    return f"{words}{only}"


def _flat(answer: Detections3D, row: int) -> Box:
    x1, y1, x2, y2 = answer.image_boxes[row].tolist()
    return x1, y1, x2, y2


def _solid(box: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Solid:
    return tuple(np.asarray(box).tolist())
