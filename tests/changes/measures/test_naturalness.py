"""Naturalness: HOG does not separate good pastes from bad ones, the seam does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from snellen.changes.identity import Identity
from snellen.changes.measures.naturalness import seam_visibility
from snellen.changes.measures.registry import take_measurements
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.reencode import Reencode
from snellen.objects.cutouts.alpha import cut_out
from snellen.objects.cutouts.cutout import Cutout
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.vision.arrays import AnyArray, Bytes
from snellen.vision.image_features.hog import hog_blocks, hog_intersection
from tests.changes.pastes import Shelf, disc, noise, scene_of

PASTES = 60
GOOD, BAD = ("feather", "matched", "poisson"), ("hard", "keyed")


@pytest.fixture(scope="module")
def real_pastes(shared: Callable[[str], Path]) -> list[tuple[Scene, Cutout, Insert]]:
    """Objects of coco_train128 at random sizes and places in scenes of coco_val64."""
    folder = shared("coco_train128")
    options: dict[str, Any] = {
        "kind": "coco",
        "annotations": str(folder / "instances_train2017.json"),
        "images": str(folder / "images"),
    }
    rng = np.random.default_rng(1)
    sources = open_scenes(options, folder, skip_invalid=True)
    cutouts = [cutout for scene in sources[:60] for cutout in whole_objects(scene)]
    scenes = list(
        open_scenes(
            {
                "kind": "coco",
                "annotations": str(shared("coco_val64/instances.json")),
                "images": str(shared("coco_val64/images")),
            },
            folder,
            skip_invalid=True,
        )
    )
    pastes: list[tuple[Scene, Cutout, Insert]] = []
    while len(pastes) < PASTES:
        scene = scene_of(scenes[rng.integers(len(scenes))].pixels())
        cutout = cutouts[rng.integers(len(cutouts))]
        height = int(rng.integers(30, 150))
        width = round(cutout.size[1] * height / cutout.size[0])
        if 16 <= width < scene.size[1] and height < scene.size[0]:
            x = int(rng.integers(scene.size[1] - width))
            y = int(rng.integers(scene.size[0] - height))
            pastes.append((scene, cutout, Insert(cutout.id, x, y, width, height)))
    return pastes


def whole_objects(scene: Scene) -> list[Cutout]:
    assert scene.annotations is not None
    assert scene.annotations.masks is not None
    image = scene.pixels()
    masks = scene.annotations.masks.to_array()
    return [cut_out(image, mask, "thing") for mask in masks if mask.sum() > 2500][:4]


def keyed(scene: Scene, cutout: Cutout, place: Insert) -> Bytes:
    """A paste as in MetaOD: white under the object, which bleeds into the edge when resized."""
    alpha = cutout.pixels[..., 3:] > 0
    straight = np.where(alpha, cutout.pixels[..., :3], np.uint8(255))
    size = place.width, place.height
    colours = cv2.resize(straight, size).astype(float)
    share = cv2.resize(alpha.astype(np.float32), size)[..., None]
    image = scene.pixels().copy()
    there = np.s_[place.y : place.y + place.height, place.x : place.x + place.width]
    image[there] = np.rint(image[there] * (1 - share) + colours * share)
    return image


def better(bad: AnyArray, good: AnyArray) -> tuple[float, float]:
    """How often a bad value exceeds a good one: over all pairs (AUC), and for the same paste."""
    table = (bad[:, None] > good).mean() + 0.5 * (bad[:, None] == good).mean()
    return float(table), float((bad > good).mean())


def test_the_seam_separates_bad_pastes_from_good_ones_and_hog_does_not(
    real_pastes: list[tuple[Scene, Cutout, Insert]],
) -> None:
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in (*GOOD, *BAD)}
    for scene, cutout, place in real_pastes:
        materials = {"objects": Shelf(cutout)}
        for name in found:
            blending = "hard" if name == "keyed" else name
            recipe = Insert(cutout.id, place.x, place.y, place.width, place.height, blending)
            image = (
                keyed(scene, cutout, place) if name == "keyed" else recipe.build(scene, materials)
            )
            asked = ("seam", "hog") if name in ("hard", "feather") else ("seam",)
            values = take_measurements(asked, scene, recipe, image, materials)
            found[name].append((values["seam"], values.get("hog", np.nan)))
    seams = {name: np.array(values)[:, 0] for name, values in found.items()}
    hogs = {name: np.array(values)[:, 1] for name, values in found.items()}
    for good in GOOD:
        for bad in BAD:
            among_all, of_the_same = better(seams[bad], seams[good])
            least = 0.97 if bad == "hard" else 0.88
            assert min(among_all, of_the_same) > least, (bad, good)
    assert np.median(seams["feather"]) < 0.05 < 0.3 < np.median(seams["hard"])
    among_all, _ = better(-hogs["hard"], -hogs["feather"])
    assert 0.4 < among_all < 0.6, "if HOG could tell them, the seam would not be needed"
    assert np.median(np.concatenate([hogs["hard"], hogs["feather"]])) > 0.95


def test_what_pastes_nothing_has_no_seam_and_keeps_its_gradients() -> None:
    scene = scene_of(cv2.GaussianBlur(noise(1, 140, 100, 3), (0, 0), 1.5))
    names = ("seam", "hog", "change")
    values = take_measurements(names, scene, Identity(), scene.pixels())
    assert values == {"seam": 0, "hog": 1, "change": 0}
    again = Reencode("jpeg", 90)
    values = take_measurements(names, scene, again, again.build(scene, {}))
    assert values["seam"] == 0
    assert 0.8 < values["hog"] < 1


def test_a_self_paste_has_the_seam_of_the_scene_itself() -> None:
    scene = scene_of(cv2.GaussianBlur(noise(2, 140, 100, 3), (0, 0), 1.5))
    cutout = disc(40, 40, (9, 9, 9), (0, 0, 0))
    materials = {"objects": Shelf(cutout)}
    for blending in (*GOOD, "hard"):
        recipe = Patch(cutout.id, 20, 30, 40, 44, 20, 30, blending)
        image = recipe.build(scene, materials)
        assert seam_visibility(scene, recipe, image, materials) < 0.1


@pytest.mark.parametrize("place", [(-10, 20), (70, -15), (95, 130), (30, 50)])
def test_an_object_that_sticks_out_is_measured_where_it_is_seen(place: tuple[int, int]) -> None:
    scene = scene_of(np.full((140, 100, 3), 40, dtype=np.uint8))
    cutout = disc(40, 40, (200, 200, 200), (0, 0, 0))
    materials = {"objects": Shelf(cutout)}
    recipe = Insert(cutout.id, *place, 36, 34, "hard")
    image = recipe.build(scene, materials)
    values = take_measurements(("seam", "hog"), scene, recipe, image, materials)
    assert values["seam"] == pytest.approx(1)
    whole = hog_intersection(hog_blocks(scene.pixels()), hog_blocks(image))
    assert values["hog"] == pytest.approx(whole, abs=1e-6)
