from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycocotools import mask as coco_mask

from snellen.errors import SubjectError
from snellen.subjects.answers.prediction_checks import (
    checked_batch,
    checked_prediction,
    detections_of,
)
from snellen.subjects.multilabel_classifier import as_classifier
from snellen.subjects.planted import PerfectSubject
from snellen.subjects.subject import Task
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks

SIZE = (20, 30)
CLASSES = ("cat", "dog", "bird")
GOOD: dict[str, Any] = {
    "boxes": [[1, 2, 11, 12], [5, 5, 29, 19]],
    "labels": [0, 2],
    "scores": [0.9, 0.4],
}
EXPECTED = Detections(GOOD["boxes"], GOOD["labels"], GOOD["scores"])


def detections(answer: object, task: Task = Task.DETECTION) -> Detections:
    found = checked_prediction(answer, SIZE, CLASSES, task)
    assert isinstance(found, Detections)
    return found


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        {**GOOD, "labels": ["cat", "bird"]},
        {**GOOD, "labels": np.array(["cat", "bird"])},
        {**GOOD, "labels": np.array([0.0, 2.0])},
        {name: np.array(value) for name, value in GOOD.items()},
        {**GOOD, "note": "what else a subject says does not matter"},
        SimpleNamespace(**GOOD),
        SimpleNamespace(**{**GOOD, "scores": [[0.9, 0.1, 0], [0.3, 0.5, 0.4]]}),
        EXPECTED,
    ],
    ids=["lists", "names", "name array", "float ids", "arrays", "extra", "object", "NxC", "own"],
)
def test_every_spelling_of_an_answer_means_the_same(answer: object) -> None:
    assert detections(answer) == EXPECTED


def test_tensors_with_gradients_are_read() -> None:
    torch = pytest.importorskip("torch")
    answer = {
        "boxes": torch.tensor(GOOD["boxes"], dtype=torch.float32, requires_grad=True),
        "labels": torch.tensor(GOOD["labels"]),
        "scores": torch.tensor(GOOD["scores"], requires_grad=True),
    }
    assert detections(answer) == EXPECTED


@pytest.mark.parametrize("empty", [[], np.zeros((0, 4)), np.zeros(0)])
def test_nothing_seen_is_an_answer(empty: object) -> None:
    assert len(detections({"boxes": empty, "labels": [], "scores": []})) == 0


def test_a_box_that_sticks_out_is_clipped_to_the_image() -> None:
    answer = {"boxes": [[-3, -4, 40, 50]], "labels": [0], "scores": [1]}
    assert detections(answer).boxes.tolist() == [[0, 0, 30, 20]]


def test_a_score_past_the_end_by_rounding_is_put_on_it() -> None:
    answer = {**GOOD, "scores": [1 + 5e-7, -5e-7]}
    assert detections(answer).scores.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": [0.9]}, "2 boxes, 2 labels, 1 scores"),
        ({"labels": [0]}, "2 boxes, 1 labels, 2 scores"),
        ({"scores": [0.9, np.nan]}, r"scores\[1\] is nan, expected a finite number"),
        ({"boxes": [[0, 0, 5, 5], [0, np.inf, 5, 5]]}, r"boxes\[1, 1\] is inf"),
        ({"scores": [90, 40]}, r"scores\[0\] is 90, .*from 0 to 1.*percentages"),
        ({"scores": [0.9, -0.1]}, r"scores\[1\] is -0.1"),
        ({"scores": [[0.9], [0.4]]}, r"scores have shape \(2, 1\)"),
        ({"scores": "high"}, "scores: found 'high', expected an array of numbers"),
        ({"scores": None}, "scores"),
        ({"labels": [0, 3]}, r"labels\[1\] is 3, expected 0 to 2"),
        ({"labels": [-1, 0]}, r"labels\[0\] is -1"),
        ({"labels": [0.5, 0]}, "expected integers or names"),
        ({"labels": ["cat", "brid"]}, r"labels\[1\] is 'brid'.*did you mean 'bird'"),
        ({"labels": [[0], [1]]}, r"labels have shape \(2, 1\)"),
        ({"boxes": [[0, 0, 5, 5], [9, 2, 9, 8]]}, r"box 1 is \[9, 2, 9, 8\].*x2 > x1"),
        ({"boxes": [[5, 5, 2, 9], [0, 0, 1, 1]]}, r"box 0 is \[5, 5, 2, 9\]"),
        ({"boxes": [[0, 0, 5, 5], [31, 0, 40, 9]]}, "box 1 .*outside the image of 30x20"),
        ({"boxes": [[0, 0, 5, 5], [0, -9, 5, 0]]}, "box 1 .*outside"),
        ({"boxes": [1, 2, 3, 4]}, r"boxes have shape \(4,\), expected \(N, 4\)"),
        ({"boxes": [[1, 2, 3], [1, 2, 3]]}, r"boxes have shape \(2, 3\)"),
        ({"boxes": [[1, 2, 3, 4], [1, 2]]}, "boxes: found"),
        ({"masks": np.ones((2, 5, 5), bool)}, r"masks have \(height, width\) \(5, 5\)"),
        ({"masks": np.ones((1, 20, 30), bool)}, "2 boxes.*1 masks"),
        ({"masks": np.ones((20, 30), bool)}, r"masks have shape \(20, 30\)"),
        ({"masks": [{"size": [20, 30], "counts": [5]}] * 2}, "masks: .*add up to 5"),
        ({"masks": [{"size": [20, 30]}] * 2}, "'counts' is missing"),
    ],
)
def test_an_answer_that_makes_no_sense_says_what_is_wrong(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(SubjectError, match=message):
        detections({**GOOD, **change})


@pytest.mark.parametrize("answer", [None, 3, "cat", [1, 2], object()])
def test_what_is_no_answer_at_all_is_named(answer: object) -> None:
    with pytest.raises(SubjectError, match=f"is {type(answer).__name__}, expected Detections"):
        detections(answer)


def test_a_missing_field_is_named_with_those_found() -> None:
    with pytest.raises(SubjectError, match="no 'scores'; found the keys boxes, labels, confidence"):
        detections({"boxes": [], "labels": [], "confidence": []})


def spelt_masks(array: np.ndarray[Any, Any]) -> list[object]:
    encoded = [coco_mask.encode(np.asfortranarray(one.astype(np.uint8))) for one in array]
    lists = [{"size": [20, 30], "counts": Masks.from_array(array).runs[i]} for i in range(2)]
    return [array, array.astype(np.uint8), array[:, None] * 0.9, encoded, lists]


def test_every_spelling_of_masks_means_the_same() -> None:
    array = np.zeros((2, 20, 30), dtype=bool)
    array[0, 2:12, 1:11] = array[1, 5:19, 5:29] = True
    for masks in (*spelt_masks(array), Masks.from_array(array)):
        found = detections({**GOOD, "masks": masks}, Task.SEGMENTATION)
        assert found.masks is not None
        np.testing.assert_array_equal(found.masks.to_array(), array)


def test_a_segmenter_without_masks_is_told_so() -> None:
    with pytest.raises(SubjectError, match="masks"):
        detections(GOOD, Task.SEGMENTATION)
    with pytest.raises(SubjectError, match="no masks, but the task is segmentation"):
        detections(EXPECTED, Task.SEGMENTATION)


def test_a_segmenter_may_see_nothing() -> None:
    nothing: dict[str, Any] = {"boxes": [], "labels": [], "scores": [], "masks": []}
    assert detections(nothing, Task.SEGMENTATION).masks == Masks.empty(SIZE)


@pytest.mark.parametrize(
    "answer",
    [[0.5, 0, 1], np.array([0.5, 0, 1]), {"bird": 1, "cat": 0.5}, LabelVector([0.5, 0, 1])],  # type: ignore[arg-type]
    ids=["list", "array", "names", "own"],
)
def test_every_spelling_of_label_scores_means_the_same(answer: object) -> None:
    found = checked_prediction(answer, SIZE, CLASSES, Task.LABELS)
    assert isinstance(found, LabelVector)
    assert found.scores.tolist() == [0.5, 0, 1]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5, 0.5], r"shape \(2,\), expected one for each of 3 classes"),
        ({"brid": 1}, "'brid' is not one of the classes; did you mean 'bird'"),
        ([0.5, np.nan, 0], r"scores\[1\] is nan"),
        ([0.5, 7, 0], r"scores\[1\] is 7"),
        (None, "scores"),
    ],
)
def test_label_scores_that_make_no_sense_say_what_is_wrong(answer: object, message: str) -> None:
    with pytest.raises(SubjectError, match=message):
        checked_prediction(answer, SIZE, CLASSES, Task.LABELS)


IMAGES = [np.zeros((20, 30, 3), dtype=np.uint8)] * 2


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([GOOD], "1 predictions for 2 images"),
        ([GOOD] * 3, "3 predictions for 2 images"),
        (None, "returned NoneType, expected a list"),
        (GOOD, "returned dict, expected a list"),
        (iter([GOOD, GOOD]), "expected a list"),
        ([GOOD, {**GOOD, "scores": [2, 2]}], r"answer 2 of 2: scores\[0\] is 2"),
    ],
)
def test_a_batch_needs_one_answer_for_each_image(answers: object, message: str) -> None:
    with pytest.raises(SubjectError, match=message):
        checked_batch(answers, IMAGES, CLASSES, Task.DETECTION)


def test_a_batch_of_score_rows_is_one_vector_an_image() -> None:
    rows = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], dtype=np.float32)
    found = checked_batch(rows, IMAGES, CLASSES, Task.LABELS)
    assert found == [LabelVector(row) for row in rows]


def test_a_classifier_is_not_taken_for_a_detector() -> None:
    with pytest.raises(SubjectError, match="answered with LabelVector, expected Detections"):
        detections_of(as_classifier(PerfectSubject()), IMAGES)


edges = st.floats(-50, 80, width=32)


@given(st.lists(st.tuples(edges, edges, edges, edges), max_size=5))
def test_what_passes_lies_inside_the_image_and_has_an_area(
    rows: list[tuple[float, float, float, float]],
) -> None:
    answer = {"boxes": rows, "labels": [0] * len(rows), "scores": [0.5] * len(rows)}
    sane = all(min(x2, 30) > max(x1, 0) and min(y2, 20) > max(y1, 0) for x1, y1, x2, y2 in rows)
    if not sane:
        with pytest.raises(SubjectError, match="box"):
            detections(answer)
        return
    boxes = detections(answer).boxes
    assert ((boxes >= 0) & (boxes <= [30, 20, 30, 20])).all()
    assert (boxes[:, 2:] > boxes[:, :2]).all()
    for box, row in zip(boxes, rows, strict=True):
        inner = [max(row[0], 0), max(row[1], 0), min(row[2], 30), min(row[3], 20)]
        assert box.tolist() == inner
