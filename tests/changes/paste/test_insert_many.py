"""Several insertions in one image equal the single ones, one after the other."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from snellen.changes.paste.insert import Blending, Insert
from snellen.changes.paste.insert_many import InsertMany
from snellen.changes.registry import recipe_from_json
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureArray, Scene

RNG = np.random.default_rng(4)
SCENE = Scene("noise", PictureArray(RNG.integers(0, 256, (60, 80, 3), dtype=np.uint8)), (60, 80))
CUTOUTS = [
    Cutout(name, np.dstack([np.full((9, 7, 3), value, np.uint8), np.full((9, 7), 255, np.uint8)]))
    for name, value in (("a", 20), ("b", 240))
]
MATERIALS = {"objects": MemoryLibrary(CUTOUTS)}


@pytest.mark.parametrize("blending", [one.value for one in Blending])
def test_it_builds_what_single_insertions_build_in_turn(blending: str) -> None:
    inserts = [
        Insert(CUTOUTS[0].id, 10, 12, 14, 18, blending),
        Insert(CUTOUTS[1].id, 15, 20, 14, 18, blending),
        Insert(CUTOUTS[0].id, 70, 50, 14, 18, blending),
    ]
    built = InsertMany.of(inserts).build(SCENE, MATERIALS)
    scene = SCENE
    for one in inserts:
        scene = replace(scene, picture=PictureArray(one.build(scene, MATERIALS)))
    assert np.array_equal(built, scene.pixels())
    assert not np.array_equal(built, InsertMany.of(inserts[::-1]).build(SCENE, MATERIALS))


def test_it_comes_back_from_the_journal_text() -> None:
    recipe = InsertMany.of([Insert(CUTOUTS[0].id, 1, 2, 3, 4, "hard", 0.0)])
    back = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert back == recipe
    assert back.digest == recipe.digest
    assert isinstance(back, InsertMany)
    assert back.inserts == recipe.inserts
