"""DecompoVision's published procedure, slow and rule by rule, from a study's raw lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.stats import binom

from snellen.scenes.voc.reader import CLASSES
from tests.methods.human.simulated_exports import SIZE, Study, class_pixels

Row = tuple[str, tuple[int, ...], str]
"""Image, box xyxy and label."""


def reference_tests(
    study: Study, label: str, kind: str
) -> dict[tuple[str, str], list[tuple[float, float, int, float]]]:
    """By part and metric: (lower edge, share, number tested with, rounded p) of each bin."""
    changes = {name: max(0.0, 1 - iqa) for name, _, iqa in study.images}
    found: dict[tuple[str, str], list[tuple[float, float, int, float]]] = {}
    if kind == "correctness":
        base = _shares(study, label, kind, list(changes), clean=True)
    else:
        base = _shares(study, label, kind, [one for one, v in changes.items() if v <= 0.2])
    low = 0.0
    while low < 1:
        high = 1.0 if low + 0.1 > 1 else low + 0.1
        inside = [one for one, v in changes.items() if low < v <= high]
        if inside and any(image in inside for image, _, _ in study.votes):
            for key, (share, number) in _shares(study, label, kind, inside).items():
                if number >= 5:
                    p = float(binom.cdf(int(share * number), number, base[key][0]))
                    found.setdefault(key, []).append((low, share, number, round(p, 2)))
        low += 0.1
    return found


def reference_threshold(bins: Sequence[tuple[float, float, int, float]]) -> float:
    """The lower edge of the first of two failing bins in a row."""
    if len(bins) < 2:
        return 0.9
    for (low, _, _, p), (_, _, _, q) in pairwise(bins):
        if p <= 0.05 and q <= 0.05:
            return low
    return bins[-1][0]


def _rows(study: Study, images: Sequence[str]) -> list[Row]:
    return [
        (image, (x, y, x + width, y + height), label)
        for image, (x, y, width, height), votes in study.votes
        if image in images
        for label in dict.fromkeys(votes)
    ]


def _shares(
    study: Study, label: str, kind: str, images: Sequence[str], *, clean: bool = False
) -> dict[tuple[str, str], tuple[float, int]]:
    originals = [original for name, original, _ in study.images if name in images]
    judged = _rows(study, sorted(set(originals)) if clean else images)
    truths: list[tuple[str, Any, str, Any]] = []
    if kind == "correctness":
        for original in originals:
            objects = study.objects[original[:-4]]
            pixels = class_pixels(objects) == CLASSES.index(label) + 1
            truths += [(original, box, name, pixels) for name, box in objects]
    else:
        rows = _rows(study, sorted(set(originals)))
        votes = {(image, tuple(box)): given for image, box, given in study.votes}
        rows.sort(key=lambda row: -_votes(votes, row))
        truths = [
            (image, box, name, _drawn(study, (image, box, name))) for image, box, name in rows
        ]
    objects_ = sum(name == label for _, _, name, _ in truths)
    labelled = located = right = both = drawn = 0
    for row in judged:
        image, box, given = row
        hits = [one for one in truths if one[0] == image[:15] and box_iou(box, one[1]) > 0.5]
        mine = [one for one in hits if one[2] == label]
        labelled += given == label
        located += given == label and bool(hits)
        right += bool(mine)
        both += given == label and bool(mine)
        if given == label and mine:
            pixels = _drawn(study, row)
            drawn += pixels is not None and _mask_passes(pixels, mine[0][3], box)
    recall, precision = _ratio(right, objects_), _ratio(located, labelled)
    named = _ratio(both, right), _ratio(both, located)
    mask = _ratio(drawn, both)
    whole = recall * named[0] * mask, precision * named[1] * mask
    return {
        ("localise", "recall"): (min(recall, 1), objects_),
        ("localise", "precision"): (precision, labelled),
        ("classify", "recall"): (min(named[0], 1), objects_),
        ("classify", "precision"): (named[1], located),
        ("segment", "recall"): (min(mask, 1), objects_),
        ("segment", "precision"): (mask, both),
        ("whole", "recall"): (min(whole[0], 1), objects_),
        ("whole", "precision"): (whole[1], labelled),
    }


def _votes(votes: dict[tuple[str, tuple[int, ...]], list[str]], row: Row) -> int:
    image, (x1, y1, x2, y2), label = row
    return votes[image, (x1, y1, x2 - x1, y2 - y1)].count(label)


def _drawn(study: Study, row: Row) -> np.ndarray | None:
    inside = study.masks.get(row)
    if inside is None:
        return None
    pixels = np.zeros((SIZE, SIZE), bool)
    pixels[max(inside[1] - 1, 0) : inside[3], max(inside[0] - 1, 0) : inside[2]] = True
    return pixels


def _mask_passes(one: np.ndarray, other: np.ndarray, box: tuple[int, ...]) -> bool:
    x1, y1, x2, y2 = box
    a, b = (mask[y1 - 1 : y2, x1 - 1 : x2] for mask in (one, other))
    if not a.size:
        return False
    return (
        _ratio((a & b).sum(), (a | b).sum()) + _ratio((~a & ~b).sum(), (~a | ~b).sum())
    ) / 2 > 0.25


def box_iou(one: Sequence[int], other: Sequence[int]) -> float:
    """IoU of boxes x1 y1 x2 y2 whose last pixel is included."""
    wide = max(min(one[2], other[2]) - max(one[0], other[0]) + 1, 0)
    high = max(min(one[3], other[3]) - max(one[1], other[1]) + 1, 0)
    areas = [(box[2] - box[0] + 1) * (box[3] - box[1] + 1) for box in (one, other)]
    return wide * high / (sum(areas) - wide * high)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
