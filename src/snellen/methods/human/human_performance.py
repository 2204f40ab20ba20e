"""Human performance over visual change, compact enough to store in a requirement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.errors.excerpt import shown
from snellen.methods.human.people import People
from snellen.methods.human.procedures import decompovision, icraf

WIDEST = 0.05
"""Narrower bins are merged into bins of this width."""
WIDTHS = {
    "icraf": icraf.WIDTH,
    "decompovision": decompovision.WIDTH,
    "psychometric": WIDEST,
}
"""The bin width of each procedure."""
MOST_ANSWERS = 10**9
SINGLE, PRESERVED = "accuracy", "preserved"


def people_of(threshold: Mapping[str, Any], procedure: str) -> tuple[People, ...] | None:
    """The curves of a threshold printed by `snellen thresholds --json`; None without any.

    They are under `curves`; a single curve has its `bins` at the top level.
    """
    single = {"what": SINGLE, "bins": threshold.get("bins") or (), "loss": threshold.get("loss")}
    curves = threshold.get("curves") or [single]
    found = tuple(_people(one, WIDTHS[procedure]) for one in curves if one["bins"])
    return found or None


def _bin(row: Mapping[str, Any], width: float) -> tuple[float, float, float]:
    """Visual change at the upper edge, share of right answers, and answers of a bin."""
    for key, most in (("delta_v", 1 + width), ("share", 1), ("answers", MOST_ANSWERS)):
        if not 0 <= row[key] <= most:
            raise ValueError(f"{key} of a bin is {shown(row[key])}, expected 0 to {most:g}")
    return float(row["delta_v"]), float(row["share"]), float(row["answers"])


def _people(curve: Mapping[str, Any], width: float) -> People:
    rows = np.array([_bin(one, width) for one in curve["bins"]])
    middle, share, answers = rows[:, 0] - width / 2, rows[:, 1], rows[:, 2]
    wide = max(width, WIDEST)
    place = np.floor(middle / wide + 1e-9).astype(np.int64)
    total = np.bincount(place, answers)
    right, middles = (np.bincount(place, answers * one) for one in (share, middle))
    filled = total > 0
    return People(
        metric=SINGLE if curve["what"] == PRESERVED else curve["what"],
        delta_v=tuple((middles[filled] / total[filled]).round(4).tolist()),
        share=tuple((right[filled] / total[filled]).round(4).tolist()),
        answers=tuple(np.rint(total[filled]).astype(int).tolist()),
        loss=curve.get("loss"),
    )
