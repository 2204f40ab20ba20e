"""Both subjects compared at thresholds where they report equally many objects.

A bolder detector reports more of everything and so loses fewer objects, as the original subject
would with a lower threshold and no training. To separate the two, the original subject's recorded
answers are judged at the threshold at which it reports as many objects on the unchanged scenes as
the repaired one does at its own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.contract.instances import GONE
from snellen.contract.method import Unit
from snellen.contract.questions import Answer
from snellen.contract.verdict import Case, Status
from snellen.repair.evaluation.change import Change, mean_change, rate_change
from snellen.repair.evaluation.evaluation_sides import (
    CaseOutcome,
    EvaluationSide,
    Key,
    SceneAnswers,
)
from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.repair.evaluation.recorded_cases import RecordedUnit, detections_at, recorded_units
from snellen.repair.evaluation.replay_method import ReplayMethod
from snellen.report.reopened_run import Reopened
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class EqualReports:
    """reported: objects per unchanged scene that each reports at its own threshold.

    threshold: at which the original subject reports as many as the repaired one. failures: F_r of
    the original subject at that threshold (`before`) and of the repaired one, on the same tests.
    """

    reported: Change
    threshold: float
    failures: Change

    @property
    def explains(self) -> bool:
        """Whether a lower threshold may explain the improvement."""
        return not self.failures.difference.high < 0

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "reported": self.reported.to_json(),
            "threshold": round(self.threshold, 4),
            "failure_rate": self.failures.to_json(),
        }


def equal_reports(
    sides: tuple[EvaluationSide, EvaluationSide], both: PairedCases, run: Reopened, weights: F64
) -> EqualReports | None:
    """The comparison; None if the repaired subject reports nothing or answers are missing."""
    return equally_reporting(sides, both, lambda least: tests_at(sides, run, least), weights)


def equally_reporting(
    sides: tuple[SceneAnswers, SceneAnswers],
    both: PairedCases,
    judge: Callable[[float], tuple[CaseOutcome, ...]],
    weights: F64,
) -> EqualReports | None:
    """The comparison from the answers; judge: the first side's tests at another threshold."""
    place = {scene: number for number, scene in enumerate(both.scenes)}
    answers = [side.answers() for side in sides]
    units = [unit for unit in sides[0].scenes if unit in answers[0] and unit in answers[1]]
    thresholds = [np.float32(side.subject["score"]) for side in sides]
    counts = [
        np.array([np.count_nonzero(found[unit].scores >= least) for unit in units], dtype=float)
        for found, least in zip(answers, thresholds, strict=True)
    ]
    if not units or not counts[1].sum():
        return None
    scene = np.array([place[sides[0].scenes[unit]] for unit in units], dtype=float)
    scores = np.concatenate([answers[0][unit].scores for unit in units])
    threshold = reporting(scores, int(counts[1].sum()), float(thresholds[0]))
    return EqualReports(
        mean_change(scene, counts[0], counts[1], weights),
        threshold,
        rate_change(both, replace(both, before=judge(threshold)).failed),
    )


def tests_at(
    sides: tuple[EvaluationSide, EvaluationSide], run: Reopened, threshold: float
) -> tuple[CaseOutcome, ...]:
    """The tests of both sides, with the outcomes of the first at another threshold."""
    again = outcomes_at_threshold(sides[0], run, threshold)
    return tuple(again[key] for key in sides[0].tests() if key[0] in sides[1].scenes)


def reporting(scores: F64, count: int, own: float) -> float:
    """The threshold at which `count` scores are reported; `own` if it reports that many.

    Midway between the last reported score and the next; the lowest score if there are too few.

    >>> scores = np.array([0.9, 0.5, 0.3, 0.2])
    >>> reporting(scores, 2, 0.4), reporting(scores, 3, 0.4), reporting(scores, 7, 0.4)
    (0.4, 0.25, 0.2)
    """
    ranked = np.sort(scores.astype(np.float64))[::-1]
    if np.count_nonzero(ranked >= np.float32(own)) == count or not len(ranked):
        return own
    if count >= len(ranked):
        return float(ranked[-1])
    return float(ranked[count - 1] + ranked[count]) / 2


def outcomes_at_threshold(
    side: EvaluationSide, run: Reopened, threshold: float
) -> dict[Key, CaseOutcome]:
    """Every test of a side, judged from its recorded answers at another threshold."""
    subject = copy.copy(run.subject)
    subject.score, subject.deterministic = threshold, True
    recorded, repairs = recorded_units(side.journal), side.repairs
    method = repairs.for_subject(run.method, subject, {})
    replaying = ReplayMethod(
        method, repairs, subject, recorded, side.subject["score"], measured=False
    )
    found: dict[str, Iterator[Case]] = {
        unit.id: iter(_cases(replaying, unit, recorded[unit.id], side))
        for unit in replaying.units()
        if unit.id in recorded
    }
    rejudged = {key: (one, next(found[key[0]])) for key, one in side.cases.items()}
    return {
        key: replace(
            one,
            failing=case.status == Status.FAILING,
            undetected=bool(case.measurements.get(GONE, 0.0)),
        )
        for key, (one, case) in rejudged.items()
    }


def _cases(
    replaying: ReplayMethod, unit: Unit, old: RecordedUnit, side: EvaluationSide
) -> tuple[Case, ...]:
    """The cases of a unit, in order, with the answers in the journal."""
    examination = replaying.examine(unit, np.random.default_rng(0))
    next(examination)
    given = [Answer(detections_at(side.journal, case.after)) for case in old.cases]
    try:
        examination.send([Answer(old.detections), *given])
    except StopIteration as ended:
        return tuple(ended.value.cases)
    raise AssertionError("a replay without uncertainty asks once")
