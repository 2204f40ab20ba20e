"""The control of the seam: background of the scene, pasted like an object."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.blending import Blending
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.objects.cutouts.cutout import Cutout
from tests.changes.pastes import Shelf, disc, noise, scene_of, soft_noise

ALL = [blending.value for blending in Blending]
SCENE = scene_of(noise(2, 60, 80, 3))


@given(
    x=st.integers(0, 50),
    y=st.integers(0, 40),
    width=st.integers(1, 30),
    height=st.integers(1, 20),
    blending=st.sampled_from(ALL),
)
def test_a_self_paste_changes_no_pixel(
    x: int, y: int, width: int, height: int, blending: str
) -> None:
    cutout = soft_noise(5, 21, 19)
    recipe = Patch(cutout.id, x, y, width, height, x, y, blending)
    assert np.array_equal(recipe.build(SCENE, {"objects": Shelf(cutout)}), SCENE.pixels())


@pytest.mark.parametrize("blending", ["feather", "hard", "poisson"])
def test_a_patch_is_what_inserting_those_pixels_would_be(blending: str) -> None:
    """Inserting an object that looks like the background there gives the same case."""
    mask = disc(24, 30, (0, 0, 0), (0, 0, 0)).pixels[..., 3:]
    taken = SCENE.pixels()[5:29, 40:70]
    twin = Cutout("twin", np.concatenate([taken, mask], axis=2))
    shape = Cutout("shape", np.concatenate([noise(8, 24, 30, 3), mask], axis=2))
    shelf = {"objects": Shelf(twin, shape)}
    patch = Patch(shape.id, 10, 20, 30, 24, 40, 5, blending)
    insert = Insert(twin.id, 10, 20, 30, 24, blending)
    difference = patch.build(SCENE, shelf).astype(int) - insert.build(SCENE, shelf)
    assert np.abs(difference).max() <= (1 if blending == "feather" else 0)
    assert (patch.build(SCENE, shelf) != SCENE.pixels()).any()


def test_only_the_shape_of_the_object_matters() -> None:
    red, blue = disc(20, 20, (255, 0, 0), (0, 0, 0)), disc(20, 20, (0, 0, 255), (9, 9, 9))
    shelf = {"objects": Shelf(red, blue)}
    one, other = (
        Patch(cutout.id, 3, 4, 25, 22, 50, 30, "matched").build(SCENE, shelf)
        for cutout in (red, blue)
    )
    assert np.array_equal(one, other)


@pytest.mark.parametrize("corner", [(-1, 0), (0, -1), (51, 0), (0, 41)])
def test_a_patch_is_taken_from_inside_the_scene(corner: tuple[int, int]) -> None:
    cutout = soft_noise(5, 21, 19)
    recipe = Patch(cutout.id, 0, 0, 30, 20, *corner)
    with pytest.raises(UserError, match="cannot be taken at"):
        recipe.build(SCENE, {"objects": Shelf(cutout)})


def test_a_patch_comes_back_from_json() -> None:
    recipe = Patch("a1", 1, 2, 3, 4, 5, 6, "hard", 0.0)
    assert recipe_from_json(json.loads(json.dumps(recipe.to_json()))) == recipe
