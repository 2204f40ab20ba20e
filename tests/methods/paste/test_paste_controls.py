"""Controls and checks of pasting: each does to a scene what it says, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.methods.paste.paste_controls import CHECKS, SceneObstacles, drawn_check, patch_at
from snellen.scenes.scene import PictureArray, Scene

OBJECT = np.array([[4, 4, 14, 14]], np.float32)


def around(size: tuple[int, int] = (40, 60)) -> SceneObstacles:
    scene = Scene("scene", PictureArray(np.zeros((*size, 3), np.uint8)), size)
    return SceneObstacles(scene, OBJECT, OBJECT)


def insertion(x: int, y: int, side: int = 8) -> Insert:
    return Insert("object", x, y, side, side, "hard", 2.0)


@settings(max_examples=60)
@given(st.floats(0, 1, exclude_max=True), st.integers(16, 50), st.integers(0, 30))
def test_a_patch_is_other_background_through_the_mask_at_the_place(
    draw: float, x: int, y: int
) -> None:
    """Nearly onto itself it would change nothing, and make the seam look harmless."""
    recipe = insertion(x, y)
    patch = around().patch(recipe, draw)
    assert isinstance(patch, Patch)
    own = ("object", "x", "y", "width", "height", "blending", "feather")
    assert [getattr(patch, name) for name in own] == [getattr(recipe, name) for name in own]
    assert max(abs(patch.from_x - x), abs(patch.from_y - y)) >= 4
    assert patch.from_x >= 14 or patch.from_y >= 14 or patch.from_y <= -4, "it shows the object"


def test_every_source_may_be_drawn() -> None:
    recipe = insertion(30, 20)
    sources = {tuple(place) for place in around().sources(recipe).tolist()}
    drawn = [around().patch(recipe, (n + 0.5) / len(sources)) for n in range(len(sources))]
    assert {(one.from_x, one.from_y) for one in drawn if one is not None} == sources


def test_where_no_other_place_is_free_there_is_no_patch() -> None:
    place = SceneObstacles(around((8, 8)).scene, OBJECT[:0], OBJECT[:0])
    assert place.patch(insertion(0, 0), 0.0) is None


def test_checks_are_of_every_kind_and_none_is_called_a_control() -> None:
    facts = {"base": 1.0}
    made = [
        drawn_check(around(), insertion(30, 20), facts, np.random.default_rng(seed))
        for seed in range(60)
    ]
    assert {one.role for one in made} == {f"check:{name}" for name in CHECKS}
    assert all(one.facts == facts for one in made)
    for one in made:
        recipe, repeat = one.question.recipe, one.question.repeat
        assert isinstance(recipe, Identity) == (repeat > 0), "a stored answer shows no noise"
        if isinstance(recipe, Patch):
            assert (recipe.x, recipe.y) == (recipe.from_x, recipe.from_y) == (4, 4)
            assert (recipe.width, recipe.height) == (10, 10)


def test_a_patch_gets_the_blending_and_the_shadow_of_its_insertion() -> None:
    """Otherwise a shadow could pass for an effect of the object."""
    insert = Insert("o", 1, 2, 30, 40, "natural", 2.5, shadow=0.4)
    patch = patch_at(insert, 50, 60)
    assert (patch.blending, patch.feather, patch.shadow) == ("natural", 2.5, 0.4)
