"""Objects, or cases, that a change breaks or mends, by scene and by the subtask that decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.vision.arrays import F64, Bools, Ints


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """M things that are right or wrong in every case of their scene.

    case: (M,). place: (M,) which one of its scene it is. level: (M,) subtasks passed in a row.
    """

    case: Ints
    place: Ints
    level: Ints


@dataclass(frozen=True, eq=False)
class Transitions:
    """What becomes of the items of each of S scenes, for some of the subtasks.

    items: (S,). broken: (S,) right before and first wrong at one of these subtasks after. mended:
    (S,) the reverse. still: (S,) first wrong at one of these subtasks both times. Counts are means
    over the cases of a scene, and so may be fractional.
    """

    items: F64
    broken: F64
    mended: F64
    still: F64


def judged_items(part: SubtaskCounts, metric: Metric) -> JudgedItems | None:
    """The objects of the label, or for accuracy the cases; None if objects are not identified."""
    if metric == "accuracy":
        cases = np.arange(len(part.counts))
        passed = (part.counts == part.counts[:, :, :1]).all(axis=1)
        return JudgedItems(cases, np.zeros_like(cases), passed.sum(axis=1) - 1)
    table, levels = part.table, part.table.object_levels()
    if levels is None:
        return None
    first = np.searchsorted(table.object_case, np.arange(table.cases))
    place = np.arange(len(levels)) - first[table.object_case]
    of_label = slice(None) if part.label is None else table.object_label == part.label
    return JudgedItems(table.object_case[of_label], place[of_label], levels[of_label])


def transitions(part: SubtaskCounts, metric: Metric, both: Arms) -> Transitions | None:
    """What becomes of the items; None if they can't be followed from case to case."""
    items = judged_items(part, metric)
    if items is None:
        return None
    width = int(items.place.max(initial=0)) + 1
    ids = both.scene[items.case] * width + items.place
    length = both.scenes * width
    sides = [_shares(part, items, both, arm, ids, length) for arm in (both.before, both.after)]
    (there, right, wrong), (there_after, right_after, wrong_after) = sides
    if not np.allclose(there, there_after):
        return None
    shares = (there, right * wrong_after, wrong * right_after, wrong * wrong_after)
    sums = [one.reshape(both.scenes, width).sum(axis=1) for one in shares]
    return Transitions(sums[0], sums[1], sums[2], sums[3])


def _shares(
    part: SubtaskCounts, items: JudgedItems, both: Arms, arm: Bools, ids: Ints, length: int
) -> tuple[F64, F64, F64]:
    """(length,) by item: the share of an arm's cases in which it is there, right, wrong here."""
    used = arm[items.case]
    level = items.level[used]
    weight = 1 / np.maximum(both.cases(arm), 1)[both.scene[items.case[used]]]
    here = (level >= part.start) & (level < part.end)
    there, right, wrong = (
        np.bincount(ids[used], weight * chosen, length).astype(np.float64)
        for chosen in (np.ones(len(level)), level >= part.last, here)
    )
    return there, right, wrong
