"""Matching of a whole set at once: sorted by class and score, in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64, Bools, Ints, Ints32
from snellen.vision.boxes.matching import HIGHEST
from snellen.vision.compilation import loop_for
from snellen.vision.detections import Detections
from snellen.vision.masks.mask_overlap import MaskColumn, pair_ious
from snellen.vision.precision.detection_tables import DetectionTable, TruthTable
from snellen.vision.precision.matched_set import COCO_AREAS, COCO_IOUS, MatchedSet


def match_set(
    detections: Sequence[Detections],
    truths: Sequence[Annotations],
    *,
    classes: int | None = None,
    ious: Sequence[float] = COCO_IOUS,
    areas: Mapping[str, tuple[float, float]] = COCO_AREAS,
    limit: int = 100,
    masks: bool = False,
    class_aware: bool = True,
) -> MatchedSet:
    """The matches of detections with the objects of a set of images.

    detections, truths: one per image. classes: number of classes, by default inferred from labels.
    areas: ranges of size by name. limit: detections per image and class that count, the best first.
    masks: IoU of masks instead of boxes. class_aware: labels must agree; otherwise all is one
    class.
    """
    from snellen.vision.boxes.match_kernels import greedy, reachable
    from snellen.vision.precision.score_order import by_class_and_score, ranks

    if len(detections) != len(truths):
        raise ValueError(f"found {len(detections)} predictions for {len(truths)} images")
    found, known = DetectionTable.of(detections, masks=masks), TruthTable.of(truths)
    label, truth_label, count = _grouping(found, known, classes, class_aware)
    order, bounds = by_class_and_score(label, found.score, count)
    truth_order = np.argsort(truth_label, kind="stable")
    found, known = found[order], known[truth_order]
    truth_bounds = np.searchsorted(truth_label[truth_order], np.arange(count + 1))
    rank = ranks(found.image, bounds, len(truths))
    if rank.max(initial=0) >= limit:
        kept = rank < limit
        bounds = np.concatenate([[0], np.cumsum(kept)])[bounds]
        found, rank = found[kept], rank[kept]
    near = loop_for(reachable, len(found.image) + 2 * len(known.image))
    first, starts = near(found.image, bounds, known.image, truth_bounds, len(truths))
    if masks:
        columns = mask_column(detections, found), mask_column(truths, known)
        overlaps = pair_ious(*columns, known.crowd, first, starts)
    else:
        overlaps = _box_pairs(found, known, first, starts)
    ranges = np.array(list(areas.values()), dtype=np.float64).reshape(-1, 2)
    ignored = _outside(known.area, ranges) | (known.crowd | known.ignore)[:, None]
    levels = np.asarray(ious, dtype=np.float64)
    steps = len(ranges) * len(levels) * (len(first) + len(overlaps))
    truth, outcome, taken = loop_for(greedy, steps)(
        first,
        starts,
        overlaps,
        np.minimum(levels, HIGHEST),
        ignored,
        known.crowd,
        _outside(found.area, ranges),
    )
    return MatchedSet(
        images=len(truths),
        classes=count,
        ious=levels,
        areas=dict(areas),
        limit=limit,
        sizes=np.array([len(one) for one in detections], dtype=np.int64),
        detections=found,
        bounds=bounds,
        rank=rank,
        truths=known,
        truth_bounds=truth_bounds,
        truth=truth,
        outcome=outcome,
        taken=taken,
        counts=~ignored,
        first=first,
        starts=starts,
        overlaps=overlaps,
    )


def _grouping(
    detections: DetectionTable, truths: TruthTable, classes: int | None, aware: bool
) -> tuple[Ints32, Ints32, int]:
    if not aware:
        return np.zeros_like(detections.label), np.zeros_like(truths.label), 1
    every = np.concatenate([detections.label, truths.label])
    count = int(every.max(initial=-1)) + 1 if classes is None else classes
    if len(every) and (every.min() < 0 or every.max() >= count):
        raise ValueError(f"found labels from {every.min()} to {every.max()} for {count} classes")
    return detections.label, truths.label, count


def _outside(area: F64, ranges: F64) -> Bools:
    return np.asarray((area[:, None] < ranges[:, 0]) | (area[:, None] > ranges[:, 1]))


def _box_pairs(detections: DetectionTable, truths: TruthTable, first: Ints32, starts: Ints) -> F64:
    from snellen.vision.boxes.box_kernels import pair_ratio

    ratio = loop_for(pair_ratio, 10 * int(starts[-1]) + len(first))
    return ratio(detections.box, truths.box, truths.crowd, first, starts)


def mask_column(
    parts: Sequence[Detections] | Sequence[Annotations], table: DetectionTable | TruthTable
) -> MaskColumn:
    """The masks of the rows of a table."""
    runs, heights = [], []
    for image, index in zip(table.image.tolist(), table.index.tolist(), strict=True):
        masks = parts[image].masks
        if masks is None:
            raise ValueError(f"matching by mask needs masks, but image {image} has none")
        runs.append(masks.runs[index])
        heights.append(masks.size[0])
    return MaskColumn.of(runs, heights)
