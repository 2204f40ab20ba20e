"""Slopes of a scene are computed once, and are those of the scene that is asked about."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.colour_matching import surrounding_palette
from snellen.changes.paste.scene_slopes import HELD, scene_slopes
from snellen.vision.image_features.edge_blur import slopes_of


def scene(seed: int, *, writeable: bool = False) -> np.ndarray:
    image = np.random.default_rng(seed).integers(0, 256, (60, 80, 3)).astype(np.uint8)
    image.flags.writeable = writeable
    return image


def test_a_scene_gets_its_own_slopes_however_many_there_are() -> None:
    """Also where the memory of a forgotten scene is used for the next."""
    for seed in range(3 * HELD):
        image = scene(seed)
        for _ in range(2):
            for found, expected in zip(scene_slopes(image), slopes_of(image), strict=True):
                assert np.array_equal(found, expected)


def test_slopes_are_computed_once() -> None:
    image = scene(1)
    assert scene_slopes(image)[0] is scene_slopes(image)[0]


def test_an_image_that_may_change_is_not_cached() -> None:
    image = scene(1, writeable=True)
    before = scene_slopes(image)[0].copy()
    image[20:40] = 0
    assert not np.array_equal(scene_slopes(image)[0], before)


def test_the_surroundings_look_the_same_from_the_cache() -> None:
    alpha = np.full((20, 20), 255, np.uint8)
    fixed, changeable = scene(2), scene(2, writeable=True)
    pairs = [surrounding_palette(one, alpha, 30, 20, blur=True) for one in (fixed, changeable)]
    first, second = pairs
    assert first is not None
    assert second is not None
    assert first.blur == second.blur
    assert np.array_equal(first.mean, second.mean)
