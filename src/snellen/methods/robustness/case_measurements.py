"""What is known of a case before it is asked about: most of a row of the prediction database."""

from __future__ import annotations

from typing import Any

from snellen.contract.instances import LABEL, SCORE, uncertainty_measurements
from snellen.methods.free_places import pasted_box
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.insertions.level_plan import LevelInsertion
from snellen.vision.entropies import scale_free_entropy
from snellen.vision.uncertainty import Uncertainty

INSTANCE = "base"
"""The measurement that names the base instance: its index among the scene's detections."""


def uncertainty_of(
    unsure: list[Uncertainty] | None, stage: RobustnessScene, index: int
) -> Uncertainty | None:
    """The uncertainty of the object with this index among the scene's detections."""
    return None if unsure is None else unsure[stage.indices.tolist().index(index)]


def case_measurements(test: LevelInsertion, unsure: Uncertainty | None) -> dict[str, float]:
    """The base instance, the inserted object and its place, as a case's measurements."""
    base, one, box = test.base, test.inserting, pasted_box(test.recipe)
    told = {
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
    return {**told, **{name: value for name, value in known.items() if value is not None}}


def _relative(stage: RobustnessScene, index: int, doubt: Uncertainty) -> float:
    return round(scale_free_entropy(doubt.box_entropy, stage.before.boxes[index]), 4)


def object_notes(stage: RobustnessScene, unsure: list[Uncertainty] | None) -> list[dict[str, Any]]:
    """Everything that was found in a scene, with its uncertainty and how right it is."""
    made = []
    for place, index in enumerate(stage.indices.tolist()):
        label = int(stage.before.labels[index])
        doubt = None if unsure is None else unsure[place]
        made.append(
            {
                "name": stage.classes[label],
                "score": round(float(stage.before.scores[index]), 4),
                "uncertainty": None if doubt is None else round(doubt.total, 4),
                "box_entropy": None if doubt is None else round(doubt.box_entropy, 4),
                "relative_entropy": None if doubt is None else _relative(stage, index, doubt),
                "truth_iou": stage.truth_iou(stage.before.boxes[index], label),
            }
        )
    return made
