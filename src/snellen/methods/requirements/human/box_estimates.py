"""Thresholds from boxes: of each subtask, of the whole made of them, and of the whole itself."""

from __future__ import annotations

from functools import partial

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.requirements.human.answers.box_answers import BoxAnswers
from snellen.methods.requirements.human.answers.box_subtasks import SubtaskAnswers, subtask_answers
from snellen.methods.requirements.human.answers.class_answers import ORIGINAL
from snellen.methods.requirements.human.estimate import UNSTATED, Estimate, EstimateRequest
from snellen.methods.requirements.human.procedures.answer_tally import (
    JudgedAnswers,
    image_weights,
    rate_of,
    tallied,
)
from snellen.methods.requirements.human.procedures.decompovision import (
    MINIMAL,
    WIDTH,
    DecompoVision,
)
from snellen.methods.requirements.human.procedures.reference_rate import (
    CLEAN,
    GIVEN,
    LITTLE,
    reference,
)
from snellen.methods.requirements.human.procedures.threshold_scan import ThresholdScan, least
from snellen.methods.requirements.human.threshold import threshold_of
from snellen.methods.requirements.specification.requirement import SUBTASKS, WHOLE, Kind
from snellen.vision.arrays import F64


def estimate_from_boxes(
    data: BoxAnswers, wanted: EstimateRequest, name: str, kind: Kind
) -> Estimate:
    """The thresholds of a task; the same draws of images serve all of its subtasks."""
    where, task = str(data.path), wanted.task or "detection"
    if task == "classification" or wanted.procedure != "decompovision":
        raise UserError(f"{where}: boxes need --procedure decompovision and a task with boxes.")
    weights = image_weights(data.images, wanted.replicates, np.random.default_rng(wanted.seed))
    changed = subtask_answers(data.of(name), task, wanted.label)
    clean = subtask_answers(data.of(ORIGINAL), task, wanted.label)
    if not len(changed[WHOLE].recall.image):
        labels = sorted(set(data.truth.tolist()) - {""})
        clause = nearest(wanted.label, labels)
        raise UserError(f"{where}: no object of label '{wanted.label}' under {name}{clause}")
    one = partial(_of_sides, weights=weights, wanted=wanted, kind=kind, where=where)
    scans = {part: one(changed[part], clean[part]) for part in (*SUBTASKS[task], WHOLE)}
    finish = partial(threshold_of, confidence=wanted.confidence)
    return Estimate(
        wanted,
        task,
        name,
        kind,
        wanted.measure or data.measure or UNSTATED,
        data.path,
        data.sha256,
        "images",
        GIVEN if wanted.p0 is not None else CLEAN if kind == "correctness" else LITTLE,
        {part: finish(scans[part]) for part in SUBTASKS[task]},
        finish(least([scans[part] for part in SUBTASKS[task]])),
        finish(scans[WHOLE]),
    )


def _of_sides(
    changed: SubtaskAnswers,
    clean: SubtaskAnswers,
    weights: F64,
    wanted: EstimateRequest,
    kind: Kind,
    where: str,
) -> ThresholdScan:
    """The smaller threshold of precision and recall."""

    def scanned(what: str, units: JudgedAnswers, unchanged: JudgedAnswers) -> ThresholdScan:
        tally = tallied(units, weights, WIDTH)
        own = rate_of(unchanged, weights) if kind == "correctness" else tally.rate(MINIMAL)
        procedure = DecompoVision(wanted.as_published)
        return procedure.scanned(tally, reference(own, wanted, where), what)

    precision = scanned("precision", changed.precision, clean.precision)
    return least([precision, scanned("recall", changed.recall, clean.recall)])
