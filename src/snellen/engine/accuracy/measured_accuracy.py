"""Average precision on a sample of annotated scenes, with an interval that few scenes widen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.engine.accuracy.annotated_sample import AnnotatedSample
from snellen.engine.subject_thread import checked_predictions
from snellen.statistics.ap_bootstrap import precision_interval
from snellen.statistics.intervals import Interval
from snellen.subjects.subject import Subject
from snellen.terminal.progress import Counter
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import average_precision
from snellen.vision.precision.set_matching import match_set

MISLABELLED = 0.5
"""Share of the AP without labels below which the labels are suspect."""


@dataclass(frozen=True)
class Accuracy:
    """The box AP (IoU 0.50 to 0.95) of a subject.

    unlabelled: the AP of the same boxes if labels are ignored. scenes, of: the scenes measured and
    those that have annotations. objects: annotated objects of shared classes. classes: theirs.
    """

    ap: Interval
    unlabelled: float
    scenes: int
    of: int
    objects: int
    classes: int

    def to_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {
            **{key: round(getattr(self.ap, key), 4) for key in ("value", "low", "high")},
            "confidence": self.ap.confidence,
            "ignoring_labels": round(self.unlabelled, 4),
            "scenes": self.scenes,
            "annotated_scenes": self.of,
            "objects": self.objects,
            "classes": self.classes,
        }


def sample_detections(
    subject: Subject, sample: AnnotatedSample, progress: Counter
) -> list[Detections]:
    """The subject's detections in each scene, of shared classes."""
    found: list[Detections] = []
    for start in range(0, len(sample), subject.batch):
        images = sample.images[start : start + subject.batch]
        answers = checked_predictions(subject.predict(images), images, subject)
        found += [sample.shared(one) for one in answers if isinstance(one, Detections)]
        progress(len(found), len(sample))
    return found


def measured_accuracy(
    detections: Sequence[Detections], sample: AnnotatedSample, rng: np.random.Generator
) -> Accuracy:
    """The AP of detections in the scenes of a sample."""
    matched = match_set(detections, sample.truths, classes=len(sample.classes))
    return Accuracy(
        widened(precision_interval(matched, rng), len(sample)),
        unlabelled_precision(detections, sample.truths),
        len(sample),
        sample.known,
        *sample.objects_and_classes,
    )


def unlabelled_precision(detections: Sequence[Detections], truths: Sequence[Annotations]) -> float:
    """The AP if labels are ignored."""
    return average_precision(match_set(detections, truths, class_aware=False)).value()


def widened(interval: Interval, scenes: int) -> Interval:
    """The interval, at least as wide as `scenes` scenes that are all alike allow.

    A bootstrap of equal scenes has no width. If none of n scenes is of a kind, the share of that
    kind may still be up to 1 - (half the error level)^(1/n), by Clopper and Pearson; such scenes
    could have an AP of 0, or of 1.

    >>> one = widened(Interval(1.0, 1.0, 1.0, "bootstrap"), 10)
    >>> round(one.low, 3), one.high
    (0.692, 1.0)
    """
    share = 1 - ((1 - interval.confidence) / 2) ** (1 / scenes)
    low = min(interval.low, interval.value * (1 - share))
    high = max(interval.high, interval.value + (1 - interval.value) * share)
    return replace(interval, low=low, high=high)
