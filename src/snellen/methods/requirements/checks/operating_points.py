"""Operating points: score thresholds of subjects, and whether two can be compared.

Recall falls and precision rises with the threshold. Two subjects at unmatched thresholds differ for
that reason alone, so ranking them says little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.subtasks import SUBTASKS, TaskName
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.vision.decomposition.subtask_curves import curves
from snellen.vision.decomposition.subtask_outcomes import pooled

CLOSE = 0.02
"""Precisions on unchanged images that differ by no more than this count as equal."""


@dataclass(frozen=True)
class OperatingPoint:
    """Precision and recall of the whole task on unchanged scenes, at a score threshold."""

    score: float
    precision: float
    recall: float

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"score": self.score, "precision": self.precision, "recall": self.recall}


def operating_points(
    evidence: RunEvidence, label: str = "any", task: TaskName | None = None
) -> tuple[OperatingPoint, ...]:
    """Every distinct threshold on unchanged scenes, highest first.

    task: whose subtasks must be passed; None for all that were judged, including a segmenter's
    masks. To compare a segmenter with detectors, use `detection`.
    """
    clean = [one for one, name in zip(evidence.outcomes, evidence.transformation, strict=True)
             if name == CLEAN]  # fmt: skip
    last = len(evidence.subtasks if task is None else SUBTASKS[task])
    found = curves(pooled(clean), evidence.label(label), last)
    columns = (found.score.astype(np.float64), found.precision(last), found.recall(last))
    rows = np.stack(columns, axis=1)
    return tuple(OperatingPoint(*row) for row in rows.tolist())


def current_point(evidence: RunEvidence, label: str = "any") -> OperatingPoint:
    """The point at which the evidence is judged; precision 0 if nothing is detected."""
    least = float(np.float32(evidence.score))
    above = [one for one in operating_points(evidence, label) if one.score >= least]
    if not above:
        return OperatingPoint(evidence.score, 0.0, 0.0)
    return replace(above[-1], score=evidence.score)


def point_with_precision(
    evidence: RunEvidence, precision: float, label: str = "any", task: TaskName | None = None
) -> OperatingPoint:
    """The lowest threshold, and so the largest recall, with at least the given precision.

    task: as in `operating_points`.
    """
    points = operating_points(evidence, label, task)
    good = [one for one in points if one.precision >= precision]
    if not good:
        best = max((one.precision for one in points), default=0.0)
        raise UserError(
            f"no score threshold gives a precision of {precision:g} for '{label}' on unchanged "
            f"images; the best is {best:.3f}. Use a lower precision."
        )
    return good[-1]


@dataclass(frozen=True)
class OperatingMatch:
    """How subjects are matched: by `score`, by `precision` on unchanged images, or not at all."""

    by: str | None
    warning: str = ""


def match_operating_points(
    points: Sequence[OperatingPoint], close: float = CLOSE
) -> OperatingMatch:
    """Whether subjects are compared at matched operating points, and a warning if not.

    >>> match_operating_points([OperatingPoint(0.5, 0.8, 0.6), OperatingPoint(0.3, 0.81, 0.7)]).by
    'precision'
    >>> unlike = [OperatingPoint(0.5, 0.9, 0.6), OperatingPoint(0.05, 0.4, 0.9)]
    >>> print(match_operating_points(unlike).warning)
    operating points differ: scores 0.5, 0.05; precisions on unchanged images 0.90, 0.40; the \
ranking may be due to that alone. Give all the same score, or the same precision.
    """
    scores = [one.score for one in points]
    precisions = [one.precision for one in points]
    if max(precisions) - min(precisions) <= close + 1e-9:
        return OperatingMatch("precision")
    if len(set(scores)) == 1:
        return OperatingMatch("score")
    return OperatingMatch(
        None,
        f"operating points differ: scores {', '.join(f'{one:g}' for one in scores)}; precisions "
        f"on unchanged images {', '.join(f'{one:.2f}' for one in precisions)}; the ranking may "
        "be due to that alone. Give all the same score, or the same precision.",
    )
