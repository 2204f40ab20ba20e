"""Insertions: the object is in the case unaltered, and nothing else has changed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.blending import Blending
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.insert_many import InsertMany
from snellen.changes.paste.patch import Patch
from snellen.changes.paste.stencil import cut_stencil
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from tests.changes.pastes import (
    Shelf,
    area_average,
    disc,
    noise,
    places,
    scene_of,
    sizes,
    soft_noise,
)

HEIGHT, WIDTH = 50, 60
SCENE = scene_of(noise(1, HEIGHT, WIDTH, 3))
ALL = [blending.value for blending in Blending]


def materials(*cutouts: object) -> dict[str, object]:
    return {"objects": Shelf(*cutouts)}  # type: ignore[arg-type]


@given(place=places, size=sizes, blending=st.sampled_from(ALL), seed=st.integers(0, 50))
def test_outside_the_rectangle_not_a_bit_changes(
    place: tuple[int, int], size: tuple[int, int], blending: str, seed: int
) -> None:
    (x, y), (width, height) = place, size
    cutout = soft_noise(seed, 23, 17)
    before = SCENE.pixels().copy()
    recipe = Insert(cutout.id, x, y, width, height, blending)
    touched = np.zeros((HEIGHT, WIDTH), dtype=bool)
    touched[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = True
    if not touched.any():
        with pytest.raises(UserError, match="entirely outside"):
            recipe.build(SCENE, materials(cutout))
        return
    image = recipe.build(SCENE, materials(cutout))
    assert image.shape == before.shape
    assert image.dtype == np.uint8
    assert np.array_equal(image[~touched], before[~touched])
    assert np.array_equal(SCENE.pixels(), before), "the scene itself was changed"
    assert np.array_equal(image, recipe.build(SCENE, materials(cutout))), "not the same again"


@given(place=places, size=sizes, seed=st.integers(0, 50), feather=st.sampled_from([0, 1, 1.5, 4]))
def test_each_value_is_the_mix_that_alpha_asks_for(
    place: tuple[int, int], size: tuple[int, int], seed: int, feather: float
) -> None:
    (x, y), (width, height) = place, size
    cutout = soft_noise(seed, 23, 17)
    stencil = cut_stencil(cutout.pixels, width, height, feather=feather)
    expected = SCENE.pixels().astype(np.float64)
    for row in range(max(-y, 0), min(height, HEIGHT - y)):
        for column in range(max(-x, 0), min(width, WIDTH - x)):
            alpha = stencil.alpha[row, column] / 255
            expected[y + row, x + column] *= 1 - alpha
            expected[y + row, x + column] += alpha * stencil.colours[row, column]
    if np.array_equal(expected, SCENE.pixels()) and not _meets(place, size):
        return
    image = Insert(cutout.id, x, y, width, height, feather=feather).build(SCENE, materials(cutout))
    assert np.abs(image - expected).max() <= 0.5 + 1e-9, "not the nearest whole number"


def _meets(place: tuple[int, int], size: tuple[int, int]) -> bool:
    (x, y), (width, height) = place, size
    return -width < x < WIDTH and -height < y < HEIGHT


@given(width=st.integers(1, 17), height=st.integers(1, 23), seed=st.integers(0, 50))
def test_a_shrunk_cutout_is_the_average_of_what_it_covers(
    width: int, height: int, seed: int
) -> None:
    pixels = soft_noise(seed, 23, 17).pixels.astype(np.float64)
    pixels[..., :3] *= pixels[..., 3:] / 255
    small = area_average(area_average(pixels, height).swapaxes(0, 1), width).swapaxes(0, 1)
    stencil = cut_stencil(soft_noise(seed, 23, 17).pixels, width, height)
    assert np.abs(stencil.alpha - small[..., 3]).max() <= 0.51
    mixed = stencil.colours * (stencil.alpha[..., None] / 255)
    assert np.abs(mixed - small[..., :3]).max() <= 1.01, "one level: alpha and colours are rounded"


@pytest.mark.parametrize("size", [(7, 5), (20, 20), (33, 61), (64, 9), (200, 150)])
@pytest.mark.parametrize("beneath", [(0, 0, 0), (255, 255, 255), (0, 255, 0)])
@pytest.mark.parametrize("blending", ["feather", "hard"])
def test_no_colour_from_beneath_the_transparent_part_bleeds_into_the_edge(
    size: tuple[int, int], beneath: tuple[int, int, int], blending: str
) -> None:
    grey = (120, 121, 122)
    scene = scene_of(np.full((300, 300, 3), grey, dtype=np.uint8))
    cutout = disc(48, 40, grey, beneath)
    image = Insert(cutout.id, 30, 40, *size, blending).build(scene, materials(cutout))
    assert np.abs(image.astype(int) - grey).max() <= 1, "a fringe"


def test_hard_is_the_object_or_the_scene() -> None:
    scene = scene_of(np.full((60, 60, 3), 10, dtype=np.uint8))
    cutout = disc(48, 40, (200, 200, 200), (0, 0, 0))
    image = Insert(cutout.id, 5, 5, 31, 29, "hard").build(scene, materials(cutout))
    assert set(np.unique(image)) == {10, 200}
    assert (image[..., 0] == 200).sum() == pytest.approx(np.pi * 31 * 29 / 4, rel=0.02)


def test_feather_fades_inwards_over_so_many_pixels() -> None:
    square = np.full((41, 41, 4), 255, dtype=np.uint8)
    for feather, middle in ((1.0, [128, 255]), (2.0, [85, 170, 255]), (0.0, [255])):
        alpha = cut_stencil(square, 41, 41, feather=feather).alpha
        assert list(alpha[20, : len(middle)]) == middle
        assert alpha[20, 20] == 255


def test_a_leg_too_thin_to_fade_stays_opaque() -> None:
    table = np.zeros((60, 60, 4), dtype=np.uint8)
    table[:30] = 255
    table[30:, 29:32] = 255
    alpha = cut_stencil(table, 60, 60, feather=4).alpha
    assert alpha[45, 30] == 255, "the leg's middle"
    assert alpha[45, 29] == pytest.approx(128, abs=1), "its edge"


def test_what_is_nowhere_half_opaque_can_still_be_pasted_hard() -> None:
    pole = np.zeros((40, 40, 4), dtype=np.uint8)
    pole[:, 20] = 255
    assert cut_stencil(pole, 4, 4, hard=True).alpha.max() == 255


def test_an_object_that_sticks_out_is_cut_off_not_squeezed() -> None:
    cutout = soft_noise(3, 20, 20)
    roomy = scene_of(np.zeros((100, 100, 3), dtype=np.uint8))
    tight = scene_of(np.zeros((30, 30, 3), dtype=np.uint8))
    whole = Insert(cutout.id, 40, 40, 20, 20).build(roomy, materials(cutout))
    corner = Insert(cutout.id, 20, -12, 20, 20).build(tight, materials(cutout))
    assert np.array_equal(corner[:8, 20:], whole[52:60, 40:50])


def test_an_object_is_cut_to_size_once_for_many_pastes() -> None:
    cutout = soft_noise(99, 31, 29)
    shelf = Shelf(cutout)
    for x in range(20):
        Insert(cutout.id, x, 3, 14, 15).build(SCENE, {"objects": shelf})
    assert shelf.asked == 1
    Insert(cutout.id, 3, 3, 14, 15, feather=3.0).build(SCENE, {"objects": shelf})
    Insert(cutout.id, 3, 3, 14, 15, "hard").build(SCENE, {"objects": shelf})
    assert shelf.asked == 3, "another edge is another stencil"


def test_an_insertion_comes_back_from_json() -> None:
    recipe = Insert("a1", -3, 4, 50, 60, "poisson", 2.0)
    assert recipe_from_json(json.loads(json.dumps(recipe.to_json()))) == recipe


def test_mistakes_are_reported() -> None:
    cutout = soft_noise(1, 9, 9)
    with pytest.raises(UserError, match="no object library"):
        Insert("nowhere", 0, 0, 5, 5).build(SCENE, {})
    with pytest.raises(UserError, match="at 0 x 5 pixels"):
        Insert(cutout.id, 0, 0, 0, 5).build(SCENE, materials(cutout))
    with pytest.raises(UserError, match="unknown blending 'fether'; did you mean 'feather'"):
        Insert(cutout.id, 0, 0, 5, 5, "fether").build(SCENE, materials(cutout))


@pytest.mark.parametrize("blending", list(Blending))
def test_opacity_mixes_the_object_with_the_scene_evenly(blending: Blending) -> None:
    cutout = soft_noise(3, 23, 17)
    whole = Insert(cutout.id, 45, 20, 20, 22, blending)
    solid = whole.build(SCENE, materials(cutout)).astype(float)
    for opacity in (0.0, 0.25, 0.98):
        mixed = replace(whole, opacity=opacity).build(SCENE, materials(cutout)).astype(float)
        expected = SCENE.pixels() + opacity * (solid - SCENE.pixels())
        assert np.abs(mixed - expected).max() <= 0.51


def test_only_natural_pastes_are_of_another_version_than_before() -> None:
    """The others build the same pixels; their cached predictions and explanations stay valid."""
    for blending in Blending:
        insert = Insert("a1", 1, 2, 3, 4, blending)
        patch = Patch("a1", 1, 2, 3, 4, 5, 6, blending)
        both = InsertMany.of([Insert("a1", 1, 2, 3, 4), insert])
        expected = 2 if blending == Blending.NATURAL else 1
        assert [one.pixel_version for one in (insert, patch, both)] == [expected] * 3


def test_a_full_opacity_leaves_the_recipe_as_it_was_stored_before_there_was_any() -> None:
    """Journals and prediction caches written earlier stay valid."""
    stored = {"kind": "insert", "object": "a1", "x": 1, "y": 2, "width": 3, "height": 4,
              "blending": "hard", "feather": 1.5}  # fmt: skip
    recipe = recipe_from_json(stored)
    assert isinstance(recipe, Insert)
    assert recipe.to_json() == stored
    assert recipe.digest == "c8bb146d0fd866f9e78f325616c04f9c"
    assert InsertMany.of([recipe]).placed == (("a1", 1, 2, 3, 4, "hard", 1.5),)
    faint = replace(recipe, opacity=0.5)
    assert faint.digest != recipe.digest
    assert recipe_from_json(faint.to_json()) == faint
    assert InsertMany.of([faint]).inserts == (faint,)
    with pytest.raises(UserError, match="feather"):
        recipe_from_json({key: value for key, value in stored.items() if key != "feather"})
