"""Measurements of a case known in advance: most of a row of the prediction database."""

from __future__ import annotations

from typing import Any

from snellen.contract.instances import LABEL, SCORE, uncertainty_measurements
from snellen.methods.free_places import pasted_box
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.insertions.level_plan import LevelInsertion
from snellen.vision.entropies import scale_free_entropy
from snellen.vision.uncertainty import Uncertainty

INSTANCE = "base"
"""The measurement with the base instance's index among the scene's detections."""


def uncertainty_of(
    unsure: list[Uncertainty] | None, prepared: RobustnessScene, index: int
) -> Uncertainty | None:
    """The uncertainty of the object with this index among the scene's detections."""
    return None if unsure is None else unsure[prepared.indices.tolist().index(index)]


def case_measurements(test: LevelInsertion, unsure: Uncertainty | None) -> dict[str, float]:
    """The base instance, the inserted object and its place, as a case's measurements."""
    base, one, box = test.base, test.inserting, pasted_box(test.recipe)
    measured = {
        INSTANCE: float(base.index),
        LABEL: float(base.label),
        SCORE: base.score,
        "level": float(test.level),
        "share": test.share,
        "distance": test.distance,
        "x": (box[0] + box[2]) / 2,
        "y": (box[1] + box[3]) / 2,
        "size_ratio": round(test.recipe.width * test.recipe.height / base.area, 4),
        "hash_distance": float(one.hash_distance),
    }
    known: dict[str, float | None] = {
        "inserted_label": None if one.label is None else float(one.label),
        "inserted_alone": one.score,
        "inserted_uncertainty": one.uncertainty,
    }
    if unsure is not None:
        known |= uncertainty_measurements(unsure)
    return {**measured, **{name: value for name, value in known.items() if value is not None}}


def _relative(prepared: RobustnessScene, index: int, doubt: Uncertainty) -> float:
    return round(scale_free_entropy(doubt.box_entropy, prepared.before.boxes[index]), 4)


def object_notes(
    prepared: RobustnessScene, unsure: list[Uncertainty] | None
) -> list[dict[str, Any]]:
    """All detections of a scene, with their uncertainty and IoU with the annotations."""
    made = []
    for place, index in enumerate(prepared.indices.tolist()):
        label = int(prepared.before.labels[index])
        doubt = None if unsure is None else unsure[place]
        made.append(
            {
                "name": prepared.classes[label],
                "score": round(float(prepared.before.scores[index]), 4),
                "uncertainty": None if doubt is None else round(doubt.total, 4),
                "box_entropy": None if doubt is None else round(doubt.box_entropy, 4),
                "relative_entropy": None if doubt is None else _relative(prepared, index, doubt),
                "truth_iou": prepared.truth_iou(prepared.before.boxes[index], label),
            }
        )
    return made
