"""How many answers an interval of the threshold takes, before the study and while it runs.

The variance of the threshold is that of independent answers, by the Fisher information of the
assumed curve at the visual changes that will be shown, plus what people and scenes differ by,
divided by how many of them there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from snellen.statistics.intervals import CONFIDENCE
from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import FALL, LAPSE_PRIOR, performance
from snellen.vision.arrays import F64

FORM = FAMILIES["gauss"]
_STEP = 1e-4


@dataclass(frozen=True)
class AssumedCurve:
    """What is assumed of people before they are asked; the curve is a cumulative Gaussian.

    threshold: of all people together, where the share `fall` is lost. width: from 5% to 95% lost,
    for one person and scene. lapse: the rate of wrong answers about unchanged pictures. chance: of
    guessing right. people, scenes: the standard deviations of thresholds between them.
    """

    threshold: float = 0.5
    width: float = 0.4
    lapse: float = 0.03
    chance: float = 0.5
    people: float = 0.08
    scenes: float = 0.08
    fall: float = FALL


@dataclass(frozen=True)
class StudyPlan:
    """How answers are collected, for one class and corruption.

    each: answers of one person. scenes: how many there are. originals: the share of unchanged
    pictures; the others are even over visual change, from 0 to `reach`.
    """

    each: int = 20
    scenes: int = 100
    originals: float = 0.1
    reach: float = 1.0


@dataclass(frozen=True)
class AnswerNeed:
    """What a wanted interval takes. length: the expected one with so many answers."""

    answers: int
    people: int
    length: float
    wanted: float


def answers_needed(
    wanted: float, curve: AssumedCurve, plan: StudyPlan, confidence: float = CONFIDENCE
) -> AnswerNeed | None:
    """The fewest people whose answers give an interval of the wanted length.

    None if no number of people does, because scenes differ too much for so few of them.
    """
    room = (wanted / (2 * _z(confidence))) ** 2 - curve.scenes**2 / plan.scenes
    alone = answer_variance(curve, plan) / plan.each + curve.people**2
    if room <= 0 or not math.isfinite(alone):
        return None
    people = max(2, math.ceil(alone / room))
    return AnswerNeed(people * plan.each, people, expected_length(people, curve, plan), wanted)


def expected_length(
    people: int, curve: AssumedCurve, plan: StudyPlan, confidence: float = CONFIDENCE
) -> float:
    """The expected length of the interval with so many people."""
    alone = answer_variance(curve, plan) / plan.each + curve.people**2
    return 2 * _z(confidence) * math.sqrt(alone / people + curve.scenes**2 / plan.scenes)


def _z(confidence: float) -> float:
    return float(special.ndtri((1 + confidence) / 2))


def answer_variance(curve: AssumedCurve, plan: StudyPlan) -> float:
    """The variance of the threshold times the number of answers, by the Fisher information."""
    levels = np.concatenate([[0.0], np.linspace(0, plan.reach, 200)])
    shares = np.concatenate([[plan.originals], np.full(200, (1 - plan.originals) / 200)])
    values = _parameters(curve)
    right = _right(curve, levels, values)
    slopes = np.stack([_slope(curve, levels, values, place) for place in range(3)], axis=1)
    weight = shares / np.maximum(right * (1 - right), 1e-9)
    information = (slopes * weight[:, None]).T @ slopes
    information[2, 2] += LAPSE_PRIOR**2 / 2 / 1000  # hardly anything; keeps it regular
    lever = np.array([_threshold_slope(curve, values, place) for place in range(3)])
    try:
        return float(lever @ np.linalg.solve(information, lever))
    except np.linalg.LinAlgError:
        return math.inf


def more_answers(answers: int, length: float, wanted: float) -> int:
    """How many more answers make an interval as short as wanted; lengths fall with the root."""
    return max(0, math.ceil(answers * ((length / wanted) ** 2 - 1)))


def _parameters(curve: AssumedCurve) -> F64:
    """Middle, width and lapse rate of people together, whose curve is wider than one person's."""
    tails = 2 * float(special.ndtri(0.95))
    width = math.sqrt(curve.width**2 + (curve.people**2 + curve.scenes**2) * tails**2)
    middle = curve.threshold - float(FORM.place(curve.fall, 0.0, width))
    return np.array([middle, width, max(curve.lapse, 2 * _STEP)])


def _right(curve: AssumedCurve, levels: F64, values: F64) -> F64:
    lost = FORM.unseen(levels, values[0], values[1])
    return performance(lost, np.asarray(curve.chance), values[2])


def _slope(curve: AssumedCurve, levels: F64, values: F64, place: int) -> F64:
    step = _STEP * np.eye(3)[place]
    return (_right(curve, levels, values + step) - _right(curve, levels, values - step)) / (
        2 * _STEP
    )


def _threshold_slope(curve: AssumedCurve, values: F64, place: int) -> float:
    step = _STEP * np.eye(3)[place]
    up, down = values + step, values - step
    rise = FORM.place(curve.fall, up[0], up[1]) - FORM.place(curve.fall, down[0], down[1])
    return float(rise) / (2 * _STEP)
