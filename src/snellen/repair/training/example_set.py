"""The examples of a set of scenes, each loaded on demand."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

from snellen.repair.training.example import Example, class_ids, example_of
from snellen.repair.training.training_data import Weights
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations

log = logging.getLogger(__name__)


class ExampleSet:
    """Scenes as training or validation examples of a detector.

    weights: by id of a scene, one for each of its objects. factor: multiplies all weights.
    where: the name of the scenes in messages.
    """

    def __init__(
        self,
        scenes: SceneSet,
        detector_classes: Sequence[str],
        weights: Weights,
        where: str,
        factor: float = 1.0,
    ) -> None:
        self.scenes = scenes
        self._ids = class_ids(scenes.classes, detector_classes, where)
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
                "%s: %d objects count as background because the detector lacks their class: %s%s",
                where,
                labels.total(),
                ", ".join(names),
                ", ..." if len(labels) > len(names) else "",
            )

    def example(self, index: int) -> Example:
        """The example of the n-th scene, in its own pixels."""
        scene = self.scenes[index]
        example = example_of(scene, self._ids, self._weights.get(scene.id))
        return example.weighted(self._factor)

    def truth(self, index: int) -> Annotations:
        """The annotations of the n-th scene with the detector's labels, other classes removed."""
        annotations = self.scenes[index].annotations or Annotations.empty()
        labels = self._ids[annotations.labels] if len(annotations) else annotations.labels
        kept = labels >= 0
        return Annotations(
            annotations.boxes[kept],
            labels[kept],
            None,
            annotations.crowd[kept],
            annotations.ignore[kept],
            annotations.areas[kept],
        )
