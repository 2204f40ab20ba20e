"""Marks on a composition: each object with its label, and whether the subject named it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.pages.marks import NAMED, UNNAMED, Mark
from snellen.subjects.subject import Prediction
from snellen.vision.label_vector import LabelVector


def object_marks(
    recipe: Mapping[str, Any],
    said: Prediction,
    classes: Sequence[str],
    score: float,
    objects: Mapping[str, str],
) -> tuple[Mark, ...]:
    """Each object of a composition with its label and whether it was output, missing ones last.

    objects: labels by id.
    """
    assert isinstance(said, LabelVector)
    scores = dict(zip(map(plain_name, classes), said.scores.tolist(), strict=True))
    made = []
    for id, x, y, width, height in recipe["placed"]:
        label = objects.get(id, "object")
        value = scores.get(plain_name(label))
        gone = value is not None and value < np.float32(score)
        text = label if value is None else f"{label} {value:.2f}"
        box = (float(x), float(y), float(x + width), float(y + height))
        made.append(Mark(UNNAMED if gone else NAMED, box, f"no {text}" if gone else text))
    return tuple(sorted(made, key=lambda mark: mark.kind == UNNAMED))
