"""Thresholds from single answers: each right or not, as counts in bins or one by one."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.requirements.human.binned import Binned
from snellen.methods.requirements.human.class_answers import ORIGINAL, ClassAnswers
from snellen.methods.requirements.human.decompovision import MINIMAL, DecompoVision
from snellen.methods.requirements.human.estimate import VIFVEC, Estimate, Wanted
from snellen.methods.requirements.human.icraf import CLEAN_IMAGENET, WIDTH, Icraf, lowest_half
from snellen.methods.requirements.human.references import reference
from snellen.methods.requirements.human.scan import Array, Scan
from snellen.methods.requirements.human.tally import (
    Tally,
    drawn_within_bins,
    image_weights,
    rate_of,
    tallied,
)
from snellen.methods.requirements.human.threshold import threshold_of
from snellen.methods.requirements.requirement import Kind


def of_bins(data: Binned, wanted: Wanted, name: str) -> Estimate:
    """The threshold in counts; answers are drawn again within bins, as images are not known."""
    _check_task(wanted, str(data.path))
    rng = np.random.default_rng(wanted.seed)
    tally = drawn_within_bins(data.edges, data.right, data.asked, wanted.replicates, rng)
    clean = np.full(len(tally.right), CLEAN_IMAGENET)
    scan = _scanned(tally, clean, wanted, data.kind, str(data.path))
    return _single(data, wanted, name, data.kind, scan, "answers within bins")


def of_classes(data: ClassAnswers, wanted: Wanted, name: str, kind: Kind) -> Estimate:
    """The threshold in answers to images; images are drawn again, each with all its answers."""
    _check_task(wanted, str(data.path))
    weights = image_weights(data.images, wanted.replicates, np.random.default_rng(wanted.seed))
    units = data.correct(name) if kind == "correctness" else data.preserved(name)
    if not len(units.image):
        raise UserError(
            f"{data.path}: no image changed by {name} was also seen unchanged "
            f"(transformation {ORIGINAL}); preservation cannot be judged. Use --kind correctness."
        )
    clean = rate_of(data.correct(ORIGINAL), weights)
    scan = _scanned(tallied(units, weights, WIDTH), clean, wanted, kind, str(data.path))
    return _single(data, wanted, name, kind, scan, "images")


def _scanned(tally: Tally, clean: Array, wanted: Wanted, kind: Kind, where: str) -> Scan:
    """The threshold of a single share; clean: (R,) that of unchanged images, where it is known."""
    what = "accuracy" if kind == "correctness" else "preserved"
    if wanted.procedure == "icraf":
        own = clean if kind == "correctness" else lowest_half(tally)
        procedure = Icraf(wanted.as_published, wanted.one_sided, wanted.weighted)
        return procedure.scanned(tally, reference(own, wanted, where), what)
    own = clean if kind == "correctness" else tally.rate(MINIMAL)
    return DecompoVision(wanted.as_published).scanned(tally, reference(own, wanted, where), what)


def _single(
    data: Binned | ClassAnswers, wanted: Wanted, name: str, kind: Kind, scan: Scan, resampled: str
) -> Estimate:
    found = threshold_of(scan, wanted.confidence)
    measure = wanted.measure or VIFVEC
    return Estimate(
        wanted,
        "classification",
        name,
        kind,
        measure,
        data.path,
        data.sha256,
        resampled,
        {"classify": found},
        found,
    )


def _check_task(wanted: Wanted, where: str) -> None:
    if wanted.task not in (None, "classification"):
        raise UserError(
            f"{where}: holds answers for classification, not for --task {wanted.task}. Leave "
            "it out, or give a file of boxes."
        )
