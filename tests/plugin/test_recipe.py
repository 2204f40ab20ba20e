"""The recipe of the plug-in: pixels, boxes, and a way back from JSON."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.changes.registry import recipe_from_json
from snellen.scenes.scene import PictureArray, Scene

SIZE = (4, 6)
PIXELS = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def scene() -> Scene:
    return Scene("s", PictureArray(PIXELS.copy()), SIZE)


def test_the_scene_is_mirrored_and_left_as_it_was() -> None:
    from snellen_mirror.recipe import Mirror

    given = scene()
    assert np.array_equal(Mirror().build(given, {}), PIXELS[:, ::-1])
    assert np.array_equal(given.pixels(), PIXELS)


def test_a_window_is_mirrored_in_its_place() -> None:
    from snellen_mirror.recipe import Mirror

    case = Mirror((1, 1, 4, 3)).build(scene(), {})
    assert np.array_equal(case[1:3, 1:4], PIXELS[1:3, 1:4][:, ::-1])
    outside = np.ones(SIZE, dtype=bool)
    outside[1:3, 1:4] = False
    assert np.array_equal(case[outside], PIXELS[outside])


def test_boxes_are_where_their_pixels_are() -> None:
    from snellen_mirror.recipe import Mirror

    marked = PIXELS * 0
    marked[1:3, 0:2] = 255
    case = Mirror().build(Scene("s", PictureArray(marked), SIZE), {})
    [[x1, y1, x2, y2]] = Mirror().moved_boxes([[0, 1, 2, 3]], SIZE).astype(int).tolist()
    assert (case[y1:y2, x1:x2] == 255).all()
    assert case.sum() == marked.sum()


def test_boxes_outside_a_window_stay() -> None:
    from snellen_mirror.recipe import Mirror

    moved = Mirror((2, 0, 6, 4)).moved_boxes([[0, 0, 1, 1], [2, 0, 3, 1]], SIZE)
    assert moved.tolist() == [[0, 0, 1, 1], [5, 0, 6, 1]]
    assert Mirror().moved_boxes(np.zeros((0, 4)), SIZE).shape == (0, 4)


@pytest.mark.parametrize("window", [None, (1, 1, 4, 3)])
def test_it_is_stored_and_read_back(window: tuple[int, int, int, int] | None) -> None:
    from snellen_mirror.recipe import Mirror

    recipe = Mirror(window)
    again = recipe_from_json(recipe.to_json())
    assert again == recipe
    assert again.digest == recipe.digest
    assert hash(again) == hash(recipe)
