"""Crests of a scene are found once, and are those of the scene that is asked about."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.colour_matching import surrounding_palette
from snellen.changes.paste.scene_crests import HELD, scene_crests
from snellen.vision.image_features.edge_blur import EdgeCrests, crests_of


def scene(seed: int, *, writeable: bool = False) -> np.ndarray:
    image = np.random.default_rng(seed).integers(0, 256, (60, 80, 3)).astype(np.uint8)
    image.flags.writeable = writeable
    return image


def same_crests(one: EdgeCrests, other: EdgeCrests) -> bool:
    names = ("rows", "columns", "slope", "ratio")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_a_scene_gets_its_own_crests_however_many_there_are() -> None:
    """Also where the memory of a forgotten scene is used for the next."""
    for seed in range(3 * HELD):
        image = scene(seed)
        for _ in range(2):
            for found, expected in zip(scene_crests(image), crests_of(image), strict=True):
                assert same_crests(found, expected)


def test_crests_are_found_once() -> None:
    image = scene(1)
    assert scene_crests(image)[0] is scene_crests(image)[0]


def test_an_image_that_may_change_is_not_cached() -> None:
    image = scene(1, writeable=True)
    before = scene_crests(image)[0]
    image[20:40] = 0
    assert not same_crests(scene_crests(image)[0], before)


def test_the_surroundings_look_the_same_from_the_cache() -> None:
    alpha = np.full((20, 20), 255, np.uint8)
    fixed, changeable = scene(2), scene(2, writeable=True)
    pairs = [surrounding_palette(one, alpha, 30, 20, blur=True) for one in (fixed, changeable)]
    first, second = pairs
    assert first is not None
    assert second is not None
    assert first.blur == second.blur
    assert np.array_equal(first.mean, second.mean)
