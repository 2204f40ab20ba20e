"""What a finding strikes: an object of the frame, an inserted object, or the place of a phantom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from snellen.contract.fault_target import FaultTarget, targets_of_events
from snellen.contract.verdict import Case
from snellen.methods.fusion.prepared_frame import MeshInsertion, boxes_of
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.events import Event, EventKind, Severity
from snellen.vision.object_events import TOUCHING
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from snellen.vision.solids.overlap3d import overlap3d
from snellen.vision.solids.projected_boxes import image_boxes


@dataclass(frozen=True)
class StruckTarget:
    """What the worst hard event of a case strikes.

    event: that event. before: the index of the object among the detections before, None for a
    phantom or an inserted object. inserted: the index among the insertions of one that is missed.
    """

    event: Event
    inserted: int | None = None

    @property
    def before(self) -> int | None:
        """The index of the object among the detections before; None for what was not there."""
        return self.event.before

    def strikes(self, case: Case) -> bool:
        """Whether a hard event of the same kind strikes it in another case of the frame.

        Not for inserted objects: a case must tell where its own are.
        """
        same = [one for one in hard_events(case) if one.kind == self.event.kind]
        return bool(self._on_it(same))

    def events(self, case: Case) -> tuple[Event, ...]:
        """The hard events of its own case that strike it, in 3D or in the image."""
        if self.event.kind == EventKind.INSERTED_MISSED:
            return (self.event,)
        return tuple(self._on_it(hard_events(case)))

    def _on_it(self, events: Sequence[Event]) -> list[Event]:
        if self.event.kind == EventKind.APPEARED:
            return [one for one in events if _same_place(one, self.event)]
        return [one for one in events if one.before == self.before]


def worst_target(
    case: Case, placed: Sequence[MeshInsertion], frames: CoordinateFrames, size: tuple[int, int]
) -> StruckTarget:
    """What the hard event with the largest margin strikes, the first of equal ones.

    placed: the insertions of the case. size: (height, width) of the image.
    """
    event = max(hard_events(case), key=lambda one: one.margin)
    if event.kind != EventKind.INSERTED_MISSED:
        return StruckTarget(event)
    boxes = boxes_of(placed)
    if event.solid is not None:
        apart = np.abs(boxes - np.array(event.solid)).max(axis=1)
    else:
        apart = np.abs(image_boxes(boxes, frames, size) - np.array(event.box)).max(axis=1)
    return StruckTarget(event, int(apart.argmin()))


def hard_events(case: Case) -> list[Event]:
    """The hard events of a case, those of one object in 3D first."""
    return [event for event in case.events if event.severity == Severity.HARD]


def fault_targets(case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
    """What a finding strikes: objects by their 3D boxes, and inserted ones by class.

    An object that is struck in 3D and in the image is one thing. An inserted object that is missed
    is the same thing as any other of its class in the frame.
    """
    events: dict[tuple[bool, int | None], Event] = {}
    missed: dict[FaultTarget, None] = {}
    for event in sorted(hard_events(case), key=lambda one: one.solid is None):
        if event.kind == EventKind.INSERTED_MISSED:
            name = classes[event.label]
            missed[FaultTarget(f"inserted {name}", f"an inserted {name}")] = None
        else:
            there = event.before is None
            events.setdefault((there, event.after if there else event.before), event)
    found = targets_of_events(replace(case, events=tuple(events.values())), classes)
    return (*found, *missed)


def _same_place(one: Event, other: Event) -> bool:
    if one.label != other.label:
        return False
    if one.solid is not None and other.solid is not None:
        return bool(overlap3d(np.array([one.solid]), np.array([other.solid])).max() >= TOUCHING)
    if one.box is None or other.box is None:
        return False
    boxes = [np.array([box], dtype=np.float32) for box in (one.box, other.box)]
    return bool(box_iou(*boxes).max() >= TOUCHING)
