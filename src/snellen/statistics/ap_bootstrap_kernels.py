"""Compiled loops that re-weight stored matches: AP as if each image occurred w times in the set.

Replicates are contiguous in memory, so that each step is one vector instruction for several of
them. The weights of all detections are summed once per class; after that only the true positives
and ignored detections of each threshold are visited, from the last to the first.

Every array operation is written as a loop: numba compiles a loop several times faster than an
expression of whole arrays, and the machine code is the same.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Ints, Ints8, Ints32
from snellen.vision.compilation import compiled

FALSE, TRUE, IGNORED, MIXED = 0, 1, 2, 3
NEAR = 1e-9


@compiled
def add(total: Ints32, weight: Ints32, sign: int) -> None:
    """Add the weights of one image to a total of each replicate, or subtract them (sign -1)."""
    for b in range(len(total)):
        total[b] += sign * weight[b]


@compiled
def tied_runs(image: Ints32, score: F32, low: int, high: int) -> Ints32:
    """For each row from low to high, the first row of its run of equal image and score."""
    begin = np.empty(high - low, np.int32)
    for d in range(low, high):
        same = d > low and image[d] == image[d - 1] and score[d] == score[d - 1]
        begin[d - low] = begin[d - low - 1] if same else d
    return begin


@compiled
def stops(codes: Ints8, begin: Ints32, low: int) -> tuple[Ints32, Ints8]:
    """The rows to visit and their codes: TRUE, IGNORED, or MIXED at the end of a run.

    A run of equal scores in one image with both true and false positives is MIXED: copies of the
    image repeat the run as a whole, and precision rises and falls within it.
    """
    rows = np.empty(len(codes), np.int32)
    kinds = np.empty(len(codes), np.int8)
    count, d = 0, 0
    while d < len(codes):
        end = d + 1
        while end < len(codes) and begin[end] == begin[d]:
            end += 1
        hits = misses = 0
        for e in range(d, end):
            hits += codes[e] == TRUE
            misses += codes[e] == FALSE
        if hits and misses:
            rows[count], kinds[count] = low + end - 1, MIXED
            count += 1
        else:
            for e in range(d, end):
                if codes[e] != FALSE:
                    rows[count], kinds[count] = low + e, codes[e]
                    count += 1
        d = end
    return rows[:count], kinds[:count]


@compiled
def reached(hits: int, scale: float, late: F64, zero: int) -> float:
    """The number of recall points k / (len(late) - 1) that a number of true positives reaches.

    scale: number of steps / objects to find. late[k] is slightly below k, or slightly above if the
    point's float exceeds the quotient; zero: 1 if recall 0 is a point.
    """
    if hits == 0:
        return 0.0
    share = hits * scale
    k = int(share + NEAR)
    return k + zero - (0.0 if late[k] <= share else 1.0)


@compiled
def step_points(
    hits: Ints32,
    counted: Ints32,
    ignored: Ints32,
    weight: Ints32,
    scale: F64,
    late: F64,
    zero: int,
    best: F64,
    points: F64,
    total: F64,
) -> None:
    """Step back over one true positive in each replicate, averaging at recall points."""
    for b in range(len(weight)):
        value = hits[b] / max(counted[b] - ignored[b], 1)
        best[b] = value if value > best[b] else best[b]
        hits[b] -= weight[b]
        share = hits[b] * scale[b]
        k = int(share + NEAR)
        now = k + zero - (0.0 if late[k] <= share else 1.0)
        now = now if hits[b] > 0 else 0.0
        total[b] += (points[b] - now) * best[b]
        points[b] = now


@compiled
def step_area(
    hits: Ints32, counted: Ints32, ignored: Ints32, weight: Ints32, best: F64, total: F64
) -> None:
    """Step back over one true positive in each replicate, taking the area under the curve."""
    for b in range(len(weight)):
        value = hits[b] / max(counted[b] - ignored[b], 1)
        best[b] = value if value > best[b] else best[b]
        hits[b] -= weight[b]
        total[b] += weight[b] * best[b]


@compiled
def step_run(
    run: Ints8,
    hits: Ints32,
    counted: Ints32,
    ignored: Ints32,
    weight: Ints32,
    scale: F64,
    late: F64,
    zero: int,
    best: F64,
    points: F64,
    total: F64,
) -> None:
    """Step back over a mixed run, copy by copy, in each replicate."""
    for b in range(len(weight)):
        seen = counted[b] - ignored[b]
        for _ in range(weight[b]):
            for e in range(len(run) - 1, -1, -1):
                if run[e] == IGNORED:
                    ignored[b] -= 1
                    continue
                if run[e] == TRUE:
                    best[b] = max(best[b], hits[b] / seen)
                    hits[b] -= 1
                    now = reached(hits[b], scale[b], late, zero) if len(late) > 1 else 0.0
                    total[b] += (points[b] - now if len(late) > 1 else 1.0) * best[b]
                    points[b] = now
                seen -= 1


@compiled
def precision_sum(
    rows: Ints32,
    kinds: Ints8,
    begin: Ints32,
    low: int,
    image: Ints32,
    codes: Ints8,
    counted: Ints32,
    slot: Ints32,
    weights: Ints32,
    scale: F64,
    late: F64,
    zero: int,
) -> F64:
    """Sum of the interpolated precision of one class at one threshold, for a block of replicates.

    rows, kinds: the rows to visit, see `stops`. codes: outcome of each row of the class. counted:
    detections up to each stop, indexed by `slot`. weights: (I, B).
    """
    size = weights.shape[1]
    hits, ignored = np.zeros(size, np.int32), np.zeros(size, np.int32)
    best, points, total = np.zeros(size), np.zeros(size), np.zeros(size)
    for j in range(len(rows)):
        for e in range(begin[rows[j] - low] if kinds[j] == MIXED else rows[j], rows[j] + 1):
            if codes[e - low] == TRUE:
                add(hits, weights[image[e]], 1)
            elif codes[e - low] == IGNORED:
                add(ignored, weights[image[e]], 1)
    if len(late) > 1:
        for b in range(size):
            points[b] = reached(hits[b], scale[b], late, zero)
    for j in range(len(rows) - 1, -1, -1):
        d = rows[j] - low
        weight, seen = weights[image[rows[j]]], counted[slot[d]]
        if kinds[j] == IGNORED:
            add(ignored, weight, -1)
        elif kinds[j] == MIXED:
            run = codes[begin[d] - low : d + 1]
            step_run(run, hits, seen, ignored, weight, scale, late, zero, best, points, total)
        elif len(late) > 1:
            step_points(hits, seen, ignored, weight, scale, late, zero, best, points, total)
        else:
            step_area(hits, seen, ignored, weight, best, total)
    return total


@compiled
def slots(lists: list[tuple[Ints32, Ints8]], low: int, high: int) -> tuple[Ints32, int]:
    """The index of each row that some threshold visits, -1 for the others; and their number."""
    slot = np.empty(high - low, np.int32)
    for d in range(high - low):
        slot[d] = -1
    for rows, _ in lists:
        for d in rows:
            slot[d - low] = 0
    visited = 0
    for d in range(high - low):
        if slot[d] == 0:
            slot[d] = visited
            visited += 1
    return slot, visited


@compiled
def sums_at(image: Ints32, slot: Ints32, visited: int, weights: Ints32) -> Ints32:
    """Weighted number of detections up to each stop, (stops, B)."""
    out = np.empty((visited, weights.shape[1]), np.int32)
    seen = np.zeros(weights.shape[1], np.int32)
    for d in range(len(slot)):
        add(seen, weights[image[d]], 1)
        if slot[d] >= 0:
            for b in range(len(seen)):
                out[slot[d], b] = seen[b]
    return out


@compiled
def reweighted_precision(
    bounds: Ints,
    image: Ints32,
    score: F32,
    outcome: Ints8,
    truth_bounds: Ints,
    truth_image: Ints32,
    counts: Bools,
    weights: Ints32,
    late: F64,
    zero: int,
) -> F64:
    """Average precision of each replicate, class and threshold, (R, K, T); NaN without objects.

    outcome: (T, D). weights: (blocks, I, B), how often each image occurs in each replicate. late:
    as in `reached`; a single entry means the area under the whole curve.
    """
    blocks, _, size = weights.shape
    classes, levels, steps = len(bounds) - 1, len(outcome), len(late) - 1
    out = np.empty((blocks * size, classes, levels))
    scale = np.empty(size)
    for k in range(classes):
        low, high = bounds[k], bounds[k + 1]
        begin = tied_runs(image, score, low, high)
        lists = [stops(outcome[t, low:high], begin, low) for t in range(levels)]
        slot, visited = slots(lists, low, high)
        for block in range(blocks):
            weight = weights[block]
            objects = np.zeros(size, np.int32)
            for g in range(truth_bounds[k], truth_bounds[k + 1]):
                if counts[g]:
                    add(objects, weight[truth_image[g]], 1)
            for b in range(size):
                scale[b] = steps / max(objects[b], 1)
            seen = sums_at(image[low:high], slot, visited, weight)
            for t in range(levels):
                rows, kinds = lists[t]
                codes = outcome[t, low:high]
                total = precision_sum(
                    rows, kinds, begin, low, image, codes, seen, slot, weight, scale, late, zero
                )
                for b in range(size):
                    bottom = steps + zero if steps else objects[b]
                    known = objects[b] > 0
                    out[block * size + b, k, t] = total[b] / bottom if known else np.nan
    return out
