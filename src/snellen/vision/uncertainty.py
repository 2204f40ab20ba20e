"""How unsure a subject is of an object, from what it says of it in several passes.

A pass is one stochastic answer (MC dropout) or one to another view of the scene (test-time views),
all in the scene's own pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import Ints
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.entropies import (
    box_numbers,
    class_chances,
    class_entropy,
    mutual_information,
)

SAME = 0.7
"""The IoU above which a pass's box is one of the object, BayesOD's affinity."""


@dataclass(frozen=True)
class Uncertainty:
    """How unsure a subject is of one object; entropies in nats, see `snellen.vision.entropies`.

    box_trace: square pixels, the trace of the unbiased 4 x 4 covariance of its boxes. box_entropy:
    of the normal distribution with that covariance. class_entropy: of the mean class probabilities.
    mutual_information: between the class and the pass. found: the share of passes that found it.
    Passes that did not find it count in `found` alone. With fewer than 2 that did, nothing but the
    priors is known: the trace is 400,000 and the box entropy 28.7.
    """

    box_trace: float
    box_entropy: float
    class_entropy: float
    mutual_information: float
    found: float

    @property
    def total(self) -> float:
        """Box entropy plus class entropy: added, as published."""
        return self.box_entropy + self.class_entropy

    def combined(
        self,
        box: Literal["entropy", "trace"] = "entropy",
        label: Literal["entropy", "mutual_information"] = "entropy",
    ) -> float:
        """A number for the box plus one for the class; `total` is that of the entropies."""
        first = self.box_entropy if box == "entropy" else self.box_trace
        return first + (self.class_entropy if label == "entropy" else self.mutual_information)

    def to_json(self) -> dict[str, float]:
        """Every number by its name, with the total."""
        return {**asdict(self), "total": self.total}


def uncertainties(
    reference: Detections,
    passes: Sequence[Detections],
    *,
    classes: int,
    overlap: float = SAME,
    counted: npt.ArrayLike | None = None,
) -> list[Uncertainty]:
    """The uncertainty of each of N reference detections, from T passes.

    classes: how many the subject knows. overlap: the IoU above which a pass's box, of any label, is
    one of the object. counted: (T, N) bool, which passes could find which object (such as those
    whose view shows it whole); all by default.

    >>> seen = Detections([[0, 0, 10, 10]], [0], [0.9])
    >>> [sure] = uncertainties(seen, [seen] * 10, classes=2)
    >>> sure.found, sure.box_trace, round(sure.class_entropy, 2)
    (1.0, 0.0, 0.33)
    """
    usable = np.ones((len(passes), len(reference)), dtype=bool)
    if counted is not None:
        usable &= np.asarray(counted, dtype=bool).reshape(usable.shape)
    rows = [own_detections(reference, answer, overlap=overlap) for answer in passes]
    taken = np.array(rows, dtype=np.int64).reshape(usable.shape)
    kept = np.where(usable, taken, -1)
    could = usable.sum(axis=0)
    return [
        _of_object(passes, kept[:, one], int(could[one]), classes) for one in range(len(reference))
    ]


def own_detections(reference: Detections, answer: Detections, *, overlap: float = SAME) -> Ints:
    """Which of a pass's M detections is each of N objects, (N,), or -1: one to one.

    A detection goes to the object that it overlaps most, and among equals to one of its own label;
    an object takes, of those that come to it, the one that overlaps it most, if by more than
    `overlap`.
    """
    if not len(reference) or not len(answer):
        return np.full(len(reference), -1, dtype=np.int64)
    shares = iou(reference.boxes, answer.boxes).astype(np.float64)
    wanted = shares + 1e-9 * (reference.labels[:, None] == answer.labels[None])
    others = wanted.argmax(axis=0)[None] != np.arange(len(reference))[:, None]
    wanted[others] = -1
    best = wanted.argmax(axis=1)
    enough = np.take_along_axis(np.where(others, 0, shares), best[:, None], axis=1)[:, 0] > overlap
    return np.where(enough, best, -1)


def _of_object(passes: Sequence[Detections], taken: Ints, could: int, classes: int) -> Uncertainty:
    found = [(answer, at) for answer, at in zip(passes, taken, strict=True) if at >= 0]
    boxes = np.array([answer.boxes[at] for answer, at in found], dtype=np.float64)
    chances = class_chances(
        [answer.labels[at] for answer, at in found],
        [answer.scores[at] for answer, at in found],
        classes,
    )
    return Uncertainty(
        *box_numbers(boxes),
        class_entropy(chances),
        mutual_information(chances),
        len(found) / could if could else 0.0,
    )
