"""The annotations of a scene in the subject's labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools, Ints
from snellen.vision.truth.annotated_objects import AnnotatedObjects

UNKNOWN = -1


def label_map(scenes: SceneSet, classes: Sequence[str]) -> Ints:
    """The subject's class id for each class of the scenes, by normalised name; -1 for none."""
    ids = {plain_name(name): id for id, name in enumerate(classes)}
    found = [ids.get(plain_name(name), UNKNOWN) for name in scenes.classes]
    return np.array(found, dtype=np.int64)


def truths_of(scene: Scene, labels: Ints) -> Annotations | None:
    """The annotations of a scene with the subject's labels, or None if there are none.

    labels: from `label_map`. An object without a label of the subject is ignored: it need not
    be found, and a detection of it is no false positive.
    """
    annotations = scene.annotations
    if annotations is None:
        return None
    own = labels[annotations.labels] if len(annotations) else np.zeros(0, dtype=np.int64)
    foreign = own == UNKNOWN
    return Annotations(
        annotations.boxes,
        np.where(foreign, 0, own),
        annotations.masks,
        annotations.crowd,
        annotations.ignore | foreign,
        annotations.areas,
    )


def annotated_objects(scene: Scene, labels: Ints, classes: int) -> AnnotatedObjects | None:
    """What is known to be in a scene, None if it has no annotations.

    labels: from `label_map`. classes: the number of the subject's classes.
    """
    truths = truths_of(scene, labels)
    return None if truths is None else AnnotatedObjects(truths, np.isin(np.arange(classes), labels))


def present_in(truths: Annotations, labels: int) -> Bools:
    """(labels,) the labels present in an image."""
    shown = np.zeros(labels, dtype=bool)
    shown[truths.labels[~truths.ignore]] = True
    return shown
