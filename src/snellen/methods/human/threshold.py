"""A human threshold with its interval and its evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.human.human_loss import human_loss
from snellen.methods.human.procedures.threshold_scan import (
    ALPHA,
    AnswerCurve,
    ThresholdScan,
)
from snellen.statistics.intervals import CONFIDENCE


@dataclass(frozen=True, eq=False)
class Threshold:
    """The visual change up to which people do as well; None if there are too few data.

    low, high: the percentile interval of the bootstrap, widened to contain the threshold.
    limited_by_data: people never get worse in the data. reach: the largest visual change tested.
    missing: why there is none.
    """

    value: float | None
    low: float | None
    high: float | None
    limited_by_data: bool
    reach: float
    curves: tuple[AnswerCurve, ...]
    confidence: float = CONFIDENCE
    missing: str = "fewer than two bins have enough answers"

    def words(self) -> str:
        """The threshold in one sentence."""
        if self.value is None:
            return f"no threshold: {self.missing}"
        limit = f"; no significant drop up to {self.reach:.2f}" if self.limited_by_data else ""
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f}){limit}"

    def to_json(self) -> dict[str, Any]:
        """Plain values for a file."""
        return {
            "threshold": self.value,
            "low": self.low,
            "high": self.high,
            "limited_by_data": self.limited_by_data,
            "reach": self.reach,
            "told": self.words(),
            "confidence": self.confidence,
            "notes": [note for curve in self.curves for note in notes(curve)],
            "curves": [_curve_json(curve, self.value) for curve in self.curves],
        }


def threshold_of(scan: ThresholdScan, confidence: float = CONFIDENCE) -> Threshold:
    """The threshold of row 0, with the interval from the other rows."""
    value = float(scan.values[0])
    if math.isnan(value):
        return Threshold(None, None, None, True, scan.reach, scan.curves, confidence)
    others = scan.values[np.isfinite(scan.values)]
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(others, tails, method="nearest")
    return Threshold(
        value,
        min(value, float(low)),
        max(value, float(high)),
        bool(scan.limited[0]),
        scan.reach,
        scan.curves,
        confidence,
    )


def notes(curve: AnswerCurve) -> list[str]:
    """Caveats on the tests of a curve."""
    level = curve.share if curve.fit is None else curve.fit
    better = (curve.p_value < ALPHA) & (level > curve.p0)
    if not better.any():
        return []
    where = ", ".join(f"{edge:.2f}" for edge in curve.edges[better][:5])
    return [
        f"{curve.what}: {int(better.sum())} bins count as failing although people do better there "
        f"than {curve.p0:.3f} (at {where}), because the test is two-sided; see --one-sided"
    ]


def _curve_json(curve: AnswerCurve, threshold: float | None) -> dict[str, Any]:
    """The bins, and what people lose up to the threshold."""
    columns = {"delta_v": curve.edges, "share": curve.share, "p_value": curve.p_value}
    if curve.fit is not None:
        columns["fit"] = curve.fit
    rows = zip(*(column.round(9).tolist() for column in columns.values()), strict=True)
    asked = np.rint(curve.asked).astype(int).tolist()
    bins = [
        {**dict(zip(columns, row, strict=True)), "answers": count}
        for row, count in zip(rows, asked, strict=True)
    ]
    lost = None if threshold is None else human_loss(curve.tally, curve.references, threshold)
    return {
        "what": curve.what,
        "p0": curve.p0,
        "loss": None if lost is None else lost.model_dump(),
        "bins": bins,
    }
