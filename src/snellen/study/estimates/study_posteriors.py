"""What a running study knows of its curves, for the choice of the next samples."""

from __future__ import annotations

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_fit import fit_curve
from snellen.study.estimates.curve.curve_posterior import CurvePosterior, prior
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.raters.rater_filter import rated
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.estimates.study_curves import ANY, curve_trials
from snellen.study.record import StudyRecord

CHANCE = 0.5
"""Assumed chance of guessing where the next trial's is not known."""


def study_posteriors(record: StudyRecord) -> dict[str, tuple[CurvePosterior, ...]]:
    """The posteriors of each transformation, one for each task, all classes together."""
    study, _ = rated(score_answers(record))
    found: dict[str, tuple[CurvePosterior, ...]] = {}
    for key, trials in curve_trials(study).items():
        if key.label == ANY:
            found[key.transformation] = (*found.get(key.transformation, ()), belief(trials))
    return found


def belief(trials: JudgedTrials) -> CurvePosterior:
    """What answers say about a curve, as people and scenes differ; the prior for too few."""
    fit = fit_curve(trials)
    return prior(FAMILIES["gauss"]) if fit is None else fit.posterior
