"""The scene under a random mask, as a recipe."""

from __future__ import annotations

import json

import numpy as np
import pytest

from snellen.changes.registry import recipe_from_json
from snellen.changes.saliency_mask import SaliencyMask
from snellen.errors import UserError
from snellen.vision.saliency.random_masks import saliency_mask
from tests.changes.pastes import noise, scene_of

SCENE = scene_of(noise(1, 60, 80, 3))


def test_a_masked_scene_comes_back_from_json_to_the_bit() -> None:
    recipe = SaliencyMask(2**53 - 1, grid=(4, 6), keep=0.3, fill="mean")
    again = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe
    assert hash(again) == hash(recipe)
    assert again.digest == recipe.digest != SaliencyMask(2**53 - 1, grid=(6, 4), keep=0.3).digest
    assert np.array_equal(again.build(SCENE, {}), recipe.build(SCENE, {}))


@pytest.mark.parametrize("fill", ["#000000", "#ff8000", "mean"])
def test_pixels_are_the_scenes_where_shown_and_the_fill_where_hidden(fill: str) -> None:
    image = SaliencyMask(5, grid=(5, 5), fill=fill).build(SCENE, {})
    mask = saliency_mask(SCENE.size, 5, grid=(5, 5))
    pixels = SCENE.pixels()
    colour = pixels.mean(axis=(0, 1)) if fill == "mean" else np.array(list(bytes.fromhex(fill[1:])))
    assert image.dtype == np.uint8
    assert np.array_equal(image[mask == 1], pixels[mask == 1])
    assert np.abs(image[mask == 0] - colour).max() <= 0.5
    assert (mask == 0).any()
    assert (mask == 1).any()


def test_the_scene_itself_stays_as_it_is() -> None:
    before = SCENE.pixels().copy()
    SaliencyMask(5).build(SCENE, {})
    assert np.array_equal(SCENE.pixels(), before)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seed": -1}, "seed: found -1"),
        ({"grid": (0, 3)}, r"grid: found \[0, 3\]"),
        ({"keep": 0.0}, "keep: found 0.0"),
        ({"fill": "black"}, "fill: found 'black', expected #rrggbb or mean"),
    ],
)
def test_mistakes_are_reported(fields: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        SaliencyMask(**{"seed": 1, **fields})  # type: ignore[arg-type]
