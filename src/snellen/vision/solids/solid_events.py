"""Events of camera+LiDAR detections: what happened to 3D boxes, and to their boxes in the image."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.vision.arrays import F64, Bools, Boxes, Boxes3D, Ints
from snellen.vision.boxes.box_geometry import area, overlap
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import HYSTERESIS, Event, EventKind
from snellen.vision.object_events import TOUCHING, compare_objects, objects_of, same_objects
from snellen.vision.solids.insertions import InsertedSolids, claims
from snellen.vision.solids.overlap3d import overlap3d

ON_IGNORED = 0.5
"""Share of a detection's image box in a region that does not count from which on it does not."""


def compare_solid(
    before: Detections3D,
    after: Detections3D,
    *,
    score: float,
    iou: float = 0.5,
    image_iou: float | None = 0.5,
    hysteresis: float = HYSTERESIS,
    excused: Bools | None = None,
    hidden: Boxes3D | None = None,
    inserted: InsertedSolids | None = None,
    ignored: Boxes | None = None,
) -> tuple[Event, ...]:
    """The events between two answers about one frame: first those in 3D, then those in the image.

    The rules and margins are those of `compare_detections`, with 3D IoU first and then IoU of image
    boxes (`image_iou`; None: the image is not compared). Events in 3D have `solid`, those in the
    image do not; `box` is the image box, None where there is none.

    What a change of the frame explains is no event:
    excused: (N,) bool, objects before that may be lost, moved or relabelled. hidden: (K, 7) boxes
    of what is now mostly hidden; an object before that overlaps one by 0.1 is excused, and so is
    one whose place was given to an inserted object. inserted: what was put in; the detection that
    is an inserted object did not appear (whether each was found, `missed_insertion` tells), and an
    object's image box may shrink where inserted ones cover it. ignored: (R, 4) image regions whose
    contents are unknown (KITTI's DontCare); what appears at least half inside one is no event.
    """
    if before is after:
        return ()
    new = InsertedSolids.nothing() if inserted is None else inserted
    free = _excused(before, excused, hidden, new)
    change = _Change(before, after, new, free, score, iou, hysteresis)
    known = np.zeros((0, 4), np.float32) if ignored is None else ignored
    on_ignored = np.asarray(overlap(after.image_boxes, known)).max(axis=1, initial=0) >= ON_IGNORED
    solid = change.unexplained(change.in_space(), on_ignored)
    events = [_solid(event, before, after) for event in solid]
    if image_iou is not None:
        flat = change.in_image(image_iou)
        events += change.unexplained(flat, on_ignored, change.shrinking(image_iou))
    return tuple(events)


def same_in_space(
    before: Detections3D, after: Detections3D, *, score: float, iou: float = 0.5
) -> list[tuple[int, int]]:
    """Pairs (before, after) of objects of one label that overlap in 3D by `iou`."""
    return same_objects(
        before.in_image,
        after.in_image,
        overlap3d(before.boxes, after.boxes),
        _solids(before, score),
        _solids(after, score),
        iou=iou,
    )


@dataclass(frozen=True, eq=False)
class _Change:
    """Two answers about one frame, what was put in between, and which old objects are excused."""

    before: Detections3D
    after: Detections3D
    inserted: InsertedSolids
    excused: Bools
    score: float
    iou: float
    hysteresis: float

    @cached_property
    def same(self) -> list[tuple[int, int]]:
        """Pairs (before, after) that are one object in 3D."""
        return same_in_space(self.before, self.after, score=self.score, iou=self.iou)

    @cached_property
    def claimed(self) -> Ints:
        """(J,) the detection after that is each inserted object in 3D, or -1."""
        return claims(
            self.inserted.labels,
            self.after.in_image,
            overlap3d(self.after.boxes, self.inserted.boxes),
            _solids(self.after, self.score),
            iou=self.iou,
            never=np.zeros(len(self.after), bool),
            reluctant=self._old_in(self.same),
        )

    def in_space(self) -> tuple[Event, ...]:
        """The events of 3D boxes, explained or not."""
        ious = overlap3d(self.before.boxes, self.after.boxes)
        old, new = _solids(self.before, self.score), _solids(self.after, self.score)
        return self._compared(ious, old, new, self._rows(self.claimed), self.iou)

    def in_image(self, iou: float) -> tuple[Event, ...]:
        """The events of image boxes, explained or not."""
        before, after = self.before.in_image, self.after.in_image
        ious = box_iou(before.boxes, after.boxes).astype(np.float64)
        old, new = (objects_of(side, self.score, area(side.boxes)) for side in (before, after))
        alike = same_objects(before, after, ious, old, new, iou=iou)
        mine = self._rows(self.claimed) | self._rows(self._claimed_in_image(new, alike, iou))
        shrinking = self.shrinking(iou)
        shrunk = [(i, j) for i, j in self.same if shrinking[i]]
        mine[[j for _, j in shrunk]] = True
        old = old[~np.isin(old, [i for i, _ in shrunk])]
        return self._compared(ious, old, new, mine, iou)

    def _claimed_in_image(
        self, objects: Ints, alike: Iterable[tuple[int, int]], iou: float
    ) -> Ints:
        """(J,) the detection after that is an inserted object in the image alone, or -1.

        What 3D boxes tell to be an old object, or another inserted one, is none.
        """
        known = self._rows(self.claimed) | self._old_in(self.same)
        ious = box_iou(self.after.image_boxes, self.inserted.image_boxes).astype(np.float64)
        return claims(
            self.inserted.labels,
            self.after.in_image,
            np.where(self.claimed < 0, ious, 0.0),
            objects,
            iou=iou,
            never=known,
            reluctant=self._old_in(alike),
        )

    def shrinking(self, image_iou: float) -> Bools:
        """(N,) objects before whose image boxes are covered so far that they may seem to move."""
        covered = overlap(self.before.image_boxes, self.inserted.image_boxes)
        return np.asarray(np.max(covered, axis=1, initial=0) > 1 - image_iou)

    def unexplained(
        self, events: Iterable[Event], on_ignored: Bools, shrinking: Bools | None = None
    ) -> list[Event]:
        """The events that nothing excuses."""
        return [event for event in events if not self._explains(event, on_ignored, shrinking)]

    def _explains(self, event: Event, on_ignored: Bools, shrinking: Bools | None) -> bool:
        if event.before is None:
            return event.after is not None and bool(on_ignored[event.after])
        shrunk = shrinking is not None and bool(shrinking[event.before])
        return bool(self.excused[event.before]) or (event.kind is EventKind.MOVED and shrunk)

    def _old_in(self, pairs: Iterable[tuple[int, int]]) -> Bools:
        """(M,) detections after that are an object before."""
        flags = np.zeros(len(self.after), bool)
        flags[[j for _, j in pairs]] = True
        return flags

    def _compared(
        self, ious: F64, old: Ints, new: Ints, mine: Bools, iou: float
    ) -> tuple[Event, ...]:
        """The events among what is not `mine`: (M,) the detections that are accounted for."""
        return compare_objects(
            self.before.in_image,
            self.after.in_image,
            np.where(mine, 0.0, ious),
            old,
            new[~mine[new]],
            iou=iou,
            hysteresis=self.hysteresis,
        )

    def _rows(self, found: Ints) -> Bools:
        flags = np.zeros(len(self.after), bool)
        flags[found[found >= 0]] = True
        return flags


def _excused(
    before: Detections3D, excused: Bools | None, hidden: Boxes3D | None, inserted: InsertedSolids
) -> Bools:
    flags = np.zeros(len(before), bool) if excused is None else np.array(excused, dtype=bool)
    if flags.shape != (len(before),):
        raise ValueError(f"{len(before)} objects before, but {flags.shape} flags of excuse")
    places = np.zeros((0, 7)) if hidden is None else np.asarray(hidden).reshape(-1, 7)
    covered = overlap3d(before.boxes, np.concatenate([places, inserted.boxes]))
    return np.asarray(flags | (covered.max(axis=1, initial=0) >= TOUCHING))


def _solids(prediction: Detections3D, score: float) -> Ints:
    return objects_of(prediction, score, np.prod(prediction.boxes[:, 3:6], axis=1))


def _solid(event: Event, before: Detections3D, after: Detections3D) -> Event:
    side, row = (after, event.after) if event.before is None else (before, event.before)
    shown = bool(side.has_image_box[row])
    box = tuple(side.boxes[row].tolist()) if row is not None else None
    return replace(event, box=event.box if shown else None, solid=box)
