"""What a row is shown on."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.combinations.composition.canvas import photographs, row_scene
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations


def scene(number: int, labels: list[int] | None) -> Scene:
    picture = PictureArray(np.full((4, 4, 3), number, dtype=np.uint8))
    if labels is None:
        return Scene(f"s{number}", picture, (4, 4))
    boxes = np.tile(np.array([0, 0, 2, 2], dtype=np.float32), (len(labels), 1))
    known = Annotations(boxes, np.array(labels, dtype=np.int64))
    return Scene(f"s{number}", picture, (4, 4), known)


SCENES = SceneSet((scene(1, [0]), scene(2, [1]), scene(3, []), scene(4, None)), ("Cat", "tree"))


def test_photographs_that_show_a_label_of_the_subject_are_left_out() -> None:
    found = photographs(SCENES, ("dog", "cat"), "photographs")
    assert list(found) == [SCENES[n].digest for n in (1, 2, 3)]


def test_scenes_that_nothing_is_put_on_are_a_mistake() -> None:
    with pytest.raises(UserError, match="background is 'white', which needs none"):
        photographs(SCENES, ("cat",), "white")
    assert photographs(SceneSet(()), ("cat",), "white") == {}


def test_no_photograph_free_of_labels_is_a_mistake() -> None:
    with pytest.raises(UserError, match="none of the 1 scenes is free"):
        photographs(SceneSet((SCENES[0],), SCENES.classes), ("cat",), "photographs")


def test_a_row_is_a_blank_scene_of_its_own() -> None:
    first, second = row_scene("row-1", 32), row_scene("row-2", 32)
    assert first.pixels().shape == (32, 32, 3)
    assert (first.pixels() == 255).all()
    assert first.digest == second.digest
