"""Counts of labels in a training set."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.dataset.training_counts import training_counts
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations

BLANK = PictureArray(np.zeros((4, 4, 3), dtype=np.uint8))


def scene(number: int, labels: list[int] | None, ignored: tuple[int, ...] = ()) -> Scene:
    if labels is None:
        return Scene(f"s{number}", BLANK, (4, 4))
    boxes = np.tile(np.array([0, 0, 2, 2], dtype=np.float32), (len(labels), 1))
    ignore = np.array([place in ignored for place in range(len(labels))], dtype=bool)
    known = Annotations(boxes, np.array(labels, dtype=np.int64), ignore=ignore)
    return Scene(f"s{number}", BLANK, (4, 4), known)


def test_scenes_are_counted_once_whatever_the_number_of_objects() -> None:
    scenes = SceneSet(
        (
            scene(1, [0, 0, 1]),
            scene(2, [1, 0]),
            scene(3, [2]),
            scene(4, []),
            scene(5, None),
            scene(6, [0, 1], ignored=(1,)),
        ),
        classes=("Traffic_Light", "dog", "unknown here"),
    )
    counts = training_counts(scenes, ("dog", "cat", "traffic light"))
    assert counts == {"images": 5, "singles": [2, 0, 3], "pairs": [[0, 2, 2]]}
