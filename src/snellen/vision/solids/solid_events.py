"""Events of camera+LiDAR detections: of 3D boxes and of their boxes in the image."""

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
from snellen.vision.solids.insertions import InsertedSolids, insertion_matches
from snellen.vision.solids.overlap3d import overlap3d

ON_IGNORED = 0.5
"""The share of its image box in an ignored region from which on a detection is ignored."""


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

    The rules and margins are those of `compare_detections`, first with 3D IoU and then with IoU of
    image boxes (`image_iou`; None skips the image). Events in 3D have `solid`, those in the image
    do not; `box` is the image box, None if there is none.

    Differences that the change of the frame explains are not events:
    excused: (N,) bool, objects before that may be lost, moved or relabelled. hidden: (K, 7) boxes
    that are now mostly occluded; an object before with an IoU of at least 0.1 with one is excused,
    and so is one whose place was taken by an inserted object. inserted: the detection of an
    inserted object did not appear (`missed_insertion` reports whether each was found), and the
    image box of an object may shrink where inserted ones cover it. ignored: (R, 4) image regions of
    unknown content (KITTI's DontCare); a detection that appears at least half inside is no event.
    """
    if before is after:
        return ()
    new = InsertedSolids.empty() if inserted is None else inserted
    free = _excused(before, excused, hidden, new)
    change = _Change(before, after, new, free, score, iou, hysteresis)
    known = np.zeros((0, 4), np.float32) if ignored is None else ignored
    on_ignored = np.asarray(overlap(after.image_boxes, known)).max(axis=1, initial=0) >= ON_IGNORED
    solid = change.unexplained(change.in_space(), on_ignored)
    events = [_with_solid(event, before, after) for event in solid]
    if image_iou is not None:
        flat = change.in_image(image_iou)
        events += change.unexplained(flat, on_ignored, change.shrinking(image_iou))
    return tuple(events)


def same_in_space(
    before: Detections3D, after: Detections3D, *, score: float, iou: float = 0.5
) -> list[tuple[int, int]]:
    """Pairs (before, after) of objects of the same label with a 3D IoU of at least `iou`."""
    return same_objects(
        before.in_image,
        after.in_image,
        overlap3d(before.boxes, after.boxes),
        _solid_objects(before, score),
        _solid_objects(after, score),
        iou=iou,
    )


@dataclass(frozen=True, eq=False)
class _Change:
    """Two answers about one frame, the objects inserted in between, and the excused objects."""

    before: Detections3D
    after: Detections3D
    inserted: InsertedSolids
    excused: Bools
    score: float
    iou: float
    hysteresis: float

    @cached_property
    def same(self) -> list[tuple[int, int]]:
        """Pairs (before, after) that are the same object in 3D."""
        return same_in_space(self.before, self.after, score=self.score, iou=self.iou)

    @cached_property
    def claimed(self) -> Ints:
        """(J,) the detection after of each inserted object in 3D, or -1."""
        return insertion_matches(
            self.inserted.labels,
            self.after.in_image,
            overlap3d(self.after.boxes, self.inserted.boxes),
            _solid_objects(self.after, self.score),
            iou=self.iou,
            excluded=np.zeros(len(self.after), bool),
            exact_only=self._old_in(self.same),
        )

    def in_space(self) -> tuple[Event, ...]:
        """The events of 3D boxes, explained or not."""
        ious = overlap3d(self.before.boxes, self.after.boxes)
        old, new = _solid_objects(self.before, self.score), _solid_objects(self.after, self.score)
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
        """(J,) the detection after of each inserted object found in the image only, or -1.

        Detections that belong to an old or to another inserted object in 3D are excluded.
        """
        known = self._rows(self.claimed) | self._old_in(self.same)
        ious = box_iou(self.after.image_boxes, self.inserted.image_boxes).astype(np.float64)
        return insertion_matches(
            self.inserted.labels,
            self.after.in_image,
            np.where(self.claimed < 0, ious, 0.0),
            objects,
            iou=iou,
            excluded=known,
            exact_only=self._old_in(alike),
        )

    def shrinking(self, image_iou: float) -> Bools:
        """(N,) whether the image box of an object before is covered so much that it may shrink."""
        covered = overlap(self.before.image_boxes, self.inserted.image_boxes)
        return np.asarray(np.max(covered, axis=1, initial=0) > 1 - image_iou)

    def unexplained(
        self, events: Iterable[Event], on_ignored: Bools, shrinking: Bools | None = None
    ) -> list[Event]:
        """The events that are not explained by the change."""
        return [event for event in events if not self._explains(event, on_ignored, shrinking)]

    def _explains(self, event: Event, on_ignored: Bools, shrinking: Bools | None) -> bool:
        if event.before is None:
            return event.after is not None and bool(on_ignored[event.after])
        shrunk = shrinking is not None and bool(shrinking[event.before])
        return bool(self.excused[event.before]) or (event.kind is EventKind.MOVED and shrunk)

    def _old_in(self, pairs: Iterable[tuple[int, int]]) -> Bools:
        """(M,) whether a detection after is an object before."""
        flags = np.zeros(len(self.after), bool)
        flags[[j for _, j in pairs]] = True
        return flags

    def _compared(
        self, ious: F64, old: Ints, new: Ints, mine: Bools, iou: float
    ) -> tuple[Event, ...]:
        """The events among the other detections; mine: (M,) detections that are accounted for."""
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
        raise ValueError(
            f"found {len(before)} objects before, but `excused` of shape {flags.shape}"
        )
    places = np.zeros((0, 7)) if hidden is None else np.asarray(hidden).reshape(-1, 7)
    covered = overlap3d(before.boxes, np.concatenate([places, inserted.boxes]))
    return np.asarray(flags | (covered.max(axis=1, initial=0) >= TOUCHING))


def _solid_objects(detections: Detections3D, score: float) -> Ints:
    return objects_of(detections, score, np.prod(detections.boxes[:, 3:6], axis=1))


def _with_solid(event: Event, before: Detections3D, after: Detections3D) -> Event:
    side, row = (after, event.after) if event.before is None else (before, event.before)
    shown = bool(side.has_image_box[row])
    box = tuple(side.boxes[row].tolist()) if row is not None else None
    return replace(event, box=event.box if shown else None, solid=box)
