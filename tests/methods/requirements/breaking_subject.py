"""A subject that knows its scenes, is perfect up to a visual change, and breaks one subtask beyond.

Every scene has its own height, which identifies its changed images.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.arrays import F32, Image
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.visual_change.registry import visual_measure

MEASURE = "vifp(sigma_nsq=0.4)"
SMALLEST, WIDTH = 96, 128
SCENES = 50
BREAKS = ("localise", "classify", "segment")


@cache
def known_scenes(count: int = SCENES, objects: tuple[int, int] = (4, 5)) -> SceneSet:
    """Scenes of heights that rise by a pixel."""
    sets = [
        synthetic_scenes(
            SyntheticOptions(
                count=1,
                seed=number + 1,
                size=(SMALLEST + number, WIDTH),
                objects=objects,
                sides=(16, 24),
                gap=4,
            )
        )
        for number in range(count)
    ]
    scenes = tuple(
        Scene(f"scene-{number:03d}", one[0].picture, one[0].size, one[0].annotations)
        for number, one in enumerate(sets)
    )
    return SceneSet(scenes, sets[0].classes, sets[0].class_ids)


class Breaking:
    """breaks: the subtask that fails from `onset` on, "" for none, `blind` to see nothing at all.

    objects: of the scenes that it is asked about.
    """

    classes = known_scenes(1).classes

    def __init__(
        self, breaks: str = "", onset: float = 0.5, objects: tuple[int, int] = (4, 5)
    ) -> None:
        self._breaks, self._onset = breaks, onset
        scenes = known_scenes(SCENES, (objects[0], objects[1]))
        self._scenes = {scene.size[0]: scene for scene in scenes}
        self._measure = visual_measure(MEASURE)

    def __call__(self, images: list[Image]) -> list[dict[str, Any]]:
        return [self._answer(image) for image in images]

    def _answer(self, image: Image) -> dict[str, Any]:
        scene = self._scenes[image.shape[0]]
        truths = scene.annotations
        assert truths is not None
        assert isinstance(truths.masks, Masks)
        boxes, labels, masks = truths.boxes, truths.labels, truths.masks.to_array()
        if self._breaks == "blind":
            boxes, labels, masks = boxes[:0], labels[:0], masks[:0]
        elif self._measure.compare(scene.pixels(), image) >= self._onset:
            boxes, labels, masks = self._broken(boxes, labels, masks, image.shape[:2])
        scores = np.full(len(boxes), 0.9)
        return {"boxes": boxes, "labels": labels, "scores": scores, "masks": masks}

    def _broken(self, boxes: Any, labels: Any, masks: Any, size: tuple[int, ...]) -> Any:
        if self._breaks == "localise":
            boxes = np.array([_beside(box, size) for box in boxes])
        if self._breaks == "classify":
            labels = (labels + 1) % len(self.classes)
        if self._breaks == "segment":
            masks = masks & (np.cumsum(masks, axis=1) <= 3)
        return boxes, labels, masks


def _beside(box: F32, size: tuple[int, ...]) -> F32:
    """A box moved by half its sides: it still overlaps its object by 1/7, and no other's half."""
    half = (box[2:] - box[:2]) / 2
    room = box[2:] + half <= [size[1], size[0]]
    step = np.where(room, half, -half)
    return np.concatenate([box[:2] + step, box[2:] + step])
