"""The examples of a set of scenes, each read when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.repair.training.data import Weights
from snellen.repair.training.example import Example, example_of, numbering
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations


class Shelf:
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

    def __len__(self) -> int:
        return len(self.scenes)

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
