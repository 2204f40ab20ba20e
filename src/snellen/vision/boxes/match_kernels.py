"""Compiled loops of the matcher: COCO's greedy rule, in one pass in order of score."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Ints, Ints8, Ints32
from snellen.vision.compilation import compiled

FALSE, TRUE, IGNORED = 0, 1, 2


@compiled
def greedy(
    first: Ints32,
    starts: Ints,
    ious: F64,
    thresholds: F64,
    ignored: Bools,
    crowd: Bools,
    outside: Bools,
) -> tuple[Ints32, Ints8, Ints32]:
    """The matches: truth (D, A, T), outcome (D, A, T), taken (G, A, T).

    Detections are in order of score. Detection d may take the truths first[d], first[d] + 1, ...
    whose IoUs are ious[starts[d]:starts[d + 1]]. ignored: (G, A) by area range, outside: (D, A).
    A detection takes the free truth with the best IoU (the last on ties, as COCO does), preferring
    one that counts over an ignored one; a crowd is never used up.
    """
    detections, ranges, levels = len(first), ignored.shape[1], len(thresholds)
    truth = np.full((detections, ranges, levels), -1, np.int32)
    outcome = np.zeros((detections, ranges, levels), np.int8)
    taken = np.full((len(crowd), ranges, levels), -1, np.int32)
    lowest = np.inf
    for t in range(levels):
        lowest = min(lowest, thresholds[t])
    for d in range(detections):
        begin, end = starts[d], starts[d + 1]
        reaches = False
        for p in range(begin, end):
            reaches = reaches or ious[p] >= lowest
        for a in range(ranges):
            unmatched = IGNORED if outside[d, a] else FALSE
            for t in range(levels):
                outcome[d, a, t] = unmatched
                if not reaches:
                    continue
                best = spare = -1
                best_iou = spare_iou = thresholds[t]
                for p in range(begin, end):
                    g = first[d] + p - begin
                    if ious[p] < thresholds[t] or (taken[g, a, t] >= 0 and not crowd[g]):
                        continue
                    if ignored[g, a]:
                        if ious[p] >= spare_iou:
                            spare, spare_iou = g, ious[p]
                    elif ious[p] >= best_iou:
                        best, best_iou = g, ious[p]
                chosen = best if best >= 0 else spare
                if chosen >= 0:
                    truth[d, a, t] = chosen
                    outcome[d, a, t] = TRUE if best >= 0 else IGNORED
                    if taken[chosen, a, t] < 0:
                        taken[chosen, a, t] = d
    return truth, outcome, taken


@compiled
def ranks(image: Ints32, bounds: Ints, images: int) -> Ints32:
    """Rank of each detection within its class and image, 0 for the best; shape (D,).

    Detections are sorted by class, then score; bounds: (K + 1,), where each class begins.
    """
    place = np.empty(len(image), np.int32)
    seen = np.zeros(images, np.int32)
    for k in range(len(bounds) - 1):
        for d in range(bounds[k], bounds[k + 1]):
            place[d] = seen[image[d]]
            seen[image[d]] += 1
        for d in range(bounds[k], bounds[k + 1]):
            seen[image[d]] = 0
    return place


@compiled
def reachable(
    image: Ints32, bounds: Ints, truth_image: Ints32, truth_bounds: Ints, images: int
) -> tuple[Ints32, Ints]:
    """First truth of each detection's class and image (D,), and where its pairs start (D + 1,).

    Truths are sorted by class, then image.
    """
    first = np.zeros(len(image), np.int32)
    starts = np.zeros(len(image) + 1, np.int64)
    begin = np.zeros(images, np.int32)
    count = np.zeros(images, np.int32)
    for k in range(len(bounds) - 1):
        low, high = truth_bounds[k], truth_bounds[k + 1]
        for g in range(high - 1, low - 1, -1):
            begin[truth_image[g]] = g
            count[truth_image[g]] += 1
        for d in range(bounds[k], bounds[k + 1]):
            first[d] = begin[image[d]]
            starts[d + 1] = starts[d] + count[image[d]]
        for g in range(low, high):
            count[truth_image[g]] = 0
    return first, starts


@compiled
def label_pairs(ious: F64, order: Ints, labels: Ints, others: Ints, aware: bool) -> F64:
    """The rows of an (N, M) matrix in `order`, concatenated; -1 where the labels differ."""
    out = np.empty(ious.size)
    p = 0
    for d in order:
        for g in range(len(others)):
            out[p] = ious[d, g] if not aware or labels[d] == others[g] else -1.0
            p += 1
    return out


@compiled
def by_class_and_score(label: Ints32, score: F32, classes: int) -> tuple[Ints, Ints]:
    """Stable order of the detections by class, then descending score; and the bounds of classes.

    A radix sort of the score bits, 11 at a time, then of the class.
    """
    bits = score.view(np.uint32)
    key = np.empty(len(score), np.uint32)
    for d in range(len(score)):
        negative = (bits[d] >> 31) != 0
        rising = ~bits[d] if negative else bits[d] | np.uint32(0x80000000)
        key[d] = ~rising
        if score[d] == 0:  # 0.0 and -0.0 are equal
            key[d] = np.uint32(0x7FFFFFFF)
    order = np.arange(len(score))
    spare = np.empty_like(order)
    for shift in (0, 11, 22):
        tally = np.zeros(2049, np.int64)
        for d in range(len(key)):
            tally[((key[d] >> shift) & 2047) + 1] += 1
        for d in range(2048):
            tally[d + 1] += tally[d]
        for row in order:
            digit = (key[row] >> shift) & 2047
            spare[tally[digit]] = row
            tally[digit] += 1
        order, spare = spare, order
    bounds = np.zeros(classes + 1, np.int64)
    for d in range(len(label)):
        bounds[label[d] + 1] += 1
    for known in range(classes):
        bounds[known + 1] += bounds[known]
    place = bounds.copy()
    for row in order:
        spare[place[label[row]]] = row
        place[label[row]] += 1
    return spare, bounds
