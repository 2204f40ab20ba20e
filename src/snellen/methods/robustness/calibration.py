"""Whether uncertain boxes err more: uncertainty against annotations, over all detections."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from snellen.methods.robustness.level_tables import correlation, measured_levels
from snellen.store.journal import Journal
from snellen.store.rates import Rates

RIGHT = 0.5
"""The IoU threshold with an annotation of its label at which a detection is correct."""
Numbers = dict[str, Any]


def calibration(journal: Journal, rates: Rates) -> Numbers | None:
    """Errors by five levels of uncertainty; None without annotations or uncertainty.

    Over all detections in scenes with base instances. A detection is wrong if no annotation of its
    label reaches IoU 0.5 with it.
    """
    rows = journal.rows("SELECT scene, notes FROM units WHERE status = 'done' ORDER BY number")
    found = [
        (
            rates.place(scene),
            *(one[key] for key in ("uncertainty", "truth_iou", "score", "box_entropy")),
            one.get("relative_entropy", np.nan),
        )
        for scene, notes in rows
        for one in json.loads(notes).get("objects") or ()
        if one["uncertainty"] is not None and one["truth_iou"] is not None
    ]
    if not found:
        return None
    scenes = np.array([one[0] for one in found], dtype=np.int64)
    unsure, overlap, score, boxes = (np.array([one[n] for one in found]) for n in (1, 2, 3, 4))
    levels = measured_levels(unsure, boxes)
    means = levels.means()
    made = []
    for number in range(levels.count):
        of = levels.level == number
        rate = rates.among(scenes[of], overlap[of] < RIGHT)
        right = of & (overlap >= RIGHT)
        made.append(
            {
                "low": round(float(levels.edges[number]), 4),
                "high": round(float(levels.edges[number + 1]), 4),
                "mean": None if np.isnan(means[number]) else round(float(means[number]), 4),
                "objects": int(of.sum()),
                "wrong": int((overlap[of] < RIGHT).sum()),
                "rate": rate.to_json(),
                "mean_iou": round(float(overlap[right].mean()), 4) if right.any() else None,
            }
        )
    relative = np.array([one[5] for one in found])
    return {
        "objects": len(found),
        "levels": made,
        "correlation": correlation(unsure, 1 - overlap, scenes, rates.weights),
        "relative_correlation": None
        if np.isnan(relative).any()
        else correlation(relative, 1 - overlap, scenes, rates.weights),
        "score_correlation": correlation(score, 1 - overlap, scenes, rates.weights),
    }
