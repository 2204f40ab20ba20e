"""Events of detections: an object was lost, appeared, was relabelled or moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, Ints
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.matching import overlaps
from snellen.vision.boxes.object_pairs import object_pairs
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import HYSTERESIS, Event, EventKind, graded_margin

TOUCHING = 0.1
"""The lowest IoU at which an object counts as moved instead of lost."""
HARD_MOVE = 0.1
"""The smallest drop of IoU below the threshold that makes a move hard."""


def compare_detections(
    before: Detections,
    after: Detections,
    *,
    score: float,
    iou: float = 0.5,
    hysteresis: float = HYSTERESIS,
    masks: bool = False,
) -> tuple[Event, ...]:
    """The events between two answers about one scene, in order of kind, then index.

    Objects are detections with at least `score` and a positive area. Objects of the same label with
    an IoU of at least `iou` are the same. Of the others, pairs with an IoU of at least `iou` are
    `relabelled`; then pairs of the same label with an IoU of at least 0.1 are `moved`; the rest is
    `lost` or `appeared`.

    Margins. lost, appeared: the object's score minus that of the best candidate of its label at its
    place (IoU >= `iou`) below the threshold on the other side, hard from `hysteresis` on.
    relabelled: the lead of the old label over candidates of the new one before, or of the new label
    over those of the old one after, whichever is smaller: a tie on either side is not a hard event.
    moved: `iou` minus the actual IoU, hard from 0.1 on. masks: IoU of masks instead of boxes.

    Swapping before and after turns `lost` into `appeared` and keeps every margin.
    """
    if before is after:
        return ()
    ious = np.asarray(overlaps(before, after, masks=masks))
    old = objects_of(before, score, area(before.boxes))
    new = objects_of(after, score, area(after.boxes))
    return compare_objects(before, after, ious, old, new, iou=iou, hysteresis=hysteresis)


def compare_objects(
    before: Detections,
    after: Detections,
    ious: F64,
    old: Ints,
    new: Ints,
    *,
    iou: float = 0.5,
    hysteresis: float = HYSTERESIS,
) -> tuple[Event, ...]:
    """As `compare_detections`, from given IoUs (N, M) and objects.

    old, new: indices of the objects on each side, from `objects_of`.
    """
    pair = _Pair(before, after, ious, old, new, iou)
    same = pair.matched(iou)
    left = pair.without(same)
    renamed = left.matched(iou, class_aware=False)
    left = left.without(renamed)
    moved = left.matched(min(TOUCHING, iou))
    left = left.without(moved)
    return (
        *(pair.lost(i, hysteresis) for i in left.old),
        *(pair.appeared(j, hysteresis) for j in left.new),
        *(pair.relabelled(i, j, hysteresis) for i, j in renamed),
        *(pair.moved(i, j) for i, j in moved),
    )


def same_objects(
    before: Detections,
    after: Detections,
    ious: F64,
    old: Ints,
    new: Ints,
    *,
    iou: float = 0.5,
) -> list[tuple[int, int]]:
    """Pairs (before, after) of the same label with at least `iou`; symmetric in the two sides."""
    return _Pair(before, after, ious, old, new, iou).matched(iou)


def objects_of(detections: Detections | Detections3D, score: float, extents: F64) -> Ints:
    """Indices of the objects by descending score; ties by label and box, not by input order.

    extents: (N,) areas or volumes; detections without extent are not objects.
    """
    is_object = (detections.scores >= np.float32(score)) & (extents > 0)
    keys = (*detections.boxes.T[::-1], detections.labels, -detections.scores)
    order = np.lexsort(keys)
    return order[is_object[order]]


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two predictions, the IoU of each pair, and the objects on each side not yet explained."""

    before: Detections
    after: Detections
    ious: F64
    old: Ints
    new: Ints
    iou: float

    def matched(self, iou: float, *, class_aware: bool = True) -> list[tuple[int, int]]:
        """Pairs (before, after) with at least `iou`, symmetric in the two sides."""
        if not len(self.old) or not len(self.new):
            return []
        sides = self.before[self.old], self.after[self.new]
        table = self.ious[self.old[:, None], self.new]
        pairs = object_pairs(table, *sides, iou=iou, class_aware=class_aware)
        old, new = self.old.tolist(), self.new.tolist()
        return [(old[i], new[j]) for i, j in pairs]

    def without(self, pairs: list[tuple[int, int]]) -> _Pair:
        """The same without the objects of these pairs."""
        if not pairs:
            return self
        gone, come = (set(side) for side in zip(*pairs, strict=True))
        old = np.array([i for i in self.old.tolist() if i not in gone], np.int64)
        new = np.array([j for j in self.new.tolist() if j not in come], np.int64)
        return _Pair(self.before, self.after, self.ious, old, new, self.iou)

    def candidate_after(self, i: int) -> tuple[float, float]:
        """Score and IoU of the best candidate after for object i, by label and place; 0, 0 if none.

        A candidate is a detection that is not an object after.
        """
        return best_candidate(self.after, self.new, self.before.labels[i], self.ious[i], self.iou)

    def candidate_before(self, j: int) -> tuple[float, float]:
        """Score and IoU of the best candidate before for object j, as above; 0, 0 if none.

        A candidate is a detection that is not an object before.
        """
        return best_candidate(
            self.before, self.old, self.after.labels[j], self.ious[:, j], self.iou
        )

    def lost(self, i: int, hysteresis: float) -> Event:
        """The event that object i of before is missing after."""
        rest, overlap = self.candidate_after(i)
        had = float(self.before.scores[i])
        return Event(
            EventKind.LOST,
            int(self.before.labels[i]),
            int(i),
            None,
            *graded_margin(had - rest, hysteresis),
            iou=overlap,
            score_before=had,
            score_after=rest,
            box=_corners(self.before, i),
        )

    def appeared(self, j: int, hysteresis: float) -> Event:
        """The event that object j of after was missing before."""
        rest, overlap = self.candidate_before(j)
        has = float(self.after.scores[j])
        return Event(
            EventKind.APPEARED,
            int(self.after.labels[j]),
            None,
            int(j),
            *graded_margin(has - rest, hysteresis),
            iou=overlap,
            score_before=rest,
            score_after=has,
            box=_corners(self.after, j),
        )

    def relabelled(self, i: int, j: int, hysteresis: float) -> Event:
        """The event that object i became object j with another label."""
        margin = min(
            float(self.before.scores[i]) - self.candidate_before(j)[0],
            float(self.after.scores[j]) - self.candidate_after(i)[0],
        )
        return self._changed(EventKind.RELABELLED, i, j, graded_margin(margin, hysteresis))

    def moved(self, i: int, j: int) -> Event:
        """The event that object i became object j at another place."""
        return self._changed(
            EventKind.MOVED, i, j, graded_margin(self.iou - float(self.ious[i, j]), HARD_MOVE)
        )

    def _changed(self, kind: EventKind, i: int, j: int, grade: tuple[float, Any]) -> Event:
        return Event(
            kind,
            int(self.before.labels[i]),
            int(i),
            int(j),
            *grade,
            iou=float(self.ious[i, j]),
            score_before=float(self.before.scores[i]),
            score_after=float(self.after.scores[j]),
            box=_corners(self.before, i),
            new_label=int(self.after.labels[j]) if kind is EventKind.RELABELLED else None,
        )


def best_candidate(
    detections: Detections, objects: Ints, label: int, ious: F64, iou: float
) -> tuple[float, float]:
    """Score and IoU of the best detection of a label that is not an object; 0, 0 if none.

    ious: (N,) of each detection with the place in question; at least `iou` is required.
    """
    fits = (detections.labels == label) & (ious >= iou)
    fits[objects] = False
    if not fits.any():
        return 0.0, 0.0
    score = detections.scores[fits].max()
    return float(score), float(ious[fits & (detections.scores == score)].max())


def _corners(detections: Detections, row: int) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = (float(value) for value in detections.boxes[row])
    return x1, y1, x2, y2
