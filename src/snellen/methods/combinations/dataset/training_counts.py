"""How often labels occur, alone and together, in the scenes that a subject was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet


def training_counts(scenes: SceneSet, classes: Sequence[str]) -> dict[str, Any]:
    """Counts of annotated scenes: with each label, and with each pair of labels.

    pairs: [first, second, scenes] with ids of the subject's classes, first < second, only those
    that occur.
    """
    known = {plain_name(name): id for id, name in enumerate(classes)}
    own = np.array([known.get(plain_name(name), -1) for name in scenes.classes], dtype=np.int64)
    annotated = [one.annotations for one in scenes if one.annotations is not None]
    present = np.zeros((len(annotated), len(classes)), dtype=np.int64)
    for row, known_objects in zip(present, annotated, strict=True):
        ids = own[known_objects.labels[~known_objects.ignore]]
        row[ids[ids >= 0]] = 1
    together = present.T @ present
    first, second = np.nonzero(np.triu(together, k=1))
    return {
        "images": len(annotated),
        "singles": np.diag(together).tolist(),
        "pairs": [
            [int(a), int(b), int(together[a, b])] for a, b in zip(first, second, strict=True)
        ],
    }
