"""Why average precision is lost: TIDE's six kinds of error, per object and in AP.

After Bolya, Foley, Hays and Hoffman, "TIDE: A General Toolbox for Identifying Object Detection
Errors", ECCV 2020. A false positive gets the first kind that fits, in the order localisation,
classification, duplicate, background, both. An object that no detection matches, and that no error
of the first two kinds refers to, is missed. dAP of a kind is the gain in AP at the foreground IoU
if an oracle fixed only that kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64, Bools, Ints, Ints8, Ints32
from snellen.vision.detections import Detections
from snellen.vision.masks.mask_overlap import pair_ious
from snellen.vision.precision.detection_tables import TruthTable
from snellen.vision.precision.matched_set import FALSE, TRUE, MatchedSet
from snellen.vision.precision.set_matching import mask_column, match_set

KINDS = ("classification", "localisation", "both", "duplicate", "background", "missed")
FOREGROUND, BACKGROUND = 0.5, 0.1


@dataclass(frozen=True, eq=False)
class TideErrors:
    """The errors of a set, as columns that parallel the rows of `matched`.

    kind: (D,) int8, 0 for no error, otherwise 1 + index in KINDS. about: (D,) int32, row in
    matched.truths that the error refers to, or -1. missed: (G,) bool. ap: average precision (COCO
    101 points) at the foreground IoU. dap: loss of AP by kind, at least 0.
    """

    matched: MatchedSet
    kind: Ints8
    about: Ints32
    missed: Bools
    ap: float
    dap: dict[str, float]

    def counts(self) -> dict[str, int]:
        """The number of errors of each kind."""
        tally = np.bincount(self.kind, minlength=len(KINDS) + 1)[1:]
        return {**dict(zip(KINDS, tally.tolist(), strict=True)), "missed": int(self.missed.sum())}


def tide(
    detections: Sequence[Detections],
    truths: Sequence[Annotations],
    *,
    classes: int | None = None,
    masks: bool = False,
    foreground: float = FOREGROUND,
    background: float = BACKGROUND,
) -> TideErrors:
    """The kind of each error and the loss of AP by kind. Ignored detections are not errors.

    >>> known = [Annotations([[0, 0, 10, 10]], [0])]
    >>> seen = [Detections([[0, 0, 10, 10]], [1], [0.9])]
    >>> found = tide(seen, known)
    >>> found.counts()["classification"], found.dap["classification"]
    (1, 1.0)
    """
    from snellen.vision.boxes.match_kernels import reachable
    from snellen.vision.precision.tide_kernels import kinds_of_false_positives

    matched = match_set(
        detections, truths, classes=classes, ious=[foreground], areas=EVERY, masks=masks
    )
    found, known = matched.detections, matched.truths
    order = np.argsort(known.image, kind="stable")
    ordered = known[order]
    first, starts = reachable(
        found.image, _whole(len(found.image)), ordered.image, _whole(len(order)), matched.images
    )
    counts = matched.counts[order, 0]
    kind, about = kinds_of_false_positives(
        matched.outcome[:, 0, 0] == FALSE,
        found.label,
        ordered.label,
        counts,
        matched.taken[order, 0, 0] >= 0,
        first,
        starts,
        _pairs(detections, truths, matched, ordered, first, starts, masks),
        foreground,
        background,
    )
    if len(order):
        about = np.where(about >= 0, order[about], -1).astype(np.int32)
    return _with_losses(matched, kind, about)


EVERY = {"all": (0.0, 1e10)}


def _whole(count: int) -> Ints:
    return np.array([0, count], dtype=np.int64)


def _pairs(
    detections: Sequence[Detections],
    truths: Sequence[Annotations],
    matched: MatchedSet,
    ordered: TruthTable,
    first: Ints32,
    starts: Ints,
    masks: bool,
) -> F64:
    from snellen.vision.boxes.box_kernels import pair_ratio

    if masks:
        columns = mask_column(detections, matched.detections), mask_column(truths, ordered)
        return pair_ious(*columns, ordered.crowd, first, starts)
    return pair_ratio(matched.detections.box, ordered.box, ordered.crowd, first, starts)


def _with_losses(matched: MatchedSet, kind: Ints8, about: Ints32) -> TideErrors:
    from snellen.vision.precision.tide_kernels import CLASSIFICATION, LOCALISATION

    used = matched.taken[:, 0, 0] >= 0
    fixable = np.isin(kind, (CLASSIFICATION, LOCALISATION))
    missed = matched.counts[:, 0] & ~used
    missed[about[fixable]] = False
    best = _best_for_each_truth(matched, about, fixable & (about >= 0), used)
    hit = matched.outcome[:, 0, 0] == TRUE
    counted = hit | (matched.outcome[:, 0, 0] == FALSE)
    label, positives = matched.detections.label, matched.positives()[:, 0]
    base = _ap(matched, label, hit, counted, positives)
    gains: dict[str, float] = {}
    for code, name in enumerate(KINDS[:-1], 1):
        wrong = kind == code
        fixed = wrong & best
        moved = np.where(fixed, matched.truths.label[about] if len(used) else label, label)
        gains[name] = _ap(matched, moved, hit | fixed, counted & ~(wrong & ~fixed), positives)
    fewer = positives - np.bincount(matched.truths.label[missed], minlength=matched.classes)
    gains["missed"] = _ap(matched, label, hit, counted, fewer, positives > 0)
    dap = {name: max(value - base, 0.0) for name, value in gains.items()}
    return TideErrors(matched, kind, about, missed, base, dap)


def _best_for_each_truth(matched: MatchedSet, about: Ints32, fixable: Bools, used: Bools) -> Bools:
    """Which errors an oracle would fix: the one with the best score for each unmatched object."""
    rows = np.flatnonzero(fixable)
    rows = rows[~used[about[rows]]]
    rows = rows[np.argsort(-matched.detections.score[rows], kind="stable")]
    _, winner = np.unique(about[rows], return_index=True)
    best = np.zeros(len(fixable), bool)
    best[rows[winner]] = True
    return best


def _ap(
    matched: MatchedSet,
    label: Ints32,
    hit: Bools,
    counted: Bools,
    positives: Ints,
    averaged: Bools | None = None,
) -> float:
    """Mean AP over classes with objects, for rows whose label or outcome may have changed.

    averaged: classes that stay in the mean, with 0, even without objects.
    """
    from snellen.vision.precision.ap_kernels import precision_and_recall
    from snellen.vision.precision.average_precision import AVERAGES
    from snellen.vision.precision.score_order import by_class_and_score

    rows = np.flatnonzero(counted)
    chosen = label[rows].astype(np.int32)
    order, bounds = by_class_and_score(chosen, matched.detections.score[rows], matched.classes)
    values, _ = precision_and_recall(
        bounds,
        np.zeros(len(rows), np.int32),
        hit[rows[order]].astype(np.int8)[:, None, None],
        positives[:, None],
        np.ones(1, np.int64),
        AVERAGES["coco101"],
    )
    known = positives > 0 if averaged is None else averaged
    return float(np.nan_to_num(values[known]).mean()) if known.any() else float("nan")
