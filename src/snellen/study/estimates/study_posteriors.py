"""What a running study knows of its curves, for the choice of the next samples."""

from __future__ import annotations

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import CurvePosterior, curve_posterior
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
            posterior = curve_posterior(trials.counts(), FAMILIES["gauss"])
            found[key.transformation] = (*found.get(key.transformation, ()), posterior)
    return found
