"""Events of cases whose recipe moves boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.case_events import case_events
from snellen.contract.questions import Answer
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Boxes, Image
from snellen.vision.detections import Detections
from snellen.vision.events import compare_predictions
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.truth.annotated_objects import AnnotatedObjects

SCENE = Scene("s", PictureArray(np.zeros((50, 100, 3), np.uint8)), (50, 100))


@dataclass(frozen=True)
class Lowered(Recipe):
    """Everything ten pixels further down."""

    kind: ClassVar[str] = "test-lowered"

    def build(self, scene: Scene, materials: Materials) -> Image:
        return np.roll(scene.pixels(), 10, axis=0)

    def moved_boxes(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> Boxes:
        return super().moved_boxes(boxes, size) + np.array([0, 10, 0, 10], np.float32)


def seen(*boxes: tuple[float, ...], masks: Masks | None = None) -> Detections:
    found = np.array(boxes, np.float32).reshape(-1, 4)
    scores = np.full(len(found), 0.9, np.float32)
    return Detections(found, np.zeros(len(found), np.int64), scores, masks)


def asked(recipe: Recipe, before: Detections, after: Detections) -> Asked:
    return Asked(SCENE, recipe, Answer(after), Answer(before))


HIGH, LOW = (10.0, 0.0, 30.0, 20.0), (10.0, 10.0, 30.0, 30.0)


def test_a_box_that_moves_with_its_recipe_is_the_same_object() -> None:
    assert case_events(asked(Lowered(), seen(HIGH), seen(LOW)), score=0.5) == ()


def test_a_lost_object_keeps_its_box_in_the_scene() -> None:
    [event] = case_events(asked(Lowered(), seen(HIGH), seen()), score=0.5)
    assert (event.kind, event.box, event.before) == ("lost", HIGH, 0)


def test_a_phantom_has_its_box_in_the_case() -> None:
    [event] = case_events(asked(Lowered(), seen(), seen(LOW)), score=0.5)
    assert (event.kind, event.box, event.after) == ("appeared", LOW, 0)


def test_without_a_move_they_are_the_events_of_the_two_answers() -> None:
    before, after = seen(HIGH, (60.0, 0.0, 80.0, 20.0)), seen(LOW)
    found = case_events(asked(Identity(), before, after), score=0.5, iou=0.6)
    assert found == compare_predictions(before, after, score=0.5, iou=0.6)


def test_masks_do_not_move_and_are_not_compared() -> None:
    masks = Masks.from_array(np.ones((1, 50, 100), bool))
    assert case_events(asked(Lowered(), seen(HIGH, masks=masks), seen(LOW)), score=0.5) == ()


def test_labels_have_no_place() -> None:
    cat, dog = (Answer(LabelVector(np.array(one, np.float32))) for one in ([0.9, 0.0], [0.0, 0.9]))
    assert case_events(Asked(SCENE, Lowered(), cat, cat), score=0.5) == ()
    assert case_events(Asked(SCENE, Lowered(), dog, cat), score=0.5) != ()


def annotated(*boxes: tuple[float, ...]) -> AnnotatedObjects:
    found = np.array(boxes, np.float32).reshape(-1, 4)
    return AnnotatedObjects(Annotations(found, np.zeros(len(found), np.int64)), np.ones(1, bool))


def test_annotations_are_moved_with_the_scene() -> None:
    """What was there all along is where the recipe moves it, and so is what is lost."""
    new = asked(Lowered(), seen(), seen(LOW))
    [event] = case_events(new, score=0.5, known=annotated(HIGH))
    assert (event.truth, event.severity) == ("there-all-along", "borderline")
    [event] = case_events(new, score=0.5, known=annotated())
    assert (event.truth, event.severity) == ("phantom", "hard")
    gone = asked(Lowered(), seen(HIGH), seen())
    [event] = case_events(gone, score=0.5, known=annotated(HIGH))
    assert (event.truth, event.severity, event.box) == ("object", "hard", HIGH)
    [event] = case_events(gone, score=0.5, known=annotated())
    assert (event.truth, event.severity) == ("mistake", "borderline")


def test_without_annotations_a_second_box_is_still_recognised() -> None:
    [event] = case_events(asked(Lowered(), seen(HIGH), seen(LOW, (10, 10, 30, 26))), score=0.5)
    assert (event.kind, event.truth, event.severity) == ("appeared", "second-box", "borderline")


def test_the_same_picture_must_get_the_same_answer_whatever_is_annotated() -> None:
    again = asked(Identity(), seen(HIGH), seen())
    [event] = case_events(again, score=0.5, known=annotated())
    assert (event.truth, event.severity) == (None, "hard")
