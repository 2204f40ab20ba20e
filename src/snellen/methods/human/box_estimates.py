"""Thresholds from boxes: of each subtask, and of the whole task, composed and direct."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.human.answers.box_answers import (
    BoxAnswers,
    judged_by_originals,
)
from snellen.methods.human.answers.box_subtasks import SubtaskAnswers, subtask_answers
from snellen.methods.human.answers.class_answers import ORIGINAL
from snellen.methods.human.answers.published_boxes import published_boxes
from snellen.methods.human.estimate import UNSTATED, EstimateRequest, HumanEstimate
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.methods.human.exports.matched_boxes import MatchedStudy
from snellen.methods.human.exports.published_labels import PublishedLabels
from snellen.methods.human.procedures.answer_tally import (
    JudgedAnswers,
    image_weights,
    rate_of,
    tally_answers,
)
from snellen.methods.human.procedures.decompovision import (
    MINIMAL,
    WIDTH,
    DecompoVision,
)
from snellen.methods.human.procedures.published_counts import PublishedAnswers
from snellen.methods.human.procedures.published_decompovision import PublishedScans
from snellen.methods.human.procedures.published_rules import MASK_RULE, RULES
from snellen.methods.human.procedures.reference_rate import (
    CLEAN,
    GIVEN,
    LITTLE,
    reference,
)
from snellen.methods.human.procedures.threshold_scan import ThresholdScan, smallest
from snellen.methods.human.subtasks import SUBTASKS, WHOLE, Kind, SubtaskName, TaskName
from snellen.methods.human.threshold import threshold_of
from snellen.vision.arrays import F64

Scans: TypeAlias = Mapping[SubtaskName, ThresholdScan]
"""The scan of each part of a task and of the whole."""


def estimate_from_boxes(
    data: BoxAnswers, request: EstimateRequest, name: str, kind: Kind
) -> HumanEstimate:
    """The thresholds of a task; all its subtasks share the bootstrap draws of images."""
    task = _task(data, request, "detection")
    weights = _weights(data.images, request)
    judged = judged_by_originals(data) if kind == "preservation" else data
    own = _own_estimate(judged, replace(request, as_published=False), name, kind, task)
    if not request.as_published:
        return own
    answers = published_boxes(data, name, request.label, kind)
    scans = _published_scans(answers, request, kind, task, weights)
    found = _estimate(data, request, name, kind, task, scans)
    return replace(found, own=own, reasons=RULES)


def estimate_from_exports(
    data: ExportAnswers, request: EstimateRequest, name: str, kind: Kind
) -> HumanEstimate:
    """The thresholds of a task from raw exports, by our own estimator or as published."""
    task = _task(data, request, "segmentation" if data.masks is not None else "detection")
    if task == "segmentation" and data.masks is None:
        raise UserError(
            f"{data.path}: has no export of masks (500_S.csv). Add it, or use --task detection."
        )
    free = replace(request, as_published=False)
    if not request.as_published:
        return _own_estimate(_matched(data).answers(kind), free, name, kind, task)
    if request.label == "any":
        has = sorted({one.label for one in data.labels})
        raise UserError(
            f"{data.path}: the published procedure is for one class. Choose it with --label: "
            f"{', '.join(has)}"
        )
    labels = _labels(data, name)
    answers = labels.answers(request.label, kind, task == "segmentation")
    if not len(answers.objects):
        raise _no_object(data, request, name, sorted({one.label for one in data.labels}))
    weights = _weights(len(labels.numbers), request)
    scans = _published_scans(answers, request, kind, task, weights)
    found = _estimate(data, request, name, kind, task, scans)
    found = replace(found, reasons=(*RULES, MASK_RULE) if task == "segmentation" else RULES)
    if data.views is None:
        return found
    own = _own_estimate(_matched(data).answers(kind), free, name, kind, task)
    return replace(found, own=own)


@lru_cache(maxsize=1)
def _matched(data: ExportAnswers) -> MatchedStudy:
    return MatchedStudy(data)


@lru_cache(maxsize=1)
def _labels(data: ExportAnswers, name: str) -> PublishedLabels:
    return PublishedLabels(data, name)


def _task(
    data: BoxAnswers | ExportAnswers, request: EstimateRequest, default: TaskName
) -> TaskName:
    task = request.task or default
    if task == "classification" or request.procedure != "decompovision":
        raise UserError(
            f"{data.path}: boxes need --procedure decompovision and --task detection or "
            "segmentation."
        )
    return task


def _weights(images: int, request: EstimateRequest) -> F64:
    return image_weights(images, request.replicates, np.random.default_rng(request.seed))


def _own_estimate(
    data: BoxAnswers, request: EstimateRequest, name: str, kind: Kind, task: TaskName
) -> HumanEstimate:
    weights = _weights(data.images, request)
    changed = subtask_answers(data.of(name), task, request.label)
    clean = subtask_answers(data.of(ORIGINAL), task, request.label)
    if not len(changed[WHOLE].recall.image):
        raise _no_object(data, request, name, sorted(set(data.truth.tolist()) - {""}))
    one = partial(_of_sides, weights=weights, request=request, kind=kind, where=str(data.path))
    scans = {part: one(changed[part], clean[part]) for part in (*SUBTASKS[task], WHOLE)}
    return _estimate(data, request, name, kind, task, scans)


def _no_object(
    data: BoxAnswers | ExportAnswers, request: EstimateRequest, name: str, labels: list[str]
) -> UserError:
    clause = nearest(request.label, labels)
    return UserError(f"{data.path}: no object of label '{request.label}' under {name}{clause}")


def _published_scans(
    answers: PublishedAnswers, request: EstimateRequest, kind: Kind, task: TaskName, weights: F64
) -> Scans:
    scans = PublishedScans(answers, kind, task, weights)
    return {part: scans.scan(part, request.p0) for part in (*SUBTASKS[task], WHOLE)}


def _estimate(
    data: BoxAnswers | ExportAnswers,
    request: EstimateRequest,
    name: str,
    kind: Kind,
    task: TaskName,
    scans: Scans,
) -> HumanEstimate:
    parts = SUBTASKS[task]
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
        {part: threshold_of(scans[part], request.confidence) for part in parts},
        threshold_of(smallest([scans[part] for part in parts]), request.confidence),
        threshold_of(scans[WHOLE], request.confidence),
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
        return DecompoVision().scan(tally, reference(own, request, where), what)

    precision = scan_side("precision", changed.precision, clean.precision)
    return smallest([precision, scan_side("recall", changed.recall, clean.recall)])
