"""How much less answers say when they come from the same people and the same scenes.

A threshold moves with each answer by its influence. Independent answers move it by the sum of the
squares; answers of one person, or about one scene, move it together. The ratio of the two is the
design effect, by the two-way cluster sandwich of Cameron, Gelbach and Miller (2011).
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from snellen.study.estimates.curve.curve_family import CurveFamily
from snellen.study.estimates.curve.curve_posterior import LAPSE_PRIOR, CurvePosterior, performance
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.vision.arrays import F64, Ints

_STEP = 1e-4
PRIOR_INFORMATION = np.array([0.1, 0.1, LAPSE_PRIOR**2 / 2])
"""A little for middle and width, so that a flat curve has a finite spread."""


def design_effect(trials: JudgedTrials, posterior: CurvePosterior, confidence: float) -> float:
    """The variance of the threshold between clusters over that of independent answers; 1 at least.

    It includes the wider quantile of Student's t for few people or scenes.
    """
    moved = influences(trials, posterior)
    alone = float(moved @ moved)
    persons, scenes = (_clustered(moved, one) for one in (trials.person, trials.scene))
    both = _clustered(moved, trials.person * (int(trials.scene.max(initial=0)) + 1) + trials.scene)
    clusters = [len(set(one.tolist())) for one in (trials.person, trials.scene)]
    fewest = min((one for one in clusters if one > 1), default=0)
    if alone <= 0 or not fewest:
        return 1.0
    wider = stats.t.ppf((1 + confidence) / 2, fewest - 1) / special.ndtri((1 + confidence) / 2)
    return max(1.0, max(persons + scenes - both, persons, scenes) / alone) * float(wider) ** 2


def influences(trials: JudgedTrials, posterior: CurvePosterior) -> F64:
    """(N,) by how much each answer moves the threshold, at the posterior mean of the curve."""
    family, mean = posterior.family, np.array(posterior.mean())
    mean[2] = min(max(mean[2], 2 * _STEP), 0.5)
    right = np.clip(_right(family, trials, mean), 1e-6, 1 - 1e-6)
    slopes = np.stack([_slope(family, trials, mean, place) for place in range(3)], axis=1)
    scale = 1 / (right * (1 - right))
    information = (slopes * scale[:, None]).T @ slopes + np.diag(PRIOR_INFORMATION)
    turn = _threshold_slope(posterior, mean)
    lever = np.linalg.lstsq(information, turn, rcond=None)[0]
    return np.asarray((slopes @ lever) * scale * (trials.right - right))


def _right(family: CurveFamily, trials: JudgedTrials, values: F64) -> F64:
    lost = family.unseen(trials.delta_v, values[0], values[1])
    return performance(lost, trials.chance, values[2])


def _moved(values: F64, place: int, step: float) -> F64:
    """The parameters with one of them changed; the width by a factor."""
    found = values.copy()
    found[place] = values[place] * np.exp(step) if place == 1 else values[place] + step
    return found


def _slope(family: CurveFamily, trials: JudgedTrials, values: F64, place: int) -> F64:
    up, down = (_right(family, trials, _moved(values, place, step)) for step in (_STEP, -_STEP))
    return np.asarray((up - down) / (2 * _STEP))


def _threshold_slope(posterior: CurvePosterior, values: F64) -> F64:
    """(3,) the derivative of the threshold by each parameter."""

    def at(place: int, step: float) -> float:
        moved = _moved(values, place, step)
        return float(posterior.family.place(posterior.fall, moved[0], moved[1]))

    return np.array([(at(one, _STEP) - at(one, -_STEP)) / (2 * _STEP) for one in range(3)])


def _clustered(moved: F64, cluster: Ints) -> float:
    """The sum of squares of the clusters' sums, with the factor for few clusters."""
    _, place = np.unique(cluster, return_inverse=True)
    sums = np.bincount(place, moved)
    count = len(sums)
    return float(sums @ sums) * (count / (count - 1) if count > 1 else 1.0)
