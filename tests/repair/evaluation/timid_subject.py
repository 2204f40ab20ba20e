"""A subject that is unsure of objects with something near, and of one that is not there.

With a threshold of 0.5 it loses what something comes near to; with one of 0.3 it loses nothing, and
reports a phantom in every image.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.scenes.synthetic.generator import CLASSES
from snellen.subjects.planted.adapter import PlantedOptions, open_planted
from snellen.vision.detections import Detections

SURE, UNSURE, WRONG = 0.9, 0.4, 0.35
PERFECT = open_planted(PlantedOptions())
LOSES = open_planted(PlantedOptions.model_validate({"fault": "loses", "distance": 40}))


def answers(images: list[Any]) -> list[Detections]:
    """0.9 for what stands alone, 0.4 for what has something near, 0.35 for a phantom."""
    pairs = zip(PERFECT.predict(images), LOSES.predict(images), strict=True)
    return [_told(every, left) for every, left in pairs]


def configured(score: float) -> dict[str, Any]:
    """The part `subject:` with this threshold."""
    return {
        "kind": "python",
        "target": f"{__name__}:answers",
        "classes": list(CLASSES),
        "score": score,
    }


def _told(every: Any, left: Any) -> Detections:
    kept = {tuple(box) for box in left.boxes.tolist()}
    scores = [SURE if tuple(box) in kept else UNSURE for box in every.boxes.tolist()]
    return Detections(
        np.concatenate([every.boxes, np.array([[1.0, 1.0, 5.0, 5.0]])]),
        np.concatenate([every.labels, np.array([0])]),
        np.concatenate([np.array(scores), np.array([WRONG])]),
    )
