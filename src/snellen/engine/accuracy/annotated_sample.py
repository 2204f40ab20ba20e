"""A sample of annotated scenes, with the ground truth in the classes shared with the subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Image, Ints
from snellen.vision.detections import Detections


@dataclass(frozen=True, eq=False)
class AnnotatedSample:
    """Scenes with annotations, evenly spread over their set.

    classes: the names that scenes and subject share. known: how many scenes of the set have
    annotations. own, theirs: the shared id of each class id of scenes and subject, -1 for none.
    """

    scenes: tuple[Scene, ...]
    classes: tuple[str, ...]
    known: int
    own: Ints
    theirs: Ints

    def __len__(self) -> int:
        return len(self.scenes)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """The pixels of each scene."""
        return tuple(scene.pixels() for scene in self.scenes)

    @cached_property
    def truths(self) -> tuple[Annotations, ...]:
        """The annotated objects of shared classes, by scene, with shared ids."""
        return tuple(self._truth(scene) for scene in self.scenes)

    def _truth(self, scene: Scene) -> Annotations:
        annotations = scene.annotations or Annotations.empty()
        labels = self.own[annotations.labels]
        return replace(annotations, labels=labels)[labels >= 0]

    def shared(self, detections: Detections) -> Detections:
        """The detections of shared classes, with shared ids and without masks."""
        labels = self.theirs[detections.labels]
        kept = labels >= 0
        return Detections(detections.boxes[kept], labels[kept], detections.scores[kept])

    @cached_property
    def objects_and_classes(self) -> tuple[int, int]:
        """The number of objects that count, and of their classes."""
        counted = [one.labels[~one.crowd & ~one.ignore] for one in self.truths]
        labels = np.concatenate([np.zeros(0, dtype=np.int64), *counted])
        return len(labels), len(np.unique(labels))


def annotated_sample(scenes: SceneSet, classes: Sequence[str], count: int) -> AnnotatedSample:
    """At most `count` of the annotated scenes, for a subject with these classes."""
    known = [scene for scene in scenes if scene.annotations is not None]
    places = np.linspace(0, len(known) - 1, min(count, len(known))).round().astype(int)
    shared = tuple(name for name in dict.fromkeys(scenes.classes) if name in set(classes))
    return AnnotatedSample(
        tuple(known[place] for place in places),
        shared,
        len(known),
        _places(scenes.classes, shared),
        _places(classes, shared),
    )


def _places(names: Sequence[str], shared: Sequence[str]) -> Ints:
    place = {name: index for index, name in enumerate(shared)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)
