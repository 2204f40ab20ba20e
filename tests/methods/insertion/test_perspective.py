"""Size follows perspective, and objects stand on ground like that of their target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.insertion.ground_line import fitted_line
from snellen.methods.insertion.options import Footing, InsertionOptions
from snellen.methods.insertion.perspective import Perspective
from snellen.methods.insertion.plan import InsertionScene, plan_insertions
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.objects.library.open_objects import pruned_as_published
from snellen.scenes.scene import PictureArray, PictureFile, Scene
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.truth.annotated_objects import AnnotatedObjects
from tests.objects.pictures import cutout

HORIZON, SIZE = 80.0, (300, 400)


def road(seed: int = 0) -> np.ndarray:
    """Grey ground below the horizon, blue sky above."""
    picture = np.zeros((*SIZE, 3), np.uint8)
    picture[: int(HORIZON)] = (90, 140, 230)
    picture[int(HORIZON) :] = (120, 118, 115)
    noise = np.random.default_rng(seed).integers(-3, 4, picture.shape)
    return np.clip(picture.astype(int) + noise, 0, 255).astype(np.uint8)


def standing(x: float, foot: float, slope: float = 0.5, ratio: float = 0.5) -> list[float]:
    height = slope * (foot - HORIZON)
    return [x, foot - height, x + ratio * height, foot]


BOXES = np.array([standing(40, 150), standing(120, 200), standing(300, 270)], dtype=np.float32)


@given(
    st.floats(0.1, 2), st.floats(-50, 100), st.lists(st.integers(110, 400), min_size=3, unique=True)
)
def test_a_line_is_recovered_or_none_is_given(
    slope: float, horizon: float, feet: list[int]
) -> None:
    found = fitted_line(np.array(feet, float), slope * (np.array(feet, float) - horizon))
    if found is not None:
        assert found.slope == pytest.approx(slope, rel=1e-3)
        assert found.horizon == pytest.approx(horizon, abs=0.5)
    else:
        assert np.ptp(feet) < 0.5 * np.median(slope * (np.array(feet) - horizon)) + 1e-6


def test_one_wrong_box_does_not_bend_the_line() -> None:
    feet = np.array([120.0, 150, 180, 210, 240, 270])
    heights = 0.5 * (feet - HORIZON)
    heights[2] *= 3
    found = fitted_line(feet, heights)
    assert found is not None
    assert found.slope == pytest.approx(0.5, rel=0.15)


@pytest.mark.parametrize(
    ("feet", "heights"),
    [
        ([100, 200], [10, 60]),
        ([200, 201, 202], [50, 60, 55]),
        ([100, 150, 200], [90, 60, 30]),
        ([100, 150, 200, 250], [10, 90, 20, 200]),
    ],
)
def test_too_little_support_gives_no_line(feet: list[float], heights: list[float]) -> None:
    assert fitted_line(np.array(feet, float), np.array(heights, float)) is None


def planned(pixels: np.ndarray, boxes: np.ndarray, **options: Any) -> list[Any]:
    scene = Scene("road", PictureArray(pixels), SIZE)
    count = len(boxes)
    objects = Detections(boxes, np.zeros(count, int), np.full(count, 0.9))
    given = {"footing": "perspective", "per_object": 8, "shadow": 0.4, **options}
    prepared = InsertionScene.of(scene, objects, ("person",), InsertionOptions(**given))
    library = MemoryLibrary([cutout("person", n, "other", (200, 100)) for n in range(3)])
    found = plan_insertions(prepared, library, {"person": 0}, np.random.default_rng(1))
    return [one.recipe for one in found]


def test_insertions_follow_the_line_and_stand_on_the_ground() -> None:
    recipes = planned(road(), BOXES)
    assert len(recipes) > 10
    for one in recipes:
        foot = one.y + one.height
        assert foot > HORIZON + 20
        expected = 0.5 * (foot - HORIZON)
        assert one.height == pytest.approx(expected, rel=0.12, abs=3)
    assert {one.shadow for one in recipes} == {0.4}


def test_beside_a_single_object_the_size_is_its_own() -> None:
    recipes = planned(road(), BOXES[1:2])
    assert recipes
    for one in recipes:
        assert one.height in (60, 51, 42), "whole, or smaller where there is no room"
        assert abs(one.y + one.height - 200) <= 6


def test_the_ground_must_look_like_that_under_the_target() -> None:
    """A red carpet to the right of the target is not stood on."""
    pixels = road()
    pixels[int(HORIZON) :, 160:] = (200, 20, 20)
    recipes = planned(pixels, BOXES[1:2])
    assert recipes
    assert all(one.x + 0.75 * one.width < 165 for one in recipes)


def test_where_feet_are_not_seen_nothing_stands_beside() -> None:
    rider = np.array([[100, 60, 130, 160], [60, 110, 170, 220]], dtype=np.float32)
    names = ("person", "horse")
    view = Perspective(road(), rider, names, None)
    assert view.standings("person", 0, False) == []
    assert view.standings("horse", 1, False) != []
    cut = Perspective(road(), np.array([[50, 100, 120, 299]], dtype=np.float32), ("person",), None)
    assert cut.standings("person", 0, False) == []


def test_the_top_of_a_drivable_mask_is_the_horizon() -> None:
    mask = np.zeros(SIZE, bool)
    mask[100:] = True
    view = Perspective(road(), BOXES[1:2], ("person",), mask)
    line = view.line("person", 0)
    assert line is not None
    assert line.horizon == 100
    assert line.height_at(200) == pytest.approx(60)


def test_other_labels_have_their_own_heights() -> None:
    view = Perspective(road(), BOXES, ("person",) * 3, None)
    people, cars = view.line("person", 0), view.line("car", 0)
    assert people is not None
    assert cars is not None
    assert cars.slope / people.slope == pytest.approx(1.5 / 1.7, rel=1e-6)
    assert view.height_beside("laptop", 0) is None


def test_photographs_and_generated_scenes_have_their_own_defaults(tmp_path: Path) -> None:
    options = InsertionOptions()
    generated = options.for_scene(Scene("s", PictureArray(road()), SIZE))
    photograph = options.for_scene(Scene("s", PictureFile(tmp_path / "x.png"), SIZE))
    assert (generated.footing, generated.shadow) == (Footing.ANYWHERE, 0)
    assert (photograph.footing, photograph.shadow) == (Footing.PERSPECTIVE, 0.4)
    own = InsertionOptions(shadow=0.1).for_scene(Scene("s", PictureFile(tmp_path / "x.png"), SIZE))
    assert own.shadow == 0.1


def test_as_published_pastes_and_prunes_as_published() -> None:
    options = InsertionOptions(as_published=True, blending="natural", shadow=0.5).published()
    assert (options.blending, options.shadow, options.footing) == ("hard", 0, "anywhere")
    given = {"kind": "coco", "annotations": "a.json", "images": "i", "prune": "quality"}
    assert pruned_as_published(given)["prune"] == "published"
    assert pruned_as_published(given)["recognise"] is False
    assert pruned_as_published({"kind": "library", "path": "x"}) == {"kind": "library", "path": "x"}


def truths(box: list[float], label: int) -> AnnotatedObjects:
    return AnnotatedObjects(Annotations(np.array([box]), np.array([label])), np.ones(3, bool))


@pytest.mark.parametrize(("label", "places"), [(0, True), (1, False)])
def test_a_detection_that_is_annotated_as_something_else_gives_no_size(
    label: int, places: bool
) -> None:
    """A dog that the subject takes for a cow would have cows of the size of a dog beside it."""
    box = [120.0, 140, 200, 200]
    known, labels = truths(box, label), np.zeros(1, np.int64)
    view = Perspective(road(), np.array([box], np.float32), ("cow",), None, labels, known)
    assert bool(view.standings("cow", 0, False)) is places


def test_an_unannotated_detection_gives_its_size() -> None:
    known, labels = truths([10.0, 140, 60, 200], 1), np.zeros(1, np.int64)
    box = np.array([[120, 140, 200, 200]], np.float32)
    assert Perspective(road(), box, ("cow",), None, labels, known).standings("cow", 0, False)


def test_who_sits_or_lies_is_no_measure_of_who_stands() -> None:
    lying = np.array([[120, 140, 220, 200]], np.float32)
    assert not Perspective(road(), lying, ("person",), None).standings("person", 0, False)
    assert Perspective(road(), lying, ("cow",), None).standings("cow", 0, False)


@pytest.mark.parametrize("label", ["clock", "tennis racket", "bird"])
def test_what_hangs_or_is_held_has_no_place(label: str) -> None:
    box = np.array([[120, 140, 160, 200]], np.float32)
    assert not Perspective(road(), box, (label,), None).standings(label, 0, True)


def test_custom_labels_are_as_high_as_their_target() -> None:
    box = np.array([[120, 140, 160, 200], [200, 100, 220, 120]], np.float32)
    view = Perspective(road(), box, ("drone", "drone"), None)
    assert view.height_beside("pylon", 0) == 60
    mixed = Perspective(road(), box, ("drone", "pylon"), None)
    assert mixed.height_beside("pylon", 0) is None, "the scene's own pylon is gone by"
    assert Perspective(road(), box, ("cup", "car"), None).height_beside("bottle", 0) is None


def test_small_pictures_get_small_objects() -> None:
    small = np.array([[120, 184, 128, 200]], np.float32)
    assert Perspective(road(), small, ("car",), None).least == 16
    assert Perspective(road(), BOXES, ("car",) * 3, None).least == 24
