"""Thresholds from single answers, right or wrong, given as binned counts or one by one."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.methods.human.answers.class_answers import ORIGINAL, ClassAnswers
from snellen.methods.human.estimate import VIFVEC, EstimateRequest, HumanEstimate
from snellen.methods.human.procedures.answer_tally import (
    AnswerTally,
    drawn_within_bins,
    image_weights,
    rate_of,
    tally_answers,
)
from snellen.methods.human.procedures.decompovision import MINIMAL, DecompoVision
from snellen.methods.human.procedures.icraf import (
    CLEAN_IMAGENET,
    WIDTH,
    Icraf,
    lowest_half,
)
from snellen.methods.human.procedures.reference_rate import (
    CLEAN,
    GIVEN,
    HALF,
    LITTLE,
    reference,
)
from snellen.methods.human.procedures.threshold_scan import ThresholdScan
from snellen.methods.human.subtasks import Kind
from snellen.methods.human.threshold import threshold_of
from snellen.vision.arrays import F64


def estimate_from_bins(data: BinnedAnswers, request: EstimateRequest, name: str) -> HumanEstimate:
    """The threshold from counts; answers are resampled within bins, as images are unknown."""
    _check_task(request, str(data.path))
    rng = np.random.default_rng(request.seed)
    tally = drawn_within_bins(data.edges, data.right, data.asked, request.replicates, rng)
    clean = np.full(len(tally.right), CLEAN_IMAGENET)
    scan, compared = _scan(tally, clean, request, data.kind, str(data.path))
    published = "unchanged ImageNet images, as published" if compared == CLEAN else compared
    return _single(data, request, name, data.kind, scan, "answers within bins", published)


def estimate_from_classes(
    data: ClassAnswers, request: EstimateRequest, name: str, kind: Kind
) -> HumanEstimate:
    """The threshold from answers to images; images are resampled with all their answers."""
    _check_task(request, str(data.path))
    weights = image_weights(data.images, request.replicates, np.random.default_rng(request.seed))
    units = data.correct(name) if kind == "correctness" else data.preserved(name)
    if not len(units.image):
        raise UserError(
            f"{data.path}: no image changed by {name} was also seen unchanged "
            f"(transformation {ORIGINAL}); preservation cannot be judged. Use --kind correctness."
        )
    clean = rate_of(data.correct(ORIGINAL), weights)
    tally = tally_answers(units, weights, WIDTH)
    scan, compared = _scan(tally, clean, request, kind, str(data.path))
    return _single(data, request, name, kind, scan, "images", compared)


def _scan(
    tally: AnswerTally, clean: F64, request: EstimateRequest, kind: Kind, where: str
) -> tuple[ThresholdScan, str]:
    """The threshold of one share, and what it was tested against.

    clean: (R,) the share in unchanged images.
    """
    what = "accuracy" if kind == "correctness" else "preserved"
    icraf = request.procedure == "icraf"
    if kind == "correctness":
        own, compared = clean, CLEAN
    else:
        own, compared = (lowest_half(tally), HALF) if icraf else (tally.rate(MINIMAL), LITTLE)
    p0 = reference(own, request, where)
    compared = GIVEN if request.p0 is not None else compared
    if icraf:
        procedure = Icraf(request.as_published, request.one_sided, request.weighted)
        return procedure.scan(tally, p0, what), compared
    return DecompoVision(request.as_published).scan(tally, p0, what), compared


def _single(
    data: BinnedAnswers | ClassAnswers,
    request: EstimateRequest,
    name: str,
    kind: Kind,
    scan: ThresholdScan,
    resampled: str,
    compared: str,
) -> HumanEstimate:
    found = threshold_of(scan, request.confidence)
    measure = request.measure or VIFVEC
    return HumanEstimate(
        request,
        "classification",
        name,
        kind,
        measure,
        data.path,
        data.sha256,
        resampled,
        compared,
        {"classify": found},
        found,
    )


def _check_task(request: EstimateRequest, where: str) -> None:
    if request.task not in (None, "classification"):
        raise UserError(
            f"{where}: has answers for classification, not for --task {request.task}. Omit "
            "--task, or give a file of boxes."
        )
