"""ICRAF's procedure: a smoothing spline through narrow bins, tested bin by bin.

Bins of 0.01 with more than 10 answers; a smoothing spline through their shares; an exact binomial
test of the smoothed count in each bin against `p0`; the first two consecutive failing bins. The
threshold is the bin before them. Published thresholds are the second failing bin itself,
because the step back in the published code has no effect; `as_published` does the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.methods.human.procedures.answer_tally import AnswerTally
from snellen.methods.human.procedures.smoothing_spline import LEAST, SmoothingSpline
from snellen.methods.human.procedures.threshold_scan import (
    ALPHA,
    AnswerCurve,
    Breaks,
    ThresholdScan,
    breaks,
    values_at,
)
from snellen.statistics.binomial import Alternative, binomial_test
from snellen.vision.arrays import F64, Bools

WIDTH = 0.01
MORE_THAN = 10
CLEAN_IMAGENET = 0.970
"""Human accuracy on unchanged ImageNet images, as used by ICRAF."""


@dataclass(frozen=True)
class Icraf:
    """The variants of the procedure.

    one_sided: test only whether people are worse. As published, bins in which people do better than
    `p0` count as failing too. weighted: bins are weighted by their answers in the spline, as
    published for CIFAR-10 but not for ImageNet.
    """

    as_published: bool = False
    one_sided: bool = False
    weighted: bool = False

    def scan(self, tally: AnswerTally, p0: F64, what: str = "accuracy") -> ThresholdScan:
        """The threshold of each row of counts; p0: (R,), the rate to test each row against."""
        tested = tally.asked > MORE_THAN
        tested = tested & (tested.sum(axis=1) >= LEAST)[:, None]
        if not tested[0].any():
            return ThresholdScan(np.full(len(tested), np.nan), np.ones(len(tested), bool), 0.0, ())
        fits = _fits(tally, tested, self.weighted)
        count = np.clip(np.rint(tally.asked * np.where(tested, fits, 0)), 0, tally.asked)
        side: Alternative = "less" if self.one_sided else "two-sided"
        p_value = binomial_test(count, tally.asked, p0[:, None], side)
        found = breaks(p_value < ALPHA, tested)
        curve = AnswerCurve.of_row(what, tally, p_value, p0, tested)
        curve = replace(curve, fit=fits[0, tested[0]])
        values = self._values(tally.edges, found)
        return ThresholdScan(values, found.second < 0, float(tally.edges[tested[0]][-1]), (curve,))

    def _values(self, edges: F64, found: Breaks) -> F64:
        never = found.second < 0
        if self.as_published:
            return np.where(
                never, values_at(edges, found.last_but_one), values_at(edges, found.second)
            )
        stepped_back = np.where(found.before >= 0, values_at(edges, found.before), 0.0)
        return np.where(never, values_at(edges, found.last), stepped_back)


def lowest_half(tally: AnswerTally) -> F64:
    """(R,) the share right in the lowest bins that together have half of the answers.

    Bins with too few answers are excluded. It is `p0` for the preservation of answers.
    """
    asked = np.where(tally.asked > MORE_THAN, tally.asked, 0)
    right = np.where(tally.asked > MORE_THAN, tally.right, 0)
    sums = np.cumsum(asked, axis=1)
    enough = np.argmax(sums >= np.ceil(sums[:, -1:] / 2), axis=1)
    row = np.arange(len(sums))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.cumsum(right, axis=1)[row, enough] / sums[row, enough])


def _fits(tally: AnswerTally, tested: Bools, weighted: bool) -> F64:
    """(R, B) the smoothed shares; rows with the same bins and weights share a decomposition."""
    fits = np.full(tested.shape, np.nan)
    alike = np.where(tested, tally.asked if weighted else 1, 0)
    _, group = np.unique(alike, axis=0, return_inverse=True)
    for one in range(group.max() + 1):
        rows = np.flatnonzero(group == one)
        bins = tested[rows[0]]
        if not bins.any():
            continue
        asked = tally.asked[rows[0], bins]
        spline = SmoothingSpline(tally.edges[bins], asked / asked.min() if weighted else None)
        for row in rows:
            fits[row, bins] = spline.fitted(tally.right[row, bins] / tally.asked[row, bins])
    return fits
