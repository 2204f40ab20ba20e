"""The stored matches of a whole set, from which everything else follows without rematching."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints, Ints8, Ints32
from snellen.vision.boxes.matching import Match
from snellen.vision.precision.detection_tables import DetectionTable, TruthTable

FALSE, TRUE, IGNORED = 0, 1, 2
"""Outcomes of a detection: false positive, true positive, or ignored."""

COCO_IOUS = tuple(float(value) for value in np.linspace(0.5, 0.95, 10))
COCO_AREAS = {
    "all": (0.0, 1e10),
    "small": (0.0, 32.0**2),
    "medium": (32.0**2, 96.0**2),
    "large": (96.0**2, 1e10),
}
"""Square pixels, both ends included, as in COCO."""


@dataclass(frozen=True, eq=False)
class MatchedSet:
    """The matches of detections with objects, for a set of images, IoU thresholds and area ranges.

    images, classes: numbers of each. ious: T thresholds. areas: A ranges by name, square pixels.
    sizes: (I,) detections of each image, including those beyond the limit. detections: D rows by
    class, then descending score (equal scores by image, then index), at most `limit` per image and
    class. bounds: (K + 1,) where each class begins. rank: (D,) within class and image. truths: G
    rows by class, then image; truth_bounds: (K + 1,). truth: (D, A, T) int32, row in `truths` that
    each detection takes, or -1. outcome: (D, A, T) int8, 0 false positive, 1 true positive, 2
    ignored. taken: (G, A, T) int32, row in `detections` that takes each object, or -1. counts:
    (G, A) bool, objects that must be found. first, starts, overlaps: the IoU of detection d with
    truth row first[d] + i is overlaps[starts[d] + i], for the truths of its class and image.
    """

    images: int
    classes: int
    ious: F64
    areas: dict[str, tuple[float, float]]
    limit: int
    sizes: Ints
    detections: DetectionTable
    bounds: Ints
    rank: Ints32
    truths: TruthTable
    truth_bounds: Ints
    truth: Ints32
    outcome: Ints8
    taken: Ints32
    counts: Bools
    first: Ints32
    starts: Ints
    overlaps: F64

    def level(self, iou: float) -> int:
        """Index of an IoU threshold."""
        near = np.flatnonzero(np.isclose(self.ious, iou, atol=1e-9))
        if not len(near):
            raise ValueError(f"no matches at IoU {iou}; available thresholds: {self.ious.tolist()}")
        return int(near[0])

    def range(self, area: str) -> int:
        """Index of an area range."""
        if area not in self.areas:
            raise ValueError(f"unknown area range '{area}'; valid names: {', '.join(self.areas)}")
        return list(self.areas).index(area)

    def positives(self) -> Ints:
        """Number of objects that must be found, by class and area range, (K, A)."""
        sums = np.zeros((len(self.counts) + 1, len(self.areas)), dtype=np.int64)
        np.cumsum(self.counts, axis=0, out=sums[1:])
        return np.asarray(sums[self.truth_bounds[1:]] - sums[self.truth_bounds[:-1]])

    def of_image(self, image: int, *, iou: float = 0.5, area: str = "all") -> Match:
        """The matches of one image, by the indices of its own detections and annotations.

        Detections beyond the limit match nothing.
        """
        a, t = self.range(area), self.level(iou)
        rows = np.flatnonzero(self.detections.image == image)
        known = np.flatnonzero(self.truths.image == image)
        index, place = self.detections.index[rows], self.truths.index[known]
        found = Match(
            np.full(self.sizes[image], -1, np.int32),
            np.zeros(self.sizes[image], bool),
            np.full(len(known), -1, np.int32),
            np.zeros(self.sizes[image]),
        )
        found.ignored[index] = self.outcome[rows, a, t] == IGNORED
        hit = self.truth[rows, a, t] >= 0
        took = self.truth[rows[hit], a, t]
        found.truth[index[hit]] = self.truths.index[took]
        found.iou[index[hit]] = self.overlap(rows[hit], took)
        by = self.taken[known, a, t]
        found.detection[place[by >= 0]] = self.detections.index[by[by >= 0]]
        return found

    def overlap(self, rows: Ints, truths: Ints32) -> F64:
        """IoUs of detection rows with truth rows of the same class and image, pair by pair."""
        overlaps: F64 = self.overlaps[self.starts[rows] + truths - self.first[rows]]
        return overlaps
