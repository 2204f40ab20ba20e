"""The look of a scene is found once, and is those of the scene that is asked about."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.scene_look import HELD, SceneLook, scene_look, surrounding_palette


def scene(seed: int, *, writeable: bool = False) -> np.ndarray:
    image = np.random.default_rng(seed).integers(0, 256, (60, 80, 3)).astype(np.uint8)
    image.flags.writeable = writeable
    return image


def same_look(one: SceneLook, other: SceneLook) -> bool:
    names = ("rows", "columns", "slope", "ratio")
    pairs = zip(one.crests, other.crests, strict=True)
    edges = all(np.array_equal(getattr(a, n), getattr(b, n)) for a, b in pairs for n in names)
    return edges and one.chroma == other.chroma and np.array_equal(one.cast, other.cast)


def test_a_scene_gets_its_own_look_however_many_there_are() -> None:
    """Also where the memory of a forgotten scene is used for the next."""
    for seed in range(3 * HELD):
        image = scene(seed)
        for _ in range(2):
            assert same_look(scene_look(image), SceneLook.of(image))


def test_a_look_is_found_once() -> None:
    image = scene(1)
    assert scene_look(image) is scene_look(image)


def test_an_image_that_may_change_is_not_cached() -> None:
    image = scene(1, writeable=True)
    before = scene_look(image)
    image[20:40] = 0
    assert not same_look(scene_look(image), before)


def test_the_surroundings_look_the_same_from_the_cache() -> None:
    alpha = np.full((20, 20), 255, np.uint8)
    fixed, changeable = scene(2), scene(2, writeable=True)
    pairs = [surrounding_palette(one, alpha, 30, 20, blur=True) for one in (fixed, changeable)]
    first, second = pairs
    assert first is not None
    assert second is not None
    assert first.blur == second.blur
    assert np.array_equal(first.mean, second.mean)
