"""Sets of scenes taken as one."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.repair.picture_sets import join_scene_sets
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations


def scene(id: str, labels: list[int] | None) -> Scene:
    pixels = np.zeros((20, 20, 3), dtype=np.uint8)
    boxes = [[2.0 * n, 0, 2.0 * n + 1, 5] for n in range(len(labels or []))]
    known = (
        None
        if labels is None
        else Annotations(np.array(boxes).reshape(-1, 4), np.array(labels, dtype=np.int64))
    )
    return Scene(id, PictureArray(pixels), (20, 20), known)


def named(scenes: SceneSet) -> dict[str, list[str]]:
    return {
        one.id: [scenes.classes[label] for label in one.annotations.labels]
        for one in scenes
        if one.annotations is not None
    }


def test_classes_are_joined_by_their_names_not_by_their_numbers() -> None:
    first = SceneSet((scene("a", [0, 1]),), ("cat", "dog"), (1, 2))
    second = SceneSet((scene("b", [0, 1]), scene("c", [])), ("dog", "horse"), (7, 9))
    both = join_scene_sets(first, second)
    assert named(both) == {"a": ["cat", "dog"], "b": ["dog", "horse"], "c": []}
    assert both.classes == ("cat", "dog", "horse")


def test_a_scene_without_annotations_teaches_nothing() -> None:
    with pytest.raises(UserError, match="scene 'b' has no annotations"):
        join_scene_sets(
            SceneSet((scene("a", [0]),), ("cat",)), SceneSet((scene("b", None),), ("cat",))
        )
