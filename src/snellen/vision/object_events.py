"""Events of detections: an object was lost, appeared, was relabelled or moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, Ints
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.matching import HIGHEST, Match, match_overlaps, overlaps
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import HYSTERESIS, Event, EventKind, graded_margin

TOUCHING = 0.1
"""Lowest IoU at which an object has moved, rather than gone."""
HARD_MOVE = 0.1
"""By how much the IoU must have fallen below the threshold for a move to be hard."""


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

    Objects are detections with at least `score` and an area. Objects of one label that overlap by
    `iou` are the same. Of the others, a pair that overlaps by `iou` was `relabelled`; then a pair
    of one label that overlaps by 0.1 has `moved`; the rest was `lost` or `appeared`.

    Margins. lost, appeared: the object's score less that of the best candidate of its label at its
    place (IoU >= `iou`) below the threshold on the other side, hard from `hysteresis` on.
    relabelled: the lead of the old label over candidates of the new one before, or of the new one
    over those of the old after, whichever is less: a toss-up on either side is no hard event.
    moved: `iou` less the IoU found, hard from 0.1 on. masks: IoU of masks instead of boxes.

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
    """As `compare_detections`, from IoUs (N, M) and objects that are already there.

    old, new: indices of the objects of each side, from `objects_of`.
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
    """Pairs (before, after) of one label that overlap by `iou`, from either side the same."""
    return _Pair(before, after, ious, old, new, iou).matched(iou)


def objects_of(prediction: Detections | Detections3D, score: float, extents: F64) -> Ints:
    """Indices of the objects, best score first; ties by label and box, so that order is moot.

    extents: (N,) area or volume; what has none is no object.
    """
    is_object = (prediction.scores >= np.float32(score)) & (extents > 0)
    keys = (*prediction.boxes.T[::-1], prediction.labels, -prediction.scores)
    order = np.lexsort(keys)
    return order[is_object[order]]


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two predictions, the IoU of each pair, and the objects of each that are still unexplained."""

    before: Detections
    after: Detections
    ious: F64
    old: Ints
    new: Ints
    iou: float

    def matched(self, iou: float, *, class_aware: bool = True) -> list[tuple[int, int]]:
        """Pairs (before, after) by the one matcher, the same pairs from either side.

        The matcher lets one side choose in order of score. Both may try: the one that explains
        more objects is kept, then the one with more IoU, then the one that is first by content.
        Where no object could be one of two, there is nothing to choose.
        """
        if not len(self.old) or not len(self.new):
            return []
        table = self.ious[self.old[:, None], self.new]
        near = table >= min(iou, HIGHEST)
        if class_aware:
            near &= self.before.labels[self.old][:, None] == self.after.labels[self.new]
        rows, columns = near.nonzero()
        if len(set(rows.tolist())) == len(rows) == len(set(columns.tolist())):
            return self._named(zip(rows.tolist(), columns.tolist(), strict=True))
        sides = self.before[self.old], self.after[self.new]
        forth = match_overlaps(table, *sides, iou=iou, class_aware=class_aware)
        if len(forth.pairs) == len(self.old) == len(self.new) and _mutual(table, forth.pairs):
            return self._named(forth.pairs)
        back = match_overlaps(
            np.ascontiguousarray(table.T), *sides[::-1], iou=iou, class_aware=class_aware
        )
        worth = _worth(forth), _worth(back)
        ahead = worth[0] > worth[1] or (worth[0] == worth[1] and _content(sides[0], sides[1]))
        return self._named(forth.pairs if ahead else sorted((i, j) for j, i in back.pairs))

    def _named(self, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        old, new = self.old.tolist(), self.new.tolist()
        return [(old[i], new[j]) for i, j in pairs]

    def without(self, pairs: list[tuple[int, int]]) -> _Pair:
        """The same, less the objects of these pairs."""
        if not pairs:
            return self
        gone, come = (set(side) for side in zip(*pairs, strict=True))
        old = np.array([i for i in self.old.tolist() if i not in gone], np.int64)
        new = np.array([j for j in self.new.tolist() if j not in come], np.int64)
        return _Pair(self.before, self.after, self.ious, old, new, self.iou)

    def remaining(self, i: int) -> tuple[float, float]:
        """Score and IoU of the best candidate after, of object i's label and place; 0, 0 if none.

        A candidate is a detection that is no object after.
        """
        return best_candidate(self.after, self.new, self.before.labels[i], self.ious[i], self.iou)

    def presaged(self, j: int) -> tuple[float, float]:
        """Score and IoU of the best candidate before, of object j's label and place; 0, 0 if none.

        A candidate is a detection that is no object before.
        """
        return best_candidate(
            self.before, self.old, self.after.labels[j], self.ious[:, j], self.iou
        )

    def lost(self, i: int, hysteresis: float) -> Event:
        """Object i of before is gone."""
        rest, overlap = self.remaining(i)
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
        """Object j of after was not there."""
        rest, overlap = self.presaged(j)
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
        """Object i became object j, of another label."""
        margin = min(
            float(self.before.scores[i]) - self.presaged(j)[0],
            float(self.after.scores[j]) - self.remaining(i)[0],
        )
        return self._changed(EventKind.RELABELLED, i, j, graded_margin(margin, hysteresis))

    def moved(self, i: int, j: int) -> Event:
        """Object i became object j, elsewhere."""
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
    side: Detections, objects: Ints, label: int, ious: F64, iou: float
) -> tuple[float, float]:
    """Score and IoU of the best-scored detection of a label that is no object; 0, 0 if none.

    ious: (N,) with the place in question, of which it must have at least `iou`.
    """
    fits = (side.labels == label) & (ious >= iou)
    fits[objects] = False
    if not fits.any():
        return 0.0, 0.0
    score = side.scores[fits].max()
    return float(score), float(ious[fits & (side.scores == score)].max())


def _mutual(table: F64, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether each of the pairs overlaps more than any other pair of its row or column would.

    Then the other side would choose the same pairs, and need not be asked.
    """
    rows, columns = (np.array(side) for side in zip(*pairs, strict=True))
    best = table[rows, columns]
    return bool(
        np.all((table[rows] >= best[:, None]).sum(axis=1) == 1)
        and np.all((table[:, columns] >= best).sum(axis=0) == 1)
    )


def _worth(found: Match) -> tuple[int, float]:
    return int((found.truth >= 0).sum()), float(np.round(found.iou.sum(), 9))


def _content(one: Detections, other: Detections) -> bool:
    """Whether the first of two predictions comes first by content, whoever asks."""
    fields = ("scores", "labels", "boxes")
    return [getattr(one, name).tobytes() for name in fields] <= [
        getattr(other, name).tobytes() for name in fields
    ]


def _corners(side: Detections, row: int) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = (float(value) for value in side.boxes[row])
    return x1, y1, x2, y2
