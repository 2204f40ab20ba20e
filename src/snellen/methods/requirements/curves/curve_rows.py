"""Detections of two arms by falling score, the input of curves, areas and their nulls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import SubtaskCounts
from snellen.vision.arrays import F64, AnyArray, Bools, Ints


@dataclass(frozen=True, eq=False)
class CurveRows:
    """D detections of the cases in two arms of S scenes, highest score first.

    unit: (D,) the scene, plus S in the second arm. of_label, matched: (D,) detections of the label,
    and those matched with an object of it. stage: (D,) subtasks passed. last: (D,) the last row of
    its score. share: (2 S,) one over the cases of each unit, 0 without any. objects: (2 S,).
    """

    scenes: int
    unit: Ints
    of_label: Bools
    matched: Bools
    stage: Ints
    last: Bools
    share: F64
    objects: F64

    def flags(self, start: int, end: int) -> Bools:
        """(D, 4): detections that pass up to `end` and up to `start`, then objects that do."""
        passes = [self.stage >= end, self.stage >= start]
        columns = [side & one for side in (self.of_label, self.matched) for one in passes]
        return np.stack(columns, axis=1)

    def arm(self, after: bool) -> CurveRows:
        """The rows of one arm, with scenes as units."""
        offset = self.scenes if after else 0
        used = (self.unit >= self.scenes) == after
        units = slice(offset, offset + self.scenes)
        group = np.cumsum(self.last)[used] - self.last[used]
        return CurveRows(
            self.scenes,
            self.unit[used] - offset,
            self.of_label[used],
            self.matched[used],
            self.stage[used],
            last_of(group),
            self.share[units],
            self.objects[units],
        )


def swapped(swaps: F64) -> tuple[F64, F64]:
    """(R, 2 S) weights of units for each arm, with the arms of some scenes exchanged.

    swaps: (R, S), 1 to exchange.
    """
    return np.hstack([1 - swaps, swaps]), np.hstack([swaps, 1 - swaps])


def last_of(values: AnyArray) -> Bools:
    """(D,) the last of each run of equal values."""
    return np.append(values[1:] != values[:-1], True)[: len(values)]


def curve_rows(part: SubtaskCounts, both: Arms) -> CurveRows:
    """The detections relevant to a part, of the cases of two arms."""
    table = part.table
    of_label, matched = table.sides(part.label)
    relevant = of_label | matched
    rows = [np.flatnonzero(relevant & arm[table.case]) for arm in (both.before, both.after)]
    place = np.concatenate(rows)
    offset = np.repeat([0, both.scenes], [len(one) for one in rows])
    order = np.argsort(-table.score[place], kind="stable")
    place, offset = place[order], offset[order]
    objects = table.objects(part.label)
    return CurveRows(
        both.scenes,
        both.scene[table.case[place]] + offset,
        of_label[place],
        matched[place],
        table.stage[place],
        last_of(table.score[place]),
        np.concatenate([_share(both.cases(arm)) for arm in (both.before, both.after)]),
        np.concatenate(
            [
                np.bincount(both.scene[arm], objects[arm], both.scenes)
                for arm in (both.before, both.after)
            ]
        ),
    )


def _share(cases: Ints) -> F64:
    return np.divide(1.0, cases, out=np.zeros(len(cases)), where=cases > 0)
