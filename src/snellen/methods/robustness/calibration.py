"""Whether uncertain boxes err more: uncertainty against annotations, over all detections."""

from __future__ import annotations

import json

import numpy as np
from pydantic import BaseModel, ConfigDict

from snellen.methods.robustness.level_tables import correlation, measured_levels
from snellen.methods.robustness.own_numbers import (
    CalibrationLevel,
    CalibrationNumbers,
    RankCorrelation,
)
from snellen.statistics.levels import Levels
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.store.rates import Rates
from snellen.vision.arrays import F64, Ints

RIGHT = 0.5
"""The IoU threshold with an annotation of its label at which a detection is correct."""


class ObjectNote(BaseModel):
    """A detection in the notes of its scene; entropies in nats, None where not measured."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    scene: str
    score: float
    uncertainty: float | None
    truth_iou: float | None
    box_entropy: float | None
    relative_entropy: float | None = None


def calibration(journal: Journal, rates: Rates) -> CalibrationNumbers | None:
    """Errors by five levels of uncertainty; None without annotations or uncertainty.

    Over all detections in scenes with base instances. A detection is wrong if no annotation of its
    label reaches IoU 0.5 with it.
    """
    found = _measured(journal)
    if not found:
        return None
    scenes = np.array([rates.place(one.scene) for one in found], dtype=np.int64)
    unsure = np.array([one.uncertainty for one in found], dtype=np.float64)
    overlap = np.array([one.truth_iou for one in found], dtype=np.float64)
    score = np.array([one.score for one in found])
    relative = np.array([one.relative_entropy for one in found], dtype=np.float64)
    levels = measured_levels(unsure, np.array([one.box_entropy for one in found], dtype=np.float64))

    def with_error(values: F64) -> RankCorrelation | None:
        return correlation(values, 1 - overlap, scenes, rates.weights)

    return CalibrationNumbers(
        objects=len(found),
        levels=_levels(levels, overlap, scenes, rates),
        correlation=with_error(unsure),
        relative_correlation=None if np.isnan(relative).any() else with_error(relative),
        score_correlation=with_error(score),
    )


def _measured(journal: Journal) -> list[ObjectNote]:
    """The detections with an uncertainty in scenes with annotations."""
    rows = journal.rows("SELECT scene, notes FROM units WHERE status = 'done' ORDER BY number")
    found = [
        ObjectNote.model_validate({"scene": scene, **one})
        for scene, notes in rows
        for one in json.loads(notes).get("objects") or ()
    ]
    return [one for one in found if one.uncertainty is not None and one.truth_iou is not None]


def _levels(levels: Levels, overlap: F64, scenes: Ints, rates: Rates) -> list[CalibrationLevel]:
    means = levels.means()
    made = []
    for number in range(levels.count):
        of = levels.level == number
        right = of & (overlap >= RIGHT)
        made.append(
            CalibrationLevel(
                low=round(float(levels.edges[number]), 4),
                high=round(float(levels.edges[number + 1]), 4),
                mean=None if np.isnan(means[number]) else round(float(means[number]), 4),
                objects=int(of.sum()),
                wrong=int((overlap[of] < RIGHT).sum()),
                rate=Estimate.of(rates.among(scenes[of], overlap[of] < RIGHT)),
                mean_iou=round(float(overlap[right].mean()), 4) if right.any() else None,
            )
        )
    return made
