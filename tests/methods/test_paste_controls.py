"""Controls of pasting: each kind does to a scene what it says, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.methods.paste_controls import SceneObstacles, paste_controls
from snellen.scenes.scene import PictureArray, Scene

OBJECT = np.array([[4, 4, 14, 14]], np.float32)


def around(size: tuple[int, int] = (40, 60)) -> SceneObstacles:
    scene = Scene("scene", PictureArray(np.zeros((*size, 3), np.uint8)), size)
    return SceneObstacles(scene, OBJECT, OBJECT)


def insertion(x: int, y: int, side: int = 8) -> Insert:
    return Insert("object", x, y, side, side, "feather", 2.0)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(16, 50), st.integers(0, 30))
def test_a_patch_is_never_pasted_onto_itself(seed: int, x: int, y: int) -> None:
    """It would change nothing: a control that cannot fail makes the seam look harmless."""
    made = paste_controls(around(), [insertion(x, y)], 12, np.random.default_rng(seed))
    patches = [one for one in made if one.name == "patch"]
    assert patches
    for one in patches:
        recipe = one.question.recipe
        assert isinstance(recipe, Patch)
        assert (recipe.x, recipe.y) == (x, y), "at the place of the insertion"
        assert (recipe.from_x, recipe.from_y) != (recipe.x, recipe.y)


def test_where_no_other_place_is_free_there_is_no_patch() -> None:
    place = SceneObstacles(around((8, 8)).scene, OBJECT[:0], OBJECT[:0])
    made = paste_controls(place, [insertion(0, 0)], 1, np.random.default_rng(1))
    assert all(one.name != "patch" for one in made)


def test_a_patch_comes_from_background_that_holds_no_object() -> None:
    made = paste_controls(around(), [insertion(30, 20)], 60, np.random.default_rng(2))
    for one in made:
        recipe = one.question.recipe
        if one.name == "patch":
            assert isinstance(recipe, Patch)
            apart = recipe.from_x >= 14 or recipe.from_y >= 14
            assert apart, "it overlaps the object"


def test_half_of_the_controls_are_patches_and_repetitions_have_numbers_of_their_own() -> None:
    made = paste_controls(around(), [insertion(30, 20)], 60, np.random.default_rng(3))
    names = [one.name for one in made]
    assert names.count("patch") == pytest.approx(30, abs=1)
    repeats = [one.question.repeat for one in made if isinstance(one.question.recipe, Identity)]
    assert len(set(repeats)) == len(repeats)
    assert 0 not in repeats, "a stored answer says nothing of the subject's noise"
