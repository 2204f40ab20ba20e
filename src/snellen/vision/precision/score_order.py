"""The order of detections by class and score, and their ranks, without compiling for small sets.

Compiling the loops takes a second of a first command; sorting a small set with numpy takes less
than a hundredth of that, and gives the same.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Ints, Ints32

SMALL = 50_000
"""Detections up to which numpy sorts."""


def by_class_and_score(label: Ints32, score: F32, classes: int) -> tuple[Ints, Ints]:
    """Stable order of the detections by class, then descending score; and the bounds of classes."""
    if len(score) <= SMALL:
        bounds = np.concatenate([[0], np.cumsum(np.bincount(label, minlength=classes))])
        return np.lexsort((-score, label)), bounds
    from snellen.vision.boxes import match_kernels

    return match_kernels.by_class_and_score(label, score, classes)


def ranks(image: Ints32, bounds: Ints, images: int) -> Ints32:
    """Rank of each detection within its class and image, 0 for the best; shape (D,).

    Detections are sorted by class, then score; bounds: (K + 1,), where each class begins.
    """
    if len(image) <= SMALL:
        return _ranks(np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)) * images + image)
    from snellen.vision.boxes import match_kernels

    return match_kernels.ranks(image, bounds, images)


def _ranks(group: Ints) -> Ints32:
    """The number of earlier entries of the same group."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(group) else ordered > 0
    start = np.flatnonzero(new)
    place = np.empty(len(group), np.int32)
    place[order] = np.arange(len(group)) - np.repeat(start, np.diff([*start, len(group)]))
    return place
