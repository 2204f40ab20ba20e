"""Marks on the pictures before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from snellen.store.findings import Box, EventRow, Finding
from snellen.subjects.subject import Prediction
from snellen.vision.detections import Detections

INSERTED = "inserted"
KEPT = "kept"
NAMED = "named"
UNNAMED = "missing"
LEGEND = {
    NAMED: "an object whose label was output",
    UNNAMED: "an object whose label was not output",
    INSERTED: "an inserted object",
    "inserted-missed": "an inserted object that is not found",
    "lost": "an object that is no longer found",
    "appeared": "newly detected, without a counterpart before",
    "relabelled": "an object that changed class",
    "moved": "an object whose box moved",
    KEPT: "found as before",
}
PLACED = ("insert", "patch")
"""Kinds of recipes that paste at x, y with width and height."""


@dataclass(frozen=True)
class Mark:
    """A box with text. kind: a key of `LEGEND`. dashed: where an object was before."""

    kind: str
    box: Box
    text: str
    dashed: bool = False


@dataclass(frozen=True)
class Sides:
    """The marks of the picture before and of the picture after, the most important last.

    moved: whether things are elsewhere after, so that only the whole scene shows both.
    """

    before: tuple[Mark, ...]
    after: tuple[Mark, ...]
    moved: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that occur, in the order of the legend."""
        found = {mark.kind for mark in (*self.before, *self.after)}
        return tuple(kind for kind in LEGEND if kind in found)


def sides(
    finding: Finding,
    before: Prediction | None,
    after: Prediction,
    classes: Sequence[str],
    score: float,
    label: str | None = None,
    *,
    size: tuple[int, int],
) -> Sides:
    """The marks of a finding. label: of the inserted object, where it is known.

    size: (height, width) of the scene. What was somewhere before is marked after where the recipe
    moves it.
    """
    recipe = recipe_from_json(finding.recipe)
    old, new = _kept(before, _changed_indices(finding, "before"), classes, score), []
    new += _kept(after, _changed_indices(finding, "after"), classes, score)
    box = inserted_box(finding.recipe)
    if box is not None:
        new.append(Mark(INSERTED, box, f"{_put(finding)} {label or ''}".strip()))
    for event in finding.events:
        if event.box is not None:
            old += _before(event)
            new += _after(event, after, case_box(event, recipe, size))
    boxes = np.array([mark.box for mark in (*old, *new)], dtype=np.float32).reshape(-1, 4)
    moved = not np.array_equal(recipe.moved_boxes(boxes, size), boxes)
    return Sides(tuple(old), tuple(new), moved)


def case_box(event: EventRow, recipe: Recipe, size: tuple[int, int]) -> Box:
    """Where an event with a box is in the case: moved, if its box is that of an object before.

    size: (height, width) of the scene.
    """
    assert event.box is not None
    if event.before is None:
        return event.box
    x1, y1, x2, y2 = recipe.moved_boxes([event.box], size)[0].tolist()
    return x1, y1, x2, y2


def inserted_box(recipe: dict[str, object]) -> Box | None:
    """Where a recipe pastes something: xyxy pixels, or None."""
    if recipe.get("kind") not in PLACED:
        return None
    x, y, width, height = (float(str(recipe[key])) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def what_happened(event: EventRow) -> str:
    """One event in words, a line of a caption; what is known of the object is said."""
    faint = "" if event.hard else ", borderline"
    words = {
        "lost": f"lost {known_name(event)}: score {event.score_before:.2f} to {_score(event)}",
        "appeared": f"{known_name(event)}: score {event.score_after:.2f}",
        "relabelled": f"{event.name} became {event.new_name}, score {event.score_after:.2f}",
        "moved": f"{event.name} moved: IoU {event.iou:.2f}",
        "inserted-missed": f"inserted {event.name} {_unfound(event)}",
        "missing": f"label {event.name} {_change('gone', 'missing', event)}",
        "extra": f"label {event.name} {_change('added', 'extra', event)}",
        "mismatch": f"label {event.name} became {event.new_name}",
    }
    return words.get(event.kind, f"{event.kind} {event.name}") + faint


def known_name(event: EventRow) -> str:
    """The object of an event with what is known of it, as `Event.truth` says."""
    words = {
        "duplicate": f"second box on a {event.name}",
        "mistake": f"{event.name} that was not there",
        "second-box": f"second box on a {event.name}",
        "there-all-along": f"{event.name} that was there all along",
        "phantom": f"phantom {event.name}",
    }
    new = f"new {event.name}" if event.kind == "appeared" else event.name
    return words.get(event.truth or "", new)


def _change(word: str, known: str, event: EventRow) -> str:
    """How a label's score changed; only the new score where the old one is a known truth."""
    if event.score_before in (0.0, 1.0):
        return f"{known}: score {event.score_after:.2f}"
    return f"{word}: {event.score_before:.2f} to {event.score_after:.2f}"


def _score(event: EventRow) -> str:
    return f"{event.score_after:.2f}" if event.score_after else "nothing"


def _unfound(event: EventRow) -> str:
    """How an inserted object was missed."""
    if event.new_name is not None:
        return f"is classified as {event.new_name}, score {event.score_after:.2f}"
    if event.after is not None:
        return f"is found in another place: IoU {event.iou:.2f}"
    return f"is not found: score {event.score_after:.2f}" if event.score_after else "is not found"


def _put(finding: Finding) -> str:
    return "inserted" if finding.recipe["kind"] == "insert" else "patch"


def _changed_indices(finding: Finding, side: str) -> set[int]:
    return {getattr(event, side) for event in finding.events} - {None}


def _kept(
    answer: Prediction | None, changed: set[int], classes: Sequence[str], score: float
) -> list[Mark]:
    if not isinstance(answer, Detections):
        return []
    return [
        Mark(KEPT, _box(answer, place), f"{classes[answer.labels[place]]} {value:.2f}")
        for place, value in enumerate(answer.scores)
        if value >= np.float32(score) and place not in changed
    ]


def _box(answer: Detections, place: int) -> Box:
    x1, y1, x2, y2 = answer.boxes[place].tolist()
    return x1, y1, x2, y2


def _before(event: EventRow) -> list[Mark]:
    if event.before is None or event.box is None:
        return []
    return [Mark(event.kind, event.box, f"{event.name} {event.score_before:.2f}")]


def _after(event: EventRow, after: Prediction, place: Box) -> list[Mark]:
    """place: where the event is in the case."""
    if event.kind == "lost":
        return [Mark(event.kind, place, f"lost {event.name}", dashed=True)]
    found = event.after is not None and isinstance(after, Detections)
    box = _box(after, event.after) if found else place  # type: ignore[arg-type]
    text = {"relabelled": f"now {event.new_name}", "moved": f"{event.name} moved"}.get(
        event.kind, known_name(event)
    )
    made = [Mark(event.kind, box, f"{text} {event.score_after:.2f}")]
    if event.kind == "moved":
        made.insert(0, Mark(event.kind, place, "was here", dashed=True))
    return made
