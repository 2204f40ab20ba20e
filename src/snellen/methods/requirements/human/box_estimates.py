"""Thresholds from boxes: of each subtask, and of the whole task, composed and direct."""

from __future__ import annotations

from functools import partial

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.requirements.human.answers.box_answers import BoxAnswers
from snellen.methods.requirements.human.answers.box_subtasks import SubtaskAnswers, subtask_answers
from snellen.methods.requirements.human.answers.class_answers import ORIGINAL
from snellen.methods.requirements.human.estimate import UNSTATED, EstimateRequest, HumanEstimate
from snellen.methods.requirements.human.procedures.answer_tally import (
    JudgedAnswers,
    image_weights,
    rate_of,
    tally_answers,
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
from snellen.methods.requirements.human.procedures.threshold_scan import ThresholdScan, smallest
from snellen.methods.requirements.human.threshold import threshold_of
from snellen.methods.requirements.specification.requirement import SUBTASKS, WHOLE, Kind
from snellen.vision.arrays import F64


def estimate_from_boxes(
    data: BoxAnswers, request: EstimateRequest, name: str, kind: Kind
) -> HumanEstimate:
    """The thresholds of a task; all its subtasks share the bootstrap draws of images."""
    where, task = str(data.path), request.task or "detection"
    if task == "classification" or request.procedure != "decompovision":
        raise UserError(
            f"{where}: boxes need --procedure decompovision and --task detection or segmentation."
        )
    weights = image_weights(data.images, request.replicates, np.random.default_rng(request.seed))
    changed = subtask_answers(data.of(name), task, request.label)
    clean = subtask_answers(data.of(ORIGINAL), task, request.label)
    if not len(changed[WHOLE].recall.image):
        labels = sorted(set(data.truth.tolist()) - {""})
        clause = nearest(request.label, labels)
        raise UserError(f"{where}: no object of label '{request.label}' under {name}{clause}")
    one = partial(_of_sides, weights=weights, request=request, kind=kind, where=where)
    scans = {part: one(changed[part], clean[part]) for part in (*SUBTASKS[task], WHOLE)}
    finish = partial(threshold_of, confidence=request.confidence)
    return HumanEstimate(
        request,
        task,
        name,
        kind,
        request.measure or data.measure or UNSTATED,
        data.path,
        data.sha256,
        "images",
        GIVEN if request.p0 is not None else CLEAN if kind == "correctness" else LITTLE,
        {part: finish(scans[part]) for part in SUBTASKS[task]},
        finish(smallest([scans[part] for part in SUBTASKS[task]])),
        finish(scans[WHOLE]),
    )


def _of_sides(
    changed: SubtaskAnswers,
    clean: SubtaskAnswers,
    weights: F64,
    request: EstimateRequest,
    kind: Kind,
    where: str,
) -> ThresholdScan:
    """The smaller threshold of precision and recall."""

    def scan_side(what: str, units: JudgedAnswers, unchanged: JudgedAnswers) -> ThresholdScan:
        tally = tally_answers(units, weights, WIDTH)
        own = rate_of(unchanged, weights) if kind == "correctness" else tally.rate(MINIMAL)
        procedure = DecompoVision(request.as_published)
        return procedure.scan(tally, reference(own, request, where), what)

    precision = scan_side("precision", changed.precision, clean.precision)
    return smallest([precision, scan_side("recall", changed.recall, clean.recall)])
