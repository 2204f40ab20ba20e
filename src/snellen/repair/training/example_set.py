"""The examples of a set of scenes, each read when it is asked for."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

from snellen.repair.training.example import Example, example_of, numbering
from snellen.repair.training.training_data import Weights
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations

log = logging.getLogger(__name__)


class ExampleSet:
    """Scenes as a detector with the classes `known` learns from them or is judged by them.

    weights: by id of a scene, one for each of its objects. factor: multiplies all weights.
    where: what the scenes are called in messages.
    """

    def __init__(
        self,
        scenes: SceneSet,
        known: Sequence[str],
        weights: Weights,
        where: str,
        factor: float = 1.0,
    ) -> None:
        self.scenes = scenes
        self._ids = numbering(scenes.classes, known, where)
        self._weights, self._factor = weights, factor
        self._warn(where)

    def __len__(self) -> int:
        return len(self.scenes)

    def _warn(self, where: str) -> None:
        labels = Counter(
            label
            for scene in self.scenes
            if scene.annotations is not None
            for label in scene.annotations.labels.tolist()
            if self._ids[label] < 0
        )
        if labels:
            names = [self.scenes.classes[label] for label, _ in labels.most_common(5)]
            log.warning(
                "%s: %d objects count as background, for the detector has no such class: %s%s",
                where,
                labels.total(),
                ", ".join(names),
                ", ..." if len(labels) > len(names) else "",
            )

    def example(self, index: int) -> Example:
        """What the n-th scene teaches, in its own pixels."""
        scene = self.scenes[index]
        example = example_of(scene, self._ids, self._weights.get(scene.id))
        return example.weighted(self._factor)

    def truth(self, index: int) -> Annotations:
        """What is known of the n-th scene, with the detector's labels; what it lacks left out."""
        known = self.scenes[index].annotations or Annotations.empty()
        labels = self._ids[known.labels] if len(known) else known.labels
        kept = labels >= 0
        return Annotations(
            known.boxes[kept],
            labels[kept],
            None,
            known.crowd[kept],
            known.ignore[kept],
            known.areas[kept],
        )
