"""Thresholds from single answers, right or wrong, given as binned counts or one by one."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.requirements.human.answers.binned_answers import BinnedAnswers
from snellen.methods.requirements.human.answers.class_answers import ORIGINAL, ClassAnswers
from snellen.methods.requirements.human.estimate import VIFVEC, EstimateRequest, HumanEstimate
from snellen.methods.requirements.human.procedures.answer_tally import (
    AnswerTally,
    drawn_within_bins,
    image_weights,
    rate_of,
    tally_answers,
)
from snellen.methods.requirements.human.procedures.decompovision import MINIMAL, DecompoVision
from snellen.methods.requirements.human.procedures.icraf import (
    CLEAN_IMAGENET,
    WIDTH,
    Icraf,
    lowest_half,
)
from snellen.methods.requirements.human.procedures.reference_rate import (
    CLEAN,
    GIVEN,
    HALF,
    LITTLE,
    reference,
)
from snellen.methods.requirements.human.procedures.threshold_scan import ThresholdScan
from snellen.methods.requirements.human.threshold import threshold_of
from snellen.methods.requirements.specification.requirement import Kind
from snellen.vision.arrays import F64


def estimate_from_bins(data: BinnedAnswers, wanted: EstimateRequest, name: str) -> HumanEstimate:
    """The threshold from counts; answers are resampled within bins, as images are unknown."""
    _check_task(wanted, str(data.path))
    rng = np.random.default_rng(wanted.seed)
    tally = drawn_within_bins(data.edges, data.right, data.asked, wanted.replicates, rng)
    clean = np.full(len(tally.right), CLEAN_IMAGENET)
    scan, compared = _scan(tally, clean, wanted, data.kind, str(data.path))
    published = "unchanged ImageNet images, as published" if compared == CLEAN else compared
    return _single(data, wanted, name, data.kind, scan, "answers within bins", published)


def estimate_from_classes(
    data: ClassAnswers, wanted: EstimateRequest, name: str, kind: Kind
) -> HumanEstimate:
    """The threshold from answers to images; images are resampled with all their answers."""
    _check_task(wanted, str(data.path))
    weights = image_weights(data.images, wanted.replicates, np.random.default_rng(wanted.seed))
    units = data.correct(name) if kind == "correctness" else data.preserved(name)
    if not len(units.image):
        raise UserError(
            f"{data.path}: no image changed by {name} was also seen unchanged "
            f"(transformation {ORIGINAL}); preservation cannot be judged. Use --kind correctness."
        )
    clean = rate_of(data.correct(ORIGINAL), weights)
    tally = tally_answers(units, weights, WIDTH)
    scan, compared = _scan(tally, clean, wanted, kind, str(data.path))
    return _single(data, wanted, name, kind, scan, "images", compared)


def _scan(
    tally: AnswerTally, clean: F64, wanted: EstimateRequest, kind: Kind, where: str
) -> tuple[ThresholdScan, str]:
    """The threshold of one share, and what it was tested against.

    clean: (R,) the share in unchanged images.
    """
    what = "accuracy" if kind == "correctness" else "preserved"
    icraf = wanted.procedure == "icraf"
    if kind == "correctness":
        own, compared = clean, CLEAN
    else:
        own, compared = (lowest_half(tally), HALF) if icraf else (tally.rate(MINIMAL), LITTLE)
    p0 = reference(own, wanted, where)
    compared = GIVEN if wanted.p0 is not None else compared
    if icraf:
        procedure = Icraf(wanted.as_published, wanted.one_sided, wanted.weighted)
        return procedure.scan(tally, p0, what), compared
    return DecompoVision(wanted.as_published).scan(tally, p0, what), compared


def _single(
    data: BinnedAnswers | ClassAnswers,
    wanted: EstimateRequest,
    name: str,
    kind: Kind,
    scan: ThresholdScan,
    resampled: str,
    compared: str,
) -> HumanEstimate:
    found = threshold_of(scan, wanted.confidence)
    measure = wanted.measure or VIFVEC
    return HumanEstimate(
        wanted,
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


def _check_task(wanted: EstimateRequest, where: str) -> None:
    if wanted.task not in (None, "classification"):
        raise UserError(
            f"{where}: has answers for classification, not for --task {wanted.task}. Omit "
            "--task, or give a file of boxes."
        )
