"""Human performance so far, for the page that shows a running study."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from snellen.study.estimates.answer_power import more_answers
from snellen.study.estimates.curve.curve_fit import fit_curve
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.raters.rater_filter import rated
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.estimates.study_curves import CurveKey, curve_trials
from snellen.study.record import StudyRecord
from snellen.study.trial import AnswerBin, StudyCurve

WANTED = 0.1
"""The length of interval that a study aims at by default."""
BINS = 10


def curves_of(record: StudyRecord, wanted: float = WANTED) -> tuple[StudyCurve, ...]:
    """A curve for each task, class and corruption with answers, without inattentive participants.

    wanted: the length of interval aimed at. Fits are cached: a curve that got no answer since the
    last call costs nothing but counting.
    """
    study, _ = rated(score_answers(record))
    return tuple(_curve(key, trials, wanted) for key, trials in curve_trials(study).items())


def _curve(key: CurveKey, trials: JudgedTrials, wanted: float) -> StudyCurve:
    found = _bounds(trials)
    return StudyCurve(
        task=key.task,
        label=key.label,
        transformation=key.transformation,
        bins=_bins(trials),
        threshold=found,
        more_answers=more_answers(len(trials), found[2] - found[1], wanted) if found else None,
    )


def _bins(trials: JudgedTrials) -> tuple[AnswerBin, ...]:
    """Tenths of visual change; unchanged pictures are a bin of their own, at 0."""
    place = np.where(trials.delta_v > 0, np.ceil(np.round(trials.delta_v * BINS, 9)), 0)
    return tuple(
        AnswerBin(
            delta_v=float(trials.delta_v[place == one].mean()),
            share=float(trials.right[place == one].mean()),
            answers=int((place == one).sum()),
        )
        for one in np.unique(place)
    )


Bounds: TypeAlias = tuple[float, float, float]


@lru_cache(maxsize=1024)
def _bounds_of(
    delta_v: bytes, right: bytes, chance: bytes, person: bytes, scene: bytes
) -> Bounds | None:
    """The threshold and its interval by the columns of answers, kept by their content."""
    fit = fit_curve(
        JudgedTrials(
            np.frombuffer(delta_v),
            np.frombuffer(right, dtype=bool),
            np.frombuffer(chance),
            np.frombuffer(person, dtype=np.int64),
            np.frombuffer(scene, dtype=np.int64),
        )
    )
    return None if fit is None else (fit.value, fit.low, fit.high)


def _bounds(trials: JudgedTrials) -> Bounds | None:
    return _bounds_of(
        trials.delta_v.tobytes(),
        trials.right.tobytes(),
        trials.chance.tobytes(),
        trials.person.tobytes(),
        trials.scene.tobytes(),
    )
