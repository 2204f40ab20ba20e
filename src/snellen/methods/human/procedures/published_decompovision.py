"""DecompoVision's procedure exactly as its published code runs it."""

from __future__ import annotations

import numpy as np

from snellen.methods.human.procedures.answer_tally import AnswerTally
from snellen.methods.human.procedures.decompovision import (
    AT_LEAST,
    MINIMAL,
    TOO_FEW,
    WIDTH,
)
from snellen.methods.human.procedures.published_counts import (
    PublishedAnswers,
    tested_shares,
)
from snellen.methods.human.procedures.threshold_scan import (
    ALPHA,
    AnswerCurve,
    ThresholdScan,
    breaks,
    smallest,
    values_at,
)
from snellen.methods.human.subtasks import Kind, SubtaskName, TaskName
from snellen.statistics.binomial import binomial_test
from snellen.vision.arrays import F64

BEYOND = -1.0
"""Below every visual change."""


def published_edges() -> list[tuple[float, float]]:
    """The bins (low, high], whose edges are sums of 0.1 and so fall short of 0.8, 0.9 and 1.

    >>> [high for _, high in published_edges()][7:]
    [0.7999999999999999, 0.8999999999999999, 0.9999999999999999, 1.0]
    """
    edges, low = [], 0.0
    while low < 1:
        high = 1.0 if low + WIDTH > 1 else low + WIDTH
        edges.append((low, high))
        low += WIDTH
    return edges


class PublishedScans:
    """The thresholds of the parts of a task; all share the counts in bins.

    weights: (R, images), how often each image counts; row 0 is the data.
    """

    def __init__(self, answers: PublishedAnswers, kind: Kind, task: TaskName, weights: F64) -> None:
        self.task = task
        bins = [one for one in published_edges() if self._any(answers, *one)]
        self.lows = np.array([low for low, _ in bins])
        self.highs = np.round([high for _, high in bins], 9)
        counts = [answers.within(low, high, weights) for low, high in bins]
        self.counts = np.stack(counts, axis=1) if counts else np.zeros((len(weights), 0, 6))
        within = kind == "preservation"
        self.reference = (
            answers.within(BEYOND, MINIMAL, weights) if within else answers.clean(weights)
        )

    @staticmethod
    def _any(answers: PublishedAnswers, low: float, high: float) -> bool:
        return bool(((answers.changed.delta_v > low) & (answers.changed.delta_v <= high)).any())

    def scan(self, part: SubtaskName, p0: float | None = None) -> ThresholdScan:
        """The smaller threshold of precision and recall of one part."""
        found = tested_shares(self.counts, part, self.task)
        clean = tested_shares(self.reference, part, self.task)
        scans = []
        for what in ("precision", "recall"):
            own = clean[what][0]
            rate = own if p0 is None else np.full_like(own, p0)
            scans.append(self._side(what, *found[what], rate))
        return smallest(scans)

    def _side(self, what: str, share: F64, asked: F64, p0: F64) -> ThresholdScan:
        """share, asked: (R, B)."""
        tested = asked >= AT_LEAST
        count = np.minimum(np.floor(share * asked), asked)
        p_value = np.round(binomial_test(count, asked, p0[:, None], "less"), 2)
        found = breaks(p_value <= ALPHA, tested)
        at = np.where(found.first >= 0, found.first, found.last)
        values = np.where(tested.sum(axis=1) < 2, TOO_FEW, values_at(self.lows, at).round(9))
        tally = AnswerTally(self.highs, self.highs, share * asked, asked)
        curve = AnswerCurve.of_row(what, tally, p_value, p0, tested)
        reach = float(self.highs[tested[0]].max(initial=0.0))
        return ThresholdScan(values, found.first < 0, reach, (curve,))
