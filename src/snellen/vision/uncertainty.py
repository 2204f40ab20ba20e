"""The uncertainty of a subject about an object, from its answers in several passes.

A pass is a stochastic answer (MC dropout) or the answer to another view of the scene (test-time
augmentation), in pixels of the original scene.
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
    box_trace_and_entropy,
    class_entropy,
    class_probabilities,
    mutual_information,
)

SAME = 0.7
"""The IoU above which a box of a pass belongs to the object: BayesOD's affinity."""


@dataclass(frozen=True)
class Uncertainty:
    """The uncertainty about one object; entropies in nats, see `snellen.vision.entropies`.

    box_trace: square pixels, the trace of the unbiased 4 x 4 covariance of its boxes. box_entropy:
    of the normal distribution with that covariance. class_entropy: of the mean class probabilities.
    mutual_information: between class and pass. found: the share of passes that found the object;
    the others count only here. If fewer than 2 found it, the numbers are those of the priors: trace
    400,000 and box entropy 28.7.
    """

    box_trace: float
    box_entropy: float
    class_entropy: float
    mutual_information: float
    found: float

    @property
    def total(self) -> float:
        """Box entropy plus class entropy, as published."""
        return self.box_entropy + self.class_entropy

    def combined(
        self,
        box: Literal["entropy", "trace"] = "entropy",
        label: Literal["entropy", "mutual_information"] = "entropy",
    ) -> float:
        """A measure of the box plus one of the class; with the entropies it is `total`."""
        first = self.box_entropy if box == "entropy" else self.box_trace
        return first + (self.class_entropy if label == "entropy" else self.mutual_information)

    def to_json(self) -> dict[str, float]:
        """All numbers by name, including the total."""
        return {**asdict(self), "total": self.total}


def uncertainties(
    reference: Detections,
    passes: Sequence[Detections],
    *,
    classes: int,
    overlap: float = SAME,
    usable: npt.ArrayLike | None = None,
) -> list[Uncertainty]:
    """The uncertainty of each of N reference detections, from T passes.

    classes: number of classes of the subject. overlap: the IoU above which a box of a pass, of any
    label, belongs to the object. usable: (T, N) bool, which passes could find which object (such as
    those whose view shows it completely); all by default.

    >>> seen = Detections([[0, 0, 10, 10]], [0], [0.9])
    >>> [sure] = uncertainties(seen, [seen] * 10, classes=2)
    >>> sure.found, sure.box_trace, round(sure.class_entropy, 2)
    (1.0, 0.0, 0.33)
    """
    possible = np.ones((len(passes), len(reference)), dtype=bool)
    if usable is not None:
        possible &= np.asarray(usable, dtype=bool).reshape(possible.shape)
    rows = [assigned_detections(reference, one, overlap=overlap) for one in passes]
    taken = np.array(rows, dtype=np.int64).reshape(possible.shape)
    taken = np.where(possible, taken, -1)
    counts = possible.sum(axis=0).tolist()
    return [_of_object(passes, taken[:, k], counts[k], classes) for k in range(len(reference))]


def assigned_detections(
    reference: Detections, detections: Detections, *, overlap: float = SAME
) -> Ints:
    """The index of the detection assigned to each of N reference objects, (N,), or -1; one to one.

    A detection is a candidate for the object it overlaps most, on ties for one of its own label. An
    object gets the candidate that overlaps it most, if by more than `overlap`.
    """
    if not len(reference) or not len(detections):
        return np.full(len(reference), -1, dtype=np.int64)
    shares = iou(reference.boxes, detections.boxes).astype(np.float64)
    wanted = shares + 1e-9 * (reference.labels[:, None] == detections.labels[None])
    others = wanted.argmax(axis=0)[None] != np.arange(len(reference))[:, None]
    wanted[others] = -1
    best = wanted.argmax(axis=1)
    enough = np.take_along_axis(np.where(others, 0, shares), best[:, None], axis=1)[:, 0] > overlap
    return np.where(enough, best, -1)


def _of_object(
    passes: Sequence[Detections], taken: Ints, possible: int, classes: int
) -> Uncertainty:
    found = [(answer, at) for answer, at in zip(passes, taken, strict=True) if at >= 0]
    boxes = np.array([answer.boxes[at] for answer, at in found], dtype=np.float64)
    probabilities = class_probabilities(
        [answer.labels[at] for answer, at in found],
        [answer.scores[at] for answer, at in found],
        classes,
    )
    return Uncertainty(
        *box_trace_and_entropy(boxes),
        class_entropy(probabilities),
        mutual_information(probabilities),
        len(found) / possible if possible else 0.0,
    )
