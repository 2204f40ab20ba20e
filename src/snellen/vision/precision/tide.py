"""Why average precision is lost: TIDE's six kinds of error, for each object and in AP.

After Bolya, Foley, Hays and Hoffman, "TIDE: A General Toolbox for Identifying Object Detection
Errors", ECCV 2020. A false positive gets the first kind that fits, in the order localisation,
classification, duplicate, background, both; a known object that no detection took, and that no
error of the first two kinds is about, is missed. dAP of a kind is what AP at the foreground IoU
would gain if an oracle mended only that kind.
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
    """The errors of a set, as columns beside the rows of `matched`.

    kind: (D,) int8, 0 for no error, else 1 + place in KINDS. about: (D,) int32, row in
    matched.truths that the error is about, or -1. missed: (G,) bool. ap: average precision (COCO
    101 points) at the foreground IoU. dap: what each kind costs, by name, never below 0.
    """

    matched: MatchedSet
    kind: Ints8
    about: Ints32
    missed: Bools
    ap: float
    dap: dict[str, float]

    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        tally = np.bincount(self.kind, minlength=len(KINDS) + 1)[1:]
        return {**dict(zip(KINDS, tally.tolist(), strict=True)), "missed": int(self.missed.sum())}


def tide(
    answers: Sequence[Detections],
    truths: Sequence[Annotations],
    *,
    classes: int | None = None,
    masks: bool = False,
    foreground: float = FOREGROUND,
    background: float = BACKGROUND,
) -> TideErrors:
    """Each error's kind and what each kind costs in AP. What is ignored is no error.

    >>> known = [Annotations([[0, 0, 10, 10]], [0])]
    >>> seen = [Detections([[0, 0, 10, 10]], [1], [0.9])]
    >>> found = tide(seen, known)
    >>> found.counts()["classification"], found.dap["classification"]
    (1, 1.0)
    """
    from snellen.vision.boxes.match_kernels import reachable
    from snellen.vision.precision.tide_kernels import kinds_of_false_positives

    matched = match_set(
        answers, truths, classes=classes, ious=[foreground], areas=EVERY, masks=masks
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
        _pairs(answers, truths, matched, ordered, first, starts, masks),
        foreground,
        background,
    )
    if len(order):
        about = np.where(about >= 0, order[about], -1).astype(np.int32)
    return _priced(matched, kind, about)


EVERY = {"all": (0.0, 1e10)}


def _whole(count: int) -> Ints:
    return np.array([0, count], dtype=np.int64)


def _pairs(
    answers: Sequence[Detections],
    truths: Sequence[Annotations],
    matched: MatchedSet,
    ordered: TruthTable,
    first: Ints32,
    starts: Ints,
    masks: bool,
) -> F64:
    from snellen.vision.boxes.box_kernels import pair_ratio

    if masks:
        columns = mask_column(answers, matched.detections), mask_column(truths, ordered)
        return pair_ious(*columns, ordered.crowd, first, starts)
    return pair_ratio(matched.detections.box, ordered.box, ordered.crowd, first, starts)


def _priced(matched: MatchedSet, kind: Ints8, about: Ints32) -> TideErrors:
    from snellen.vision.precision.tide_kernels import CLASSIFICATION, LOCALISATION

    used = matched.taken[:, 0, 0] >= 0
    mendable = np.isin(kind, (CLASSIFICATION, LOCALISATION))
    missed = matched.counts[:, 0] & ~used
    missed[about[mendable]] = False
    best = _best_for_each_truth(matched, about, mendable & (about >= 0), used)
    hit = matched.outcome[:, 0, 0] == TRUE
    counted = hit | (matched.outcome[:, 0, 0] == FALSE)
    label, positives = matched.detections.label, matched.positives()[:, 0]
    base = _ap(matched, label, hit, counted, positives)
    gains: dict[str, float] = {}
    for code, name in enumerate(KINDS[:-1], 1):
        wrong = kind == code
        mended = wrong & best
        moved = np.where(mended, matched.truths.label[about] if len(used) else label, label)
        gains[name] = _ap(matched, moved, hit | mended, counted & ~(wrong & ~mended), positives)
    fewer = positives - np.bincount(matched.truths.label[missed], minlength=matched.classes)
    gains["missed"] = _ap(matched, label, hit, counted, fewer, positives > 0)
    dap = {name: max(value - base, 0.0) for name, value in gains.items()}
    return TideErrors(matched, kind, about, missed, base, dap)


def _best_for_each_truth(matched: MatchedSet, about: Ints32, mendable: Bools, used: Bools) -> Bools:
    """Which errors an oracle would mend: the best-scored one about each object not yet taken."""
    rows = np.flatnonzero(mendable)
    rows = rows[~used[about[rows]]]
    rows = rows[np.argsort(-matched.detections.score[rows], kind="stable")]
    _, winner = np.unique(about[rows], return_index=True)
    best = np.zeros(len(mendable), bool)
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
    """Mean AP over classes with objects, of rows that may have changed label or outcome.

    averaged: classes that stay in the mean, with 0, though they have no object any more.
    """
    from snellen.vision.boxes.match_kernels import by_class_and_score
    from snellen.vision.precision.ap_kernels import precision_and_recall
    from snellen.vision.precision.average_precision import AVERAGES

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
