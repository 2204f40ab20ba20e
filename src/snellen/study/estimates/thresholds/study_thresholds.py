"""The human thresholds of a study: by task, class, corruption and kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError, nearest
from snellen.methods.human.estimate import (
    EstimateRequest,
    HumanEstimate,
    ProcedureName,
)
from snellen.methods.human.procedures.reference_rate import (
    CLEAN,
    GIVEN,
    HALF,
    LITTLE,
)
from snellen.methods.human.subtasks import Kind, SubtaskName, TaskName
from snellen.methods.human.threshold import Threshold
from snellen.study.estimates.curve.curve_fit import CurveFit
from snellen.study.estimates.raters.rater_filter import rated
from snellen.study.estimates.raters.rater_report import RaterReport
from snellen.study.estimates.raters.rater_rule import RaterRule
from snellen.study.estimates.scores.score_options import ScoreOptions
from snellen.study.estimates.scores.task_scores import ScoredStudy, score_answers
from snellen.study.estimates.thresholds.curve_threshold import curve_threshold, smallest_threshold
from snellen.study.estimates.thresholds.published_scans import published_thresholds
from snellen.study.estimates.thresholds.subtask_answers import StudyAnswers, SubtaskSide
from snellen.study.record import StudyRecord

PUBLISHED: tuple[ProcedureName, ...] = ("icraf", "decompovision")


@dataclass(frozen=True)
class StudySource:
    """Where a record comes from: the folder of the study, and its data's SHA-256 (hexadecimal)."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class Cell:
    """One estimate to make."""

    task: TaskName
    label: str
    transformation: str
    kind: Kind


def study_thresholds(
    record: StudyRecord,
    source: StudySource,
    request: EstimateRequest,
    options: ScoreOptions | None = None,
    rule: RaterRule | None = None,
) -> list[HumanEstimate]:
    """One estimate for each requested task, class, corruption and kind in the answers.

    By default it is by the fitted curve, with those by the published procedures beside it.
    """
    scored = score_answers(record, options)
    kept, raters = rated(scored, rule)
    estimator = _Estimator(StudyAnswers(kept), raters, scored, source, request)
    cells = estimator.cells()
    found = [one for cell in cells if (one := estimator.estimate(cell)) is not None]
    if not found:
        raise UserError(
            f"{source.path}: has no answers to estimate a threshold from "
            f"({len(record.answers)} answers; {raters.words()}). Collect more answers, or change "
            "--task, --label, --transformation or --kind."
        )
    return found


@dataclass(frozen=True)
class _Estimator:
    """What all estimates of a study share."""

    answers: StudyAnswers
    raters: RaterReport
    scored: ScoredStudy
    source: StudySource
    request: EstimateRequest

    def cells(self) -> list[Cell]:
        """The requested estimates, in a fixed order."""
        wanted = self.request
        tasks = self._tasks()
        kinds: list[Kind] = [wanted.kind] if wanted.kind else ["correctness", "preservation"]
        return [
            Cell(task, label, transformation, kind)
            for task in tasks
            for label in self._labels(task)
            for transformation in self.answers.transformations(task)
            if wanted.transformation in (None, transformation)
            for kind in kinds
        ]

    def _tasks(self) -> list[TaskName]:
        has = self.answers.tasks()
        wanted = self.request.task
        if wanted is None:
            return has
        if wanted in has or (wanted == "detection" and "segmentation" in has):
            return [wanted]
        shown = ", ".join(has) or "no task"
        raise UserError(f"{self.source.path}: has answers for {shown}, not for --task {wanted}.")

    def _labels(self, task: TaskName) -> list[str]:
        has, wanted = self.answers.labels(task), self.request.label
        if wanted == "any":
            return has
        if wanted not in has:
            clause = nearest(wanted, has)
            raise UserError(f"{self.source.path}: no answers about '{wanted}'{clause}")
        return [wanted]

    def estimate(self, cell: Cell) -> HumanEstimate | None:
        """The estimate of one cell; None without answers."""
        parts = {
            part: self.answers.sides(cell.task, part, cell.label, cell.transformation, cell.kind)
            for part in self.answers.parts(cell.task)
        }
        if not all(sides[0].changed for sides in parts.values()):
            return None
        request = replace(self.request, label=cell.label)
        if request.procedure in PUBLISHED:
            return self._published(cell, parts, request)
        request = replace(request, procedure="psychometric")
        others = self._others(cell, parts) if self.request.procedure is None else ()
        return replace(self._fitted(cell, parts, request), others=others)

    def _others(
        self, cell: Cell, parts: dict[SubtaskName, list[SubtaskSide]]
    ) -> tuple[HumanEstimate, ...]:
        """By the published procedures, where there is something to compare with."""
        found = []
        for name in PUBLISHED:
            request = replace(self.request, label=cell.label, procedure=name)
            try:
                found.append(self._published(cell, parts, request))
            except UserError:
                continue
        return tuple(found)

    def _published(
        self, cell: Cell, parts: dict[SubtaskName, list[SubtaskSide]], request: EstimateRequest
    ) -> HumanEstimate:
        each, composed = published_thresholds(
            self.answers, parts, cell.kind, request, str(self.source.path)
        )
        little = HALF if request.procedure == "icraf" else LITTLE
        compared = CLEAN if cell.kind == "correctness" else little
        found = self._made(cell, request, "scenes", compared)
        return replace(found, subtasks=each, composed=composed)

    def _fitted(
        self, cell: Cell, parts: dict[SubtaskName, list[SubtaskSide]], request: EstimateRequest
    ) -> HumanEstimate:
        each = {name: curve_threshold(sides[0], request) for name, sides in parts.items()}
        clean = all(sides[0].unchanged for sides in parts.values())
        compared = CLEAN if clean else "the curve before it falls"
        made = self._made(cell, request, "participants and scenes", compared)
        return replace(
            made,
            subtasks={name: one for name, (one, _) in each.items()},
            composed=smallest_threshold(list(each.values()), request),
            evidence={
                **made.evidence,
                "psychometric": {name: _fit_json(fit) for name, (_, fit) in each.items()},
            },
        )

    def _made(
        self, cell: Cell, request: EstimateRequest, resampled: str, compared: str
    ) -> HumanEstimate:
        """The estimate without its thresholds."""
        none = Threshold(None, None, None, True, 0.0, ())
        return HumanEstimate(
            request,
            cell.task,
            cell.transformation,
            cell.kind,
            request.measure or self.scored.record.measure,
            self.source.path,
            self.source.sha256,
            resampled,
            GIVEN if request.p0 is not None else compared,
            {},
            none,
            evidence={
                "raters": self.raters.to_json(),
                "left_out": dict(sorted(self.scored.left_out.items())),
                "score": self.scored.options.model_dump(),
            },
            remarks=self._remarks(),
        )

    def _remarks(self) -> tuple[str, ...]:
        """Who and what was left out."""
        counts = sorted(self.scored.left_out.items())
        left_out = ", ".join(f"{reason} {count}" for reason, count in counts)
        return (self.raters.words(), *([f"answers left out: {left_out}"] if left_out else []))


def _fit_json(fit: CurveFit | None) -> dict[str, Any] | None:
    """The fitted curve: middle and width of visual change, and what it was fitted with."""
    if fit is None:
        return None
    return {
        "curve": fit.posterior.family.name,
        "fall": fit.posterior.fall,
        "middle": round(fit.middle, 6),
        "width": round(fit.width, 6),
        "lapse": round(fit.lapse, 6),
        "design_effect": round(fit.inflation, 4),
        "answers": fit.answers,
    }
