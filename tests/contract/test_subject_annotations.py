"""What is annotated, in the subject's own labels."""

from __future__ import annotations

import numpy as np

from snellen.contract.subject_annotations import annotated_objects, label_map, present_in, truths_of
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations

BOXES = np.array([[0, 0, 4, 4], [4, 0, 8, 4], [0, 4, 4, 8]], dtype=np.float32)
PICTURE = PictureArray(np.zeros((8, 8, 3), dtype=np.uint8))
SCENE = Scene("s", PICTURE, (8, 8), Annotations(BOXES, np.array([0, 1, 2])))
SCENES = SceneSet((SCENE,), ("Traffic_Light", "unicorn", "dog"))
CLASSES = ("dog", "cat", "traffic light")


def test_labels_are_mapped_by_name() -> None:
    labels = label_map(SCENES, CLASSES)
    assert labels.tolist() == [2, -1, 0]
    truths = truths_of(SCENE, labels)
    assert truths is not None
    assert truths.labels[[0, 2]].tolist() == [2, 0]


def test_an_object_without_a_label_need_not_be_found() -> None:
    truths = truths_of(SCENE, label_map(SCENES, CLASSES))
    assert truths is not None
    assert truths.ignore.tolist() == [False, True, False]
    assert present_in(truths, 3).tolist() == [True, False, True]


def test_an_unannotated_scene_has_no_truths() -> None:
    assert truths_of(Scene("s", PICTURE, (8, 8)), label_map(SCENES, CLASSES)) is None


def test_it_is_known_which_classes_are_annotated() -> None:
    known = annotated_objects(SCENE, label_map(SCENES, CLASSES), len(CLASSES))
    assert known is not None
    assert known.annotated.tolist() == [True, False, True], "nobody annotated cats"
    assert known.counted.tolist() == [True, False, True]
    bare = Scene("s", PICTURE, (8, 8))
    assert annotated_objects(bare, label_map(SCENES, CLASSES), len(CLASSES)) is None
