"""A threshold by the fitted curve, with the bins and the loss that other procedures give."""

from __future__ import annotations

import numpy as np

from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.human_performance import WIDEST
from snellen.methods.human.procedures.answer_tally import AnswerTally, bins_of
from snellen.methods.human.procedures.threshold_scan import AnswerCurve
from snellen.methods.human.threshold import Threshold
from snellen.statistics.binomial import binomial_test
from snellen.statistics.bootstrap import scene_weights
from snellen.study.estimates.curve.curve_fit import CurveFit, fit_curve
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.thresholds.subtask_answers import SubtaskSide
from snellen.vision.arrays import F64

DRAWS = 4_000
"""Of the smallest of several thresholds."""


def curve_threshold(
    side: SubtaskSide, request: EstimateRequest
) -> tuple[Threshold, CurveFit | None]:
    """The threshold of the curve fitted to one share; without a value if nothing can be fitted."""
    trials = side.trials()
    fit = fit_curve(trials, request.curve, request.fall, request.confidence)
    if fit is None:
        few = f"too few answers to fit a curve ({len(trials)})"
        return Threshold(None, None, None, True, 0.0, (), request.confidence, few), None
    found = Threshold(
        round(fit.value, 6),
        round(fit.low, 6),
        round(fit.high, 6),
        fit.limited,
        fit.reach,
        (_curve(side.what, trials, fit, request),),
        request.confidence,
    )
    return found, fit


def smallest_threshold(
    parts: list[tuple[Threshold, CurveFit | None]], request: EstimateRequest
) -> Threshold:
    """The smallest of several thresholds, whose posteriors are taken to be independent."""
    known = [(one, fit) for one, fit in parts if fit is not None]
    if not known:
        return parts[0][0]
    rng = np.random.default_rng(request.seed)
    draws = [np.interp(rng.random(DRAWS), *_quantiles(fit)) for _, fit in known]
    tails = [(1 - request.confidence) / 2, (1 + request.confidence) / 2]
    low, high = np.quantile(np.min(draws, axis=0), tails)
    least, _ = min(known, key=lambda one: one[1].value)
    value = least.value
    assert value is not None
    return Threshold(
        value,
        round(min(float(low), value), 6),
        round(max(float(high), value), 6),
        least.limited_by_data,
        least.reach,
        least.curves,
        request.confidence,
    )


def _quantiles(fit: CurveFit) -> tuple[F64, F64]:
    shares = np.linspace(0.0005, 0.9995, 1000)
    return shares, fit.quantiles(shares.tolist())


def _curve(what: str, trials: JudgedTrials, fit: CurveFit, request: EstimateRequest) -> AnswerCurve:
    """The answers to changed pictures in bins, with the fit at their mean change.

    Each bin is tested against the rate in originals; the test decides nothing here.
    """
    weights = _weights(trials, request)
    changed = trials.delta_v > 0
    tally = _tally(trials.chosen(changed), weights[:, changed])
    references = _references(trials.chosen(~changed), weights[:, ~changed], fit, request)
    middles = _means(trials.chosen(changed))
    right, asked = tally.right[0], tally.asked[0]
    chance = float(trials.chance.mean())
    p_value = binomial_test(right, asked, np.clip(references[0], 0, 1), "less")
    return AnswerCurve(
        what,
        tally.edges,
        right / asked,
        asked,
        p_value,
        float(references[0]),
        tally,
        references,
        fit.right(middles, chance),
    )


def _weights(trials: JudgedTrials, request: EstimateRequest) -> F64:
    """(1 + R, N) how often each answer counts: people and scenes are both resampled.

    Row 0 is the data.
    """
    rng = np.random.default_rng(request.seed)
    drawn = [
        scene_weights(int(one.max()) + 1, request.replicates, rng)[:, one]
        for one in (trials.person, trials.scene)
    ]
    return np.concatenate([np.ones((1, len(trials))), drawn[0] * drawn[1]])


def _tally(trials: JudgedTrials, weights: F64) -> AnswerTally:
    place = bins_of(trials.delta_v, WIDEST)
    filled, column = np.unique(place, return_inverse=True)
    member = (column[:, None] == np.arange(len(filled))).astype(np.float64)
    largest = np.array([trials.delta_v[column == one].max() for one in range(len(filled))])
    right = weights @ (member * trials.right[:, None])
    return AnswerTally(np.round(filled * WIDEST, 9), largest, right, weights @ member)


def _means(trials: JudgedTrials) -> F64:
    place = bins_of(trials.delta_v, WIDEST)
    return np.array([trials.delta_v[place == one].mean() for one in np.unique(place)])


def _references(
    unchanged: JudgedTrials, weights: F64, fit: CurveFit, request: EstimateRequest
) -> F64:
    """(1 + R,) the share right in originals; of the curve before it falls, where there are none."""
    if request.p0 is not None:
        return np.full(1 + request.replicates, request.p0)
    if not len(unchanged):
        return np.full(1 + request.replicates, 1 - fit.lapse)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ unchanged.right) / weights.sum(axis=1))
