"""What people lose up to a threshold, with its uncertainty: the margin that a subject may have."""

from __future__ import annotations

import numpy as np

from snellen.methods.human.people import HumanLoss
from snellen.methods.human.procedures.answer_tally import AnswerTally
from snellen.vision.arrays import F64

LEVEL = 0.05
"""Of each of the two one-sided bounds."""


def human_loss(tally: AnswerTally, references: F64, threshold: float) -> HumanLoss | None:
    """The reference rate minus the mean share of right answers up to a threshold.

    references: (R,) of the data and of each draw. Every bin of visual change counts alike, as the
    cases of a subject are spread evenly. The bounds are quantiles of the draws, and so include the
    uncertainty of the reference. None without bins up to the threshold, or without draws.
    """
    within = tally.largest <= threshold + 1e-9
    asked, right = tally.asked[:, within], tally.right[:, within]
    if not asked[0].any():
        return None
    shares = np.divide(right, asked, out=np.full(asked.shape, np.nan), where=asked > 0)
    with np.errstate(invalid="ignore"):
        means = np.nansum(shares, axis=1) / np.count_nonzero(asked > 0, axis=1)
    losses = references - means
    drawn = losses[1:][np.isfinite(losses[1:])]
    if not len(drawn) or not np.isfinite(losses[0]):
        return None
    value = float(losses[0])
    low, high = (float(one) for one in np.quantile(drawn, [LEVEL, 1 - LEVEL]))
    return HumanLoss(
        value=round(value, 6), low=round(min(low, value), 6), high=round(max(high, value), 6)
    )
