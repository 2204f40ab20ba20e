"""DecompoVision's procedure: a one-sided test in each wide bin, on precision and on recall.

Bins of 0.1 with 5 answers or more; an exact one-sided binomial test of each against the rate in
unchanged images; the threshold is the lower edge of the first of two consecutive failing bins. The
smaller one of precision and recall counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.human.procedures.answer_tally import AnswerTally
from snellen.methods.human.procedures.threshold_scan import (
    ALPHA,
    AnswerCurve,
    ThresholdScan,
    breaks,
    values_at,
)
from snellen.statistics.binomial import binomial_test
from snellen.vision.arrays import F64

WIDTH = 0.1
AT_LEAST = 5
MINIMAL = 0.2
"""Preservation is measured against images changed by no more than this."""
TOO_FEW = 0.9
"""The published threshold if fewer than two bins can be tested."""


@dataclass(frozen=True)
class DecompoVision:
    """The variants of the procedure.

    as_published: p-values are rounded to two decimals and fail up to 0.05 included, data without a
    break give the lower edge of their last bin, and fewer than two bins give 0.9. Otherwise nothing
    is rounded, data without a break give the largest change tested, and too few data no threshold.
    """

    as_published: bool = False

    def scan(self, tally: AnswerTally, p0: F64, what: str = "accuracy") -> ThresholdScan:
        """The threshold of each row of counts; p0: (R,), the rate to test each row against."""
        wide = tally.coarser(WIDTH)
        tested = (wide.asked >= AT_LEAST) & np.isfinite(p0)[:, None]
        rate = np.where(np.isfinite(p0), p0, 1.0)[:, None]
        p_value = binomial_test(np.rint(wide.right), np.rint(wide.asked), rate, "less")
        if self.as_published:
            p_value = np.round(p_value, 2)
        found = breaks(p_value <= ALPHA if self.as_published else p_value < ALPHA, tested)
        last = values_at(wide.edges - WIDTH if self.as_published else wide.largest, found.last)
        values = np.where(found.first >= 0, values_at(wide.edges - WIDTH, found.first), last)
        few = tested.sum(axis=1) < 2
        values = np.where(few, TOO_FEW if self.as_published else np.nan, np.round(values, 9))
        curve = AnswerCurve.of_row(what, wide, p_value, p0, tested)
        reach = float(wide.largest[tested[0]].max(initial=0.0))
        return ThresholdScan(values, found.first < 0, reach, (curve,))
