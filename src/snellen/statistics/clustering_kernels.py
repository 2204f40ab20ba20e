"""Compiled loops: the largest cluster of each of many random placements."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.compilation import compiled


@compiled
def largest_clusters(points: F64, radius: float, neighbours: int) -> Ints:
    """(R,) the size of the largest cluster of each placement (R, N, 2), as by `dbscan`."""
    replicates, count = points.shape[0], points.shape[1]
    out = np.zeros(replicates, np.int64)
    near = np.empty((count, count), np.float64)
    reach = radius * radius
    for r in range(replicates):
        core = cores(points[r], reach, neighbours, near)
        label = cluster_labels(near, core, reach)
        sizes = np.zeros(count + 1, np.int64)
        for i in range(count):
            sizes[label[i]] += 1
        for i in range(count):
            out[r] = max(out[r], sizes[i])
    return out


@compiled
def cores(places: F64, reach: float, neighbours: int, near: F64) -> Bools:
    """Which of N places (N, 2) are cores; fills near (N, N) with squared distances."""
    count = len(places)
    crowd = np.ones(count, np.int64)
    for i in range(count):
        for j in range(i):
            across, down = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
            far = across * across + down * down
            near[i, j] = near[j, i] = far
            if far <= reach:
                crowd[i] += 1
                crowd[j] += 1
    return crowd >= neighbours


@compiled
def cluster_labels(near: F64, core: Bools, reach: float) -> Ints:
    """(N,) the cluster of each place, N for none: cores by contact, others by nearest core."""
    count = len(core)
    label = np.full(count, count, np.int64)
    waiting = np.empty(count, np.int64)
    for start in range(count):
        if core[start] and label[start] == count:
            label[start], waiting[0], last = start, start, 1
            while last:
                last -= 1
                i = waiting[last]
                for j in range(count):
                    if j != i and core[j] and label[j] == count and near[i, j] <= reach:
                        label[j], waiting[last] = start, j
                        last += 1
    for i in range(count):
        closest = np.inf
        if not core[i]:
            for j in range(count):
                if j != i and core[j] and near[i, j] <= reach and near[i, j] < closest:
                    closest, label[i] = near[i, j], label[j]
    return label
