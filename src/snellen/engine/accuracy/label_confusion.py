"""Which labels a subject gives to objects that are annotated otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from snellen.engine.accuracy.annotated_sample import AnnotatedSample
from snellen.vision.boxes.matching import match
from snellen.vision.detections import Detections

IOU = 0.5


@dataclass(frozen=True)
class Confusion:
    """A label, and the label that most objects with it are annotated with instead.

    count: objects found with `label` and annotated `annotated`; of: objects found with `label`.
    """

    label: str
    annotated: str
    count: int
    of: int

    def to_json(self) -> dict[str, str | int]:
        """The fields as plain values."""
        return dict(vars(self))


def label_confusions(
    detections: Sequence[Detections], sample: AnnotatedSample, score: float, most: int = 3
) -> list[Confusion]:
    """The most frequent confusions of detections from `score`, boxes matched at IoU 0.5."""
    pairs: Counter[tuple[int, int]] = Counter()
    for found, truth in zip(detections, sample.truths, strict=True):
        above = found.above(score)
        places = match(above, truth, iou=[IOU], class_aware=False).truth[0]
        pairs.update(
            (int(label), int(truth.labels[place]))
            for label, place in zip(above.labels, places, strict=True)
            if place >= 0
        )
    totals = Counter[int]()
    for (label, _), count in pairs.items():
        totals[label] += count
    names = sample.classes
    wrong = [
        Confusion(names[label], names[other], count, totals[label])
        for (label, other), count in pairs.items()
        if label != other and 2 * count > totals[label]
    ]
    return sorted(wrong, key=lambda one: (-one.count, one.label))[:most]
