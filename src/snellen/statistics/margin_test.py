"""Verdicts on a loss against a tolerated margin: two one-sided tests, each at a stated level."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.non_inferiority import LossStatus

LEVEL = 0.05


@dataclass(frozen=True)
class MarginVerdict:
    """The verdict, with the p-values of both tests; NaN without data.

    p_satisfied: of the loss being at or above the margin; small if the loss is surely below it.
    p_violated: of the loss being at or below the margin.
    """

    status: LossStatus
    margin: float
    level: float
    p_satisfied: float
    p_violated: float


def margin_verdict(loss: ConfidenceCurve, margin: float, level: float = LEVEL) -> MarginVerdict:
    """Satisfied, violated or undecided: each wrong in at most `level` of cases at the margin.

    loss: the curve of a rate, a difference or a paired difference (`scene_curves`). A loss is
    satisfied exactly when its one-sided upper bound at 1 - level is below the margin.

    >>> from snellen.statistics.discordant_pairs import discordant_pairs
    >>> from snellen.statistics.scene_curves import paired_curve
    >>> same = paired_curve(discordant_pairs([1] * 64, [1] * 64, [4] * 64))
    >>> margin_verdict(same, 0.05).status.value
    'satisfied'
    """
    below, above = loss.p(margin, "upper"), loss.p(margin, "lower")
    status = LossStatus.UNDECIDED
    if below < level:
        status = LossStatus.SATISFIED
    elif above < level:
        status = LossStatus.VIOLATED
    return MarginVerdict(status, margin, level, below, above)
