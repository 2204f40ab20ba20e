"""The matcher of detections and objects, used everywhere.

One to one and greedy by score, as in COCO: the detection with the best score first takes the free
object with the best IoU, preferring one that counts over an ignored one; a crowd is never used up.
Equal scores are ordered by index, equal IoUs go to the later object, so the result is
deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64, Bools, Ints, Ints32
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections import Detections
from snellen.vision.masks.mask_overlap import mask_iou

HIGHEST = 1 - 1e-10
"""COCO's highest threshold: the IoU of equal boxes may be slightly below 1."""


@dataclass(frozen=True, eq=False)
class Match:
    """The matches of N detections with M objects of one image.

    truth: (N,) int32, the object that each detection takes, or -1. ignored: (N,) bool, that object
    is ignored. detection: (M,) int32, the detection that takes each object (for a crowd, the one
    with the best score), or -1. iou: (N,) float64 with that object, 0 for none. For several
    thresholds each array has an additional first axis.
    """

    truth: Ints32
    ignored: Bools
    detection: Ints32
    iou: F64

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """(detection, object) of each match at a single threshold, in order of detection."""
        return [(int(d), int(self.truth[d])) for d in np.flatnonzero(self.truth >= 0)]


def overlaps(
    detections: Detections, truths: Annotations | Detections, *, masks: bool = False
) -> F64:
    """IoU of each detection with each object, (N, M), of boxes or masks; crowds as in COCO."""
    crowd = truths.crowd if isinstance(truths, Annotations) else None
    if not masks:
        return np.asarray(box_iou(detections.boxes, truths.boxes, crowd=crowd), dtype=np.float64)
    if detections.masks is None or truths.masks is None:
        raise ValueError("matching by mask needs masks on both sides")
    return mask_iou(detections.masks, truths.masks, crowd=crowd)


def match(
    detections: Detections,
    truths: Annotations | Detections,
    *,
    iou: float | Sequence[float] = 0.5,
    class_aware: bool = True,
    masks: bool = False,
) -> Match:
    """The matches of detections with objects of one image, at one or several IoU thresholds.

    class_aware: only objects of the same label match. masks: IoU of masks instead of boxes.

    >>> seen = Detections([[0, 0, 9, 10], [50, 50, 60, 60]], [1, 1], [0.9, 0.8])
    >>> known = Annotations([[0, 0, 10, 10]], [1])
    >>> match(seen, known).pairs
    [(0, 0)]
    >>> match(seen, known, iou=[0.5, 0.95]).truth.tolist()
    [[0, -1], [-1, -1]]
    """
    return match_overlaps(
        overlaps(detections, truths, masks=masks),
        detections,
        truths,
        iou=iou,
        class_aware=class_aware,
    )


def match_overlaps(
    ious: F64,
    detections: Detections,
    truths: Annotations | Detections,
    *,
    iou: float | Sequence[float] = 0.5,
    class_aware: bool = True,
) -> Match:
    """As `match`, from given IoUs (N, M)."""
    from snellen.vision.boxes.match_kernels import greedy, label_pairs

    count = len(truths)
    order = np.argsort(-detections.scores, kind="stable")
    pairs = label_pairs(ious, order, detections.labels, truths.labels, class_aware)
    truth, _, taken = greedy(
        np.zeros(len(order), np.int32),
        np.arange(len(order) + 1) * count,
        pairs,
        np.minimum(np.atleast_1d(np.asarray(iou, np.float64)), HIGHEST),
        _ignored(truths)[:, None],
        _crowd(truths),
        np.zeros((len(order), 1), bool),
    )
    return _in_input_order(
        truth[:, 0].T, taken[:, 0].T, order, ious, truths, flat=np.ndim(iou) == 0
    )


def _in_input_order(
    ranked: Ints32,
    taken: Ints32,
    order: Ints,
    ious: F64,
    truths: Annotations | Detections,
    *,
    flat: bool,
) -> Match:
    truth = np.empty_like(ranked)
    truth[:, order] = ranked
    found = np.zeros(truth.shape)
    ignored = np.zeros(truth.shape, bool)
    detection = np.full(taken.shape, -1, np.int32)
    if ious.size:
        matched = truth >= 0
        found = np.where(matched, ious[np.arange(len(order)), truth], 0.0)
        ignored = matched & _ignored(truths)[truth]
        detection = np.where(taken < 0, -1, order[taken]).astype(np.int32)
    parts = (truth, ignored, detection, found)
    return Match(*(part[0] for part in parts)) if flat else Match(*parts)


def _ignored(truths: Annotations | Detections) -> Bools:
    if isinstance(truths, Annotations):
        return np.asarray(truths.crowd | truths.ignore)
    return np.zeros(len(truths), bool)


def _crowd(truths: Annotations | Detections) -> Bools:
    return truths.crowd.copy() if isinstance(truths, Annotations) else np.zeros(len(truths), bool)
