"""Compositions: the canvas contains exactly what the recipe says, bit for bit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.compose.compose import Compose, Placing
from snellen.changes.paste.stencil import cut_stencil
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.vision.arrays import F64
from tests.changes.pastes import Shelf, disc, noise, scene_of, soft_noise

NOWHERE = scene_of(np.zeros((1, 1, 3), np.uint8))
CUTOUTS = [soft_noise(1, 23, 17), soft_noise(2, 9, 31), disc(40, 30, (200, 10, 40), (0, 255, 0))]
MATERIALS = {"objects": Shelf(*CUTOUTS)}
WIDTH, HEIGHT = 60, 50

placings = st.lists(
    st.tuples(
        st.sampled_from([cutout.id for cutout in CUTOUTS]),
        st.integers(-5, WIDTH - 10),
        st.integers(-5, HEIGHT - 10),
        st.integers(6, 45),
        st.integers(6, 45),
    ),
    max_size=4,
).map(tuple)


def naive(recipe: Compose) -> F64:
    """Layer by layer and pixel by pixel, in floating point, each layer rounded."""
    image = np.empty((recipe.height, recipe.width, 3))
    image[...] = list(bytes.fromhex(recipe.background[1:]))
    for id, x, y, width, height in recipe.placed:
        pixels = MATERIALS["objects"].cutout(id).pixels
        stencil = cut_stencil(pixels, width, height, feather=recipe.feather)
        for row in range(max(-y, 0), min(height, recipe.height - y)):
            for column in range(max(-x, 0), min(width, recipe.width - x)):
                share = stencil.alpha[row, column] / 255
                old = image[y + row, x + column]
                mix = share * stencil.colours[row, column] + (1 - share) * old
                image[y + row, x + column] = np.rint(mix)
    return image


@settings(max_examples=40)
@given(placed=placings, feather=st.sampled_from([0.0, 0.5, 1.0, 1.5, 4.0]))
def test_every_pixel_is_what_mixing_layer_by_layer_gives(
    placed: tuple[Placing, ...], feather: float
) -> None:
    recipe = Compose(WIDTH, HEIGHT, placed, "#80ff03", feather)
    image = recipe.build(NOWHERE, MATERIALS)
    assert image.dtype == np.uint8
    assert np.array_equal(image, naive(recipe))


def test_an_object_at_its_own_size_is_its_pixels_by_their_alpha() -> None:
    cutout = CUTOUTS[0]
    recipe = Compose(40, 30, ((cutout.id, 4, 5, 17, 23),), "#ffffff", feather=0.0)
    share = cutout.pixels[..., 3:] / 255
    expected = np.full((30, 40, 3), 255.0)
    expected[5:28, 4:21] = share * cutout.pixels[..., :3] + (1 - share) * 255
    assert np.abs(recipe.build(NOWHERE, MATERIALS) - expected).max() <= 1.01


@given(placed=placings, kept=st.sets(st.integers(0, 3)))
def test_taking_objects_away_leaves_the_other_pixels_as_they_were(
    placed: tuple[Placing, ...], kept: set[int]
) -> None:
    recipe = Compose(WIDTH, HEIGHT, placed, "#336699")
    touched = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for place, (_, x, y, width, height) in enumerate(placed):
        if place not in kept:
            touched[max(y, 0) : y + height, max(x, 0) : x + width] = True
    whole, some = (one.build(NOWHERE, MATERIALS) for one in (recipe, recipe.only(kept)))
    assert np.array_equal(whole[~touched], some[~touched])


def test_the_ones_kept_stay_in_their_order() -> None:
    placed = tuple((CUTOUTS[k % 3].id, k, k, 10, 10) for k in range(5))
    recipe = Compose(30, 30, placed, "#102030", 2.0)
    some = recipe.only([3, 1])
    assert some.placed == (placed[1], placed[3])
    assert (some.width, some.height, some.background, some.feather) == (30, 30, "#102030", 2.0)
    assert (recipe.only([]).build(NOWHERE, MATERIALS) == [0x10, 0x20, 0x30]).all()


def test_the_last_object_lies_in_front() -> None:
    red, blue = disc(20, 20, (255, 0, 0), (0, 0, 0)), disc(20, 20, (0, 0, 255), (0, 0, 0))
    recipe = Compose(30, 20, ((red.id, 0, 0, 20, 20), (blue.id, 10, 0, 20, 20)))
    image = recipe.build(NOWHERE, {"objects": Shelf(red, blue)})
    assert image[10, 15].tolist() == [0, 0, 255]
    assert image[10, 5].tolist() == [255, 0, 0]


def test_building_changes_nothing_that_it_was_given() -> None:
    pixels = noise(9, 20, 20, 4)
    pixels.flags.writeable = False
    cutout = type(CUTOUTS[0])("noise", pixels)
    recipe = Compose(30, 30, ((cutout.id, 3, 3, 20, 20), (cutout.id, 9, 9, 11, 8)))
    first = recipe.build(NOWHERE, {"objects": Shelf(cutout)})
    kept = first.copy()
    first[...] = 0
    assert np.array_equal(recipe.build(NOWHERE, {"objects": Shelf(cutout)}), kept)


def test_a_composition_comes_back_from_json() -> None:
    recipe = Compose(64, 48, (("a1", -3, 4, 50, 60), ("b2", 0, 0, 1, 2)), "#012345", 1.5)
    again = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe
    assert again.digest == recipe.digest
    assert hash(again) == hash(recipe)


def test_an_object_is_decoded_once_for_many_sizes() -> None:
    cutout = soft_noise(77, 31, 29)
    shelf = Shelf(cutout)
    for size in range(5, 20):
        Compose(40, 40, ((cutout.id, 3, 3, size, size),)).build(NOWHERE, {"objects": shelf})
    assert shelf.asked == 1


def test_mistakes_are_reported() -> None:
    id = CUTOUTS[0].id
    with pytest.raises(UserError, match="no object library"):
        Compose(30, 30, ((id, 0, 0, 5, 5),)).build(NOWHERE, {})
    with pytest.raises(UserError, match="at 0 x 5 pixels"):
        Compose(30, 30, ((id, 0, 0, 0, 5),)).build(NOWHERE, MATERIALS)
    with pytest.raises(UserError, match="entirely outside"):
        Compose(30, 30, ((id, 30, 0, 5, 5),)).build(NOWHERE, MATERIALS)
    with pytest.raises(UserError, match="unknown background 'bleu'"):
        Compose(30, 30, (), "bleu").build(NOWHERE, MATERIALS)
