"""Recipes are small values: stored, sent and read back without loss."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from snellen.changes.augmented_view import AugmentedView
from snellen.changes.identity import Identity
from snellen.changes.measures.registry import mean_change, take_measurements
from snellen.changes.recipe import Materials, Recipe
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.scenes.scene import NoPicture, PictureArray, Scene
from snellen.subjects.subject import InputKind, Task
from snellen.vision.arrays import Image
from tests.changes.insert3d import streets3d

SCENE = Scene("grey", PictureArray(np.full((4, 6, 3), 100, dtype=np.uint8)), (4, 6))


@dataclass(frozen=True)
class Lighter(Recipe):
    kind: ClassVar[str] = "test-lighter"
    by: int
    corner: tuple[int, int] = (0, 0)

    def build(self, scene: Scene, materials: Materials) -> Image:
        return scene.pixels() + np.uint8(self.by)


def test_a_recipe_comes_back_from_json() -> None:
    assert recipe_from_json(json.loads(json.dumps(Identity().to_json()))) == Identity()


def test_the_digest_changes_with_kind_value_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = [Identity().digest, Lighter(1).digest, Lighter(2).digest, Lighter(1, (1, 0)).digest]
    assert len(set(digests)) == 4
    assert Lighter(1).digest == digests[1]
    monkeypatch.setattr(Lighter, "version", 2)
    assert Lighter(1).digest != digests[1], "a new version makes old predictions stale"


def test_a_recipe_of_another_shape_is_refused() -> None:
    with pytest.raises(UserError, match=r"has the fields \['by'\], expected \[\]"):
        recipe_from_json({"kind": "identity", "by": 3})
    with pytest.raises(UserError, match="unknown recipe kind 'identty'"):
        recipe_from_json({"kind": "identty"})


def test_a_subject_is_given_the_input_of_its_task_whatever_the_scene_has() -> None:
    scene = replace(streets3d.street(), picture=SCENE.picture, size=SCENE.size)
    frame = Lighter(7).build_input(scene, {}, Task.DETECTION_3D.input_kind)
    image = Lighter(7).build_input(scene, {}, Task.DETECTION.input_kind)
    assert isinstance(frame, Frame)
    assert frame.image is not None
    assert isinstance(image, np.ndarray), "a scene with a point cloud is an image for a detector"
    assert np.array_equal(frame.image, image)
    assert scene.sweep is not None
    assert np.array_equal(frame.points, scene.sweep.points()), "an image recipe moves no points"


def test_a_frame_without_an_image_keeps_its_points() -> None:
    scene = replace(streets3d.street(), picture=NoPicture("1"), size=(0, 0))
    frame = Lighter(7).build_input(scene, {}, InputKind.FRAME)
    assert isinstance(frame, Frame)
    assert frame.image is None


def test_a_frame_needs_a_point_cloud() -> None:
    with pytest.raises(UserError, match="scene 'grey' has no point cloud"):
        Lighter(7).build_input(SCENE, {}, InputKind.FRAME)


def test_boxes_stay_where_they_are_unless_a_recipe_moves_them() -> None:
    boxes = [[1, 0, 3, 2], [0, 0, 6, 4]]
    assert Lighter(7).moved_boxes(boxes, SCENE.size).tolist() == boxes
    assert Identity().moved_boxes([], SCENE.size).shape == (0, 4)
    assert AugmentedView(flip=True).moved_boxes(boxes, SCENE.size).tolist() == [
        [3, 0, 5, 2],
        [0, 0, 6, 4],
    ]


def test_an_image_is_contiguous() -> None:
    image = AugmentedView(flip=True).build_input(SCENE, {}, InputKind.IMAGE)
    assert isinstance(image, np.ndarray)
    assert image.flags.c_contiguous


def test_the_identity_is_the_scene() -> None:
    assert np.array_equal(Identity().build(SCENE, {}), SCENE.pixels())


def test_measurements_are_of_the_case_beside_its_scene() -> None:
    recipe = Lighter(7)
    image = recipe.build(SCENE, {})
    assert take_measurements(("change",), SCENE, recipe, image) == {"change": 7.0}
    assert mean_change(SCENE, recipe, image[:2]) == 255.0


def test_boxes_stay_where_they_are_unless_a_recipe_says_otherwise() -> None:
    given = np.array([[1, 2, 3, 4]], np.float32)
    moved = Lighter(1).moved_boxes(given, (4, 6))
    assert moved.tolist() == given.tolist()
    moved[:] = 0
    assert given.any(), "a copy"
    assert Identity().moved_boxes([], (4, 6)).shape == (0, 4)


def test_only_recipes_that_say_so_keep_the_objects_of_the_scene() -> None:
    assert Identity().keeps_objects
    assert not Lighter(1).keeps_objects
