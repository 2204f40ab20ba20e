"""A contact shadow darkens the ground at the base alone, the same for an object and its control."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.contact_shadow import base_shadow, shadow_reach, with_shadow
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.insert_many import InsertMany
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from tests.changes.pastes import Shelf, disc, scene_of

GREY = np.full((120, 160, 3), 150, dtype=np.uint8)


def test_only_the_ground_at_the_base_is_darkened() -> None:
    alpha = np.full((60, 40), 255, np.uint8)
    dark = with_shadow(GREY, base_shadow(alpha), alpha.shape, 50, 30, 0.4)
    beside, below = shadow_reach(40, 60)
    changed = np.argwhere((dark != GREY).any(axis=2))
    assert changed[:, 0].max() < 90 + below
    assert changed[:, 0].min() >= 90 - 2 * round(0.12 * 60), "nothing beside the upper part"
    assert changed[:, 1].min() >= 50 - beside
    assert changed[:, 1].max() < 90 + beside
    assert dark.max() == 150
    assert dark.min() == 90, "40% of the light at its darkest"


def test_what_does_not_touch_the_ground_casts_no_contact_shadow_there() -> None:
    alpha = np.zeros((60, 40), np.uint8)
    alpha[:, :10] = 255  # a pole on the left, that carries
    alpha[:20] = 255  # a sign
    dark = with_shadow(GREY, base_shadow(alpha), alpha.shape, 50, 30, 0.4)
    assert dark[89, 54, 0] < 120
    assert dark[89, 80, 0] > 148


def test_the_control_of_an_insertion_casts_the_same_shadow() -> None:
    cutout = disc(40, 40, (10, 200, 30), (0, 0, 0))
    shelf = {"objects": Shelf(cutout)}
    scene = scene_of(GREY)
    for blending in ("feather", "natural"):
        insert = Insert(cutout.id, 60, 40, 40, 40, blending, shadow=0.5).build(scene, shelf)
        patch = Patch(cutout.id, 60, 40, 40, 40, 5, 5, blending, shadow=0.5).build(scene, shelf)
        outside = np.ones(GREY.shape[:2], bool)
        outside[40:80, 60:100] = False
        assert (insert != GREY)[outside].any()
        assert np.array_equal(insert[outside], patch[outside])


def test_a_natural_self_paste_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (120, 160, 3), dtype=np.uint8)
    cutout = disc(40, 40, (10, 200, 30), (0, 0, 0))
    same = Patch(cutout.id, 60, 40, 40, 40, 60, 40, "natural")
    assert np.array_equal(same.build(scene_of(pixels), {"objects": Shelf(cutout)}), pixels)


def test_a_recipe_without_a_shadow_is_stored_as_before_and_one_with_it_comes_back() -> None:
    plain = Insert("a", 1, 2, 3, 4)
    assert "shadow" not in plain.to_json()
    recipes: list[Recipe] = [
        Insert("a", 1, 2, 3, 4, shadow=0.4),
        Patch("a", 1, 2, 3, 4, 5, 6, shadow=0.4),
        InsertMany.of([plain, Insert("b", 1, 2, 3, 4, shadow=0.4)]),
    ]
    for recipe in recipes:
        assert recipe_from_json(recipe.to_json()) == recipe
    assert InsertMany.of([Insert("b", 1, 2, 3, 4, shadow=0.4)]).inserts[0].shadow == 0.4
    assert len(InsertMany.of([plain]).placed[0]) == 7


def test_a_natural_object_is_blurred_as_its_surroundings_are_and_grey_in_grey_scenes() -> None:
    import cv2

    from snellen.vision.image_features.edge_blur import edge_blur

    rows, columns = np.indices((160, 160)) // 10
    board = np.where((rows + columns) % 2, 60, 200).astype(np.uint8)
    sharp = np.dstack([board] * 3)
    soft = cv2.GaussianBlur(sharp, (0, 0), 2.5)
    pixels = np.dstack([sharp[:60, :60], np.full((60, 60), 255, np.uint8)])
    pixels[..., 0] = np.minimum(pixels[..., 0], 90)  # turquoise
    from snellen.objects.cutouts.cutout import Cutout

    cutout = Cutout("board", pixels)
    case = Insert(cutout.id, 50, 50, 60, 60, "natural").build(
        scene_of(soft), {"objects": Shelf(cutout)}
    )
    inside = np.zeros((160, 160), bool)
    inside[56:104, 56:104] = True
    feathered = Insert(cutout.id, 50, 50, 60, 60, "feather").build(
        scene_of(soft), {"objects": Shelf(cutout)}
    )
    after, before = edge_blur(case, inside), edge_blur(feathered, inside)
    assert after is not None
    assert before is not None
    assert after > 1.3 * before
    chroma = np.ptp(case[60:100, 60:100].astype(int), axis=2).mean()
    assert chroma < 0.3 * np.ptp(feathered[60:100, 60:100].astype(int), axis=2).mean()
