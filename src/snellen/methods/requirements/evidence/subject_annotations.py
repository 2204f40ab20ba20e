"""What is annotated in a scene, in the subject's own labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools, Ints

UNKNOWN = -1


def label_map(scenes: SceneSet, classes: Sequence[str]) -> Ints:
    """For each class of the scenes the subject's id of it, whatever its spelling; -1 for none."""
    known = {plain_name(name): id for id, name in enumerate(classes)}
    found = [known.get(plain_name(name), UNKNOWN) for name in scenes.classes]
    return np.array(found, dtype=np.int64)


def truths_of(scene: Scene, labels: Ints) -> Annotations | None:
    """The annotations of a scene with the subject's labels, or None where nothing is known.

    labels: from `label_map`. An object that the subject has no label for need not be found, and
    a detection of it is not held against the subject.
    """
    known = scene.annotations
    if known is None:
        return None
    own = labels[known.labels] if len(known) else np.zeros(0, dtype=np.int64)
    foreign = own == UNKNOWN
    return Annotations(
        known.boxes,
        np.where(foreign, 0, own),
        known.masks,
        known.crowd,
        known.ignore | foreign,
        known.areas,
    )


def present_in(truths: Annotations, labels: int) -> Bools:
    """(labels,) which labels an image shows."""
    shown = np.zeros(labels, dtype=bool)
    shown[truths.labels[~truths.ignore]] = True
    return shown
