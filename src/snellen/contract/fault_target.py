"""What a finding strikes: findings that strike the same thing are one fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from snellen.contract.verdict import Case
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.events import Event, EventKind, Severity

Box: TypeAlias = tuple[float, float, float, float]
SAME_IOU = 0.5
"""The IoU from which two boxes are of one thing."""
BOX, SOLID, NOWHERE = "box", "solid", "nowhere"
"""Kinds of places: in the image, in space, or none, as of a label."""


@dataclass(frozen=True)
class FaultTarget:
    """An object of a scene, a place in it, a label pair or a confusion.

    key: the kind of thing by name, such as `object car`. Two things are the same if they have the
    same key, the same scene (or are `shared`) and, if they have boxes, boxes that overlap with IoU
    0.5 or more: so the same object is recognised in the answers of another subject. words: the
    thing for people. box: xyxy in pixels of the unchanged scene. solid: x y z length width height
    yaw in the LiDAR frame. shared: whether findings of different scenes strike the same thing.
    """

    key: str
    words: str
    box: Box | None = None
    solid: tuple[float, ...] | None = None
    shared: bool = False

    @property
    def kind(self) -> tuple[str, str]:
        """What targets of one thing have in common: the key, and by what they are located."""
        return self.key, SOLID if self.solid is not None else BOX if self.box else NOWHERE


def same_places(targets: Sequence[FaultTarget], others: Sequence[FaultTarget]) -> Bools:
    """(N, M): whether targets of one kind in one scene are of one thing.

    Boxes overlap with IoU 0.5 or more; the centres of solids are no further from each other than
    half their shortest side.
    """
    _, place = targets[0].kind
    if place == BOX:
        boxes = (np.array([t.box for t in side], np.float64) for side in (targets, others))
        return np.asarray(iou(*boxes) >= SAME_IOU)
    if place == SOLID:
        one, other = (np.array([t.solid for t in side], np.float64) for side in (targets, others))
        reach = np.minimum(one[:, 3:5].min(axis=1)[:, None], other[:, 3:5].min(axis=1)) / 2
        apart = np.linalg.norm(one[:, None, :3] - other[:, :3], axis=2)
        return np.asarray(apart <= reach)
    return np.ones((len(targets), len(others)), dtype=bool)


def same_target(one: FaultTarget, other: FaultTarget) -> bool:
    """Whether two targets of one scene are the same thing."""
    return one == other or (one.kind == other.kind and bool(same_places([one], [other])[0, 0]))


def is_among(target: FaultTarget, others: Sequence[FaultTarget]) -> bool:
    """Whether a target is the same thing as one of these of its scene."""
    return any(same_target(target, one) for one in others)


def targets_of_events(case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
    """What the hard events of a case strike; classes: the subject's, by class id.

    An object of the scene, however it was lost; for an object that appeared, its place; for
    labels, the label or the confusion, in any scene.
    """
    targets = (
        event_target(
            event.kind,
            classes[event.label],
            None if event.new_label is None else classes[event.new_label],
            event.box,
            event.solid,
        )
        for event in case.events
        if event.severity == Severity.HARD
    )
    return tuple(dict.fromkeys(targets))


def event_target(
    kind: str, name: str, new_name: str | None, box: Box | None, solid: tuple[float, ...] | None
) -> FaultTarget:
    """What one event strikes; name, new_name: of its classes before and after."""
    if kind == EventKind.APPEARED:
        return FaultTarget(f"new {name}", f"a new {name}", box, solid)
    if box is not None or solid is not None:
        return FaultTarget(f"object {name}", name, box, solid)
    words = f"{kind} {name}" + ("" if new_name is None else f" as {new_name}")
    return FaultTarget(words, words, shared=True)


def strike_the_same(one: Event, other: Event) -> bool:
    """Whether two events of one scene strike the same object, new object or label."""
    if one.before is not None or other.before is not None:
        return one.before == other.before
    if one.box is None or other.box is None:
        return (one.kind, one.label, one.new_label) == (other.kind, other.label, other.new_label)
    return one.label == other.label and bool(iou([one.box], [other.box])[0, 0] >= SAME_IOU)


def events_by_thing(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """Events grouped by what they strike, each group and the groups worst first."""
    things = list[list[Event]]()
    for event in sorted(events, key=lambda one: -one.margin):
        same = [one for one in things if strike_the_same(one[0], event)]
        if not same:
            things.append([])
        (same or things)[-1].append(event)
    return [tuple(one) for one in things]
