"""Pictures of cases before and after repair: the same picture twice, with each one's marks."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.registry import recipe_from_json
from snellen.errors import SnellenError
from snellen.pages.embedded_pictures import Album, thumbnail
from snellen.pages.focus import focus
from snellen.pages.marks import LEGEND, Mark, Sides, case_box, sides, what_happened
from snellen.pages.markup import Markup, joined, tag
from snellen.repair.evaluation.evaluation_sides import EvaluationSide
from snellen.repair.page.case_selection import NEW, REPAIRED, STILL, ComparedCase
from snellen.report.reopened_run import Reopened
from snellen.store.findings import Box, EventRow, Finding, prediction
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Image
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

log = logging.getLogger(__name__)

AGAIN = "again"
WORDS = {**LEGEND, AGAIN: "detected here, lost by the other"}
TITLES = {
    REPAIRED: "Repaired: fails before, passes after",
    NEW: "New: passes before, fails after",
    STILL: "Still failing",
}
WIDTH = 1100
"""Largest width of a picture, in pixels."""


@dataclass(frozen=True, eq=False)
class PicturePair:
    """A case with its picture, H x W x 3, and the marks of both sides on it."""

    shown: ComparedCase
    image: Image
    marks: Sides
    label: str | None


def pairs_of(
    before: EvaluationSide, after: EvaluationSide, run: Reopened, chosen: Sequence[ComparedCase]
) -> Iterator[PicturePair]:
    """The chosen cases that can be rebuilt; others are logged with the reason."""
    for one in chosen:
        try:
            image, label = run.case(one.before), run.label(one.before.recipe)
            size = run.scene(one.before.scene).size
            marks = Sides(
                _marks(before, one.before, one.after, label, size),
                _marks(after, one.after, one.before, label, size),
            )
            yield PicturePair(one, image, marks, label)
        except (SnellenError, OSError) as error:
            log.warning("case %s has no picture: %s", one.before.id, error)


def _marks(
    side: EvaluationSide, own: Finding, other: Finding, label: str | None, size: tuple[int, int]
) -> tuple[Mark, ...]:
    """The marks of one side, and of objects that the other lost and this one detects.

    size: (height, width) of the scene.
    """
    scene, said = prediction(side.journal, own.before), prediction(side.journal, own.after)
    assert said is not None
    traits = side.subject
    drawn = sides(own, scene, said, traits["classes"], traits["score"], label, size=size).after
    mine, recipe = {event.box for event in own.events}, recipe_from_json(own.recipe)
    again = [
        _detected(event, case_box(event, recipe, size), said, side)
        for event in other.events
        if event.box is not None and event.box not in mine
    ]
    return (*drawn, *(mark for mark in again if mark is not None))


def _detected(event: EventRow, place: Box, said: Prediction, side: EvaluationSide) -> Mark | None:
    """The detection of an object that the other side lost, or None; place: its box in the case."""
    if not event.hard or not isinstance(said, Detections):
        return None
    names = np.array([side.subject["classes"][label] for label in said.labels.tolist()])
    fits = (names == event.name) & (said.scores >= np.float32(side.subject["score"]))
    alike = iou(said.boxes, [place])[:, 0] * fits
    if not len(alike) or alike.max() < 0.5:
        return None
    best = int(alike.argmax())
    x1, y1, x2, y2 = said.boxes[best].tolist()
    return Mark(AGAIN, (x1, y1, x2, y2), f"{event.name} {said.scores[best]:.2f}")


def gallery(pairs: Sequence[PicturePair], album: Album) -> Markup:
    """The pairs, each with a title and its events, and a legend."""
    found = {mark.kind for pair in pairs for mark in (*pair.marks.before, *pair.marks.after)}
    items = [
        tag("li", tag("span", class_=f"key {kind}"), words)
        for kind, words in WORDS.items()
        if kind in found
    ]
    return joined(
        tag("ul", items, class_="legend"),
        tag("div", [_card(pair, album) for pair in pairs], class_="changes"),
    )


def _card(pair: PicturePair, album: Album) -> Markup:
    picture = album.add(thumbnail(pair.image, WIDTH))
    sides_shown = (("before repair", pair.marks.before), ("after repair", pair.marks.after))
    shots = [_shot(pair, picture, name, marks) for name, marks in sides_shown]
    return tag(
        "article",
        tag("h3", TITLES[pair.shown.kind]),
        tag("div", shots, class_="pair"),
        tag(
            "div",
            tag("p", _description(pair)),
            tag("p", _facts(pair), class_="facts"),
            class_="caption",
        ),
        class_="card",
    )


def _description(pair: PicturePair) -> str:
    one = pair.shown
    events = [
        f"{when}: {'; '.join(map(what_happened, finding.events))}"
        for when, finding in (("Before", one.before), ("After", one.after))
        if finding.events
    ]
    undetected = one.after.measurements.get("gone") and not one.after.events
    note = ["After: not detected in the unchanged scene"] if undetected else []
    return ". ".join([*events, *note])


def _facts(pair: PicturePair) -> str:
    finding = pair.shown.before
    facts = [finding.scene, f"inserted: {pair.label or 'object'}", f"case {finding.id}"]
    if "distance" in finding.measurements:
        facts.insert(2, f"{finding.measurements['distance']:.0f} px from the contour")
    return " · ".join(facts)


def _shot(pair: PicturePair, picture: str, name: str, marks: Sequence[Mark]) -> Markup:
    height, width = pair.image.shape[:2]
    x1, y1, x2, y2 = window = focus(pair.marks, (height, width))
    wide, tall = (x2 - x1) / width, (y2 - y1) / height
    stage = (
        f"left:{_percent(-x1 / width / wide)};top:{_percent(-y1 / height / tall)};"
        f"width:{_percent(1 / wide)};height:{_percent(1 / tall)}"
    )
    description = "; ".join(mark.text for mark in marks) or "no detections"
    boxes = [_mark(mark, (height, width), window) for mark in marks]
    return tag(
        "span",
        tag("span", tag("span", class_=f"picture {picture}"), boxes, class_="stage", style=stage),
        tag("span", name, class_="side"),
        class_="shot",
        role="img",
        aria_label=f"{name}: {description}",
        style=f"aspect-ratio:{width}/{height};--ratio:{width / height:.4f}",
    )


def _mark(mark: Mark, size: tuple[int, int], window: tuple[int, int, int, int]) -> Markup:
    height, width = size
    x1, y1, x2, y2 = mark.box
    placed = (
        f"left:{_percent(x1 / width)};top:{_percent(y1 / height)};"
        f"width:{_percent((x2 - x1) / width)};height:{_percent((y2 - y1) / height)}"
    )
    flags = " dashed" if mark.dashed else ""
    flags += " low" if y1 - window[1] < 0.12 * (window[3] - window[1]) else ""
    flags += " right" if x1 + x2 > window[0] + window[2] else ""
    word = tag("span", mark.text, class_="word")
    return tag("span", word, class_=f"mark {mark.kind}{flags}", style=placed)


def _percent(value: float) -> str:
    return f"{100 * value:.3f}%"
