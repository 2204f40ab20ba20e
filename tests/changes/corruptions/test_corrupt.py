"""Recipes of corruptions: to a level, and to a wanted visual change."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import pytest
from cachetools import LRUCache, cached

from snellen.changes.corruptions import corrupt
from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.measures.registry import take_measurements
from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.scenes.scene import PictureArray, Scene
from tests.changes.corruptions.photographs import photograph


def scene_of(seed: int, height: int = 150, width: int = 200) -> Scene:
    return Scene(str(seed), PictureArray(photograph(seed, height, width)), (height, width))


def with_empty_cache(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    remember = cached(LRUCache(size), key=corrupt._key, lock=Lock())
    monkeypatch.setattr(corrupt, "_calibration", remember(corrupt._calibration.__wrapped__))


SCENE = scene_of(11)


@pytest.mark.parametrize(
    "recipe",
    [
        Corrupt("frost", 1 / 3, 7),
        Corrupt("fog", 0),
        CorruptTo("rain", 0.3),
        CorruptTo("contrast", 0.9, "vifp(sigma_nsq=0.4)", 3),
    ],
)
def test_a_recipe_comes_back_from_json_with_the_same_pixels(recipe: Recipe) -> None:
    back = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert back == recipe
    assert back.digest == recipe.digest
    assert np.array_equal(back.build(SCENE, {}), recipe.build(SCENE, {}))


def test_a_level_is_the_corruption_at_that_level() -> None:
    expected = corruption("spatter").change(SCENE.pixels(), 0.7, 5)
    assert np.array_equal(Corrupt("spatter", 0.7, 5).build(SCENE, {}), expected)


def test_no_visual_change_is_the_scene_itself() -> None:
    for name in CORRUPTIONS.kinds():
        assert np.array_equal(CorruptTo(name, 0.0).build(SCENE, {}), SCENE.pixels()), name


@pytest.mark.parametrize("name", CORRUPTIONS.kinds())
def test_the_wanted_visual_change_is_met(name: str) -> None:
    off = []
    for wanted in np.arange(0.1, 1, 0.1):
        recipe = CorruptTo(name, float(wanted), "vifp(sigma_nsq=0.4)", 2)
        found = take_measurements(("delta_v", "level"), SCENE, recipe, recipe.build(SCENE, {}), {})
        assert found["level"] == pytest.approx(recipe.level_in(SCENE), abs=1e-6)
        if recipe.calibration(SCENE).reaches(float(wanted)):
            off.append(abs(found["delta_v"] - wanted))
    assert len(off) >= 5
    assert np.mean(off) < 0.03
    assert max(off) < 0.1


def test_beyond_reach_it_is_the_level_that_changes_most() -> None:
    recipe = CorruptTo("brightness", 1.0)
    calibration = recipe.calibration(SCENE)
    assert calibration.reach < 1
    found = take_measurements(("delta_v",), SCENE, recipe, recipe.build(SCENE, {}), {})
    assert found["delta_v"] == pytest.approx(calibration.reach, abs=1e-5)


def test_many_visual_changes_of_a_scene_take_one_calibration_of_7_evaluations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_empty_cache(monkeypatch, 10)
    fog, changed = corruption("fog"), []

    class Counted:
        start, scale = fog.start, fog.scale

        def change(self, *asked: object) -> object:
            changed.append(asked)
            return fog.change(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(corrupt, "corruption", lambda name: Counted())
    scene = scene_of(12)
    for wanted in (0.2, 0.4, 0.6):
        CorruptTo("fog", wanted).build(scene, {})
    assert len(changed) <= 7 + 3


def test_the_case_does_not_depend_on_what_was_asked_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipes = [
        CorruptTo(name, v, seed=s) for name in ("fog", "snow") for v in (0.3, 0.7) for s in (0, 1)
    ]
    scenes = [scene_of(seed, 64, 80) for seed in (1, 2)]
    asked = [(scene, recipe) for scene in scenes for recipe in recipes]

    def built(order: list[tuple[Scene, CorruptTo]], most: int) -> dict[tuple[str, str], bytes]:
        with_empty_cache(monkeypatch, most)
        with ThreadPoolExecutor(3) as threads:
            cases = threads.map(lambda pair: pair[1].build(pair[0], {}).tobytes(), order)
            keys = [(scene.id, recipe.digest) for scene, recipe in order]
            return dict(zip(keys, cases, strict=True))

    assert built(asked, 100) == built(asked[::-1], 1)


def test_a_measure_without_its_defaults_is_the_same_recipe() -> None:
    assert CorruptTo("fog", 0.5, "vifp") == CorruptTo("fog", 0.5, "vifp( sigma_nsq = 2.0 )")
    assert CorruptTo("fog", 0.5, "vifp").digest != CorruptTo("fog", 0.5, "ssim").digest


def test_what_makes_no_sense_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        UserError, match="corruption: unknown corruption 'fogg'; did you mean 'fog'"
    ):
        Corrupt("fogg", 0.5)
    with pytest.raises(UserError, match=r"level: found 1\.5, expected a number from 0"):
        Corrupt("fog", 1.5)
    with pytest.raises(UserError, match="delta_v: found -1, expected a number from 0 to 1"):
        CorruptTo("fog", -1)
    with pytest.raises(UserError, match="seed: found -3"):
        CorruptTo("fog", 0.1, seed=-3)
    with pytest.raises(UserError, match="did you mean 'vifp'"):
        CorruptTo("fog", 0.1, "vif")
