"""`sn.evaluate` compares classes by name, and says so where it can't."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snellen as sn
from snellen.errors import UserError
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import evaluate as evaluate_by_id

NAMES = ["cat", "dog", "cow"]
KNOWN: list[Any] = [
    ([[10, 10, 60, 50], [100, 20, 180, 90]], [0, 1]),
    ([[30, 30, 80, 90], [120, 10, 150, 60]], [0, 2]),
]
ANSWERED: list[Any] = [
    ([[11, 10, 60, 50], [100, 20, 175, 90]], [0, 1], [0.9, 0.8]),
    ([[30, 31, 80, 90], [120, 10, 149, 60], [5, 5, 20, 20]], [0, 2, 1], [0.7, 0.6, 0.4]),
]
TRUTHS = [Annotations(*one) for one in KNOWN]
FOUND = [Detections(*one) for one in ANSWERED]
EXPECTED = evaluate_by_id(FOUND, TRUTHS, classes=3)


@pytest.fixture(autouse=True)
def _no_silent_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def permuted(order: tuple[int, ...]) -> tuple[list[Detections], list[str]]:
    """The detections of a subject whose classes have another order."""
    place = np.argsort(order)
    return [replace(one, labels=place[one.labels]) for one in FOUND], [NAMES[id] for id in order]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_class_names_does_not_change_ap(order: tuple[int, ...]) -> None:
    found, names = permuted(order)
    result = sn.evaluate(found, TRUTHS, classes=names, truth_classes=NAMES)
    assert result.value() == EXPECTED.value()
    assert result.by_class().tolist() == EXPECTED.by_class().tolist(), "in the order of the truth"


def test_spelling_does_not_matter() -> None:
    names = ["Cat", "DOG", " cow"]
    assert sn.evaluate(FOUND, TRUTHS, classes=names, truth_classes=NAMES).value() == (
        EXPECTED.value()
    )


def test_classes_that_only_the_subject_has_do_not_count() -> None:
    extra = [
        replace(
            one,
            boxes=np.vstack([one.boxes, [[0, 0, 9, 9]]]),
            labels=np.append(one.labels, 3),
            scores=np.append(one.scores, 0.99),
        )
        for one in FOUND
    ]
    result = sn.evaluate(extra, TRUTHS, classes=[*NAMES, "zebra"], truth_classes=NAMES)
    assert result.value() == EXPECTED.value()


def test_classes_that_only_the_truth_has_are_named() -> None:
    found = [one[one.labels < 2] for one in FOUND]
    with pytest.warns(UserWarning, match="no class 'cow'; AP is over the 2 common classes"):
        result = sn.evaluate(found, TRUTHS, classes=NAMES[:2], truth_classes=NAMES)
    assert result.by_class().tolist() == EXPECTED.by_class()[:2].tolist()


def test_lists_without_a_common_name_are_refused() -> None:
    with pytest.raises(UserError, match="no class name in common: 'car', 'bus', 'van' and 'cat'"):
        sn.evaluate(FOUND, TRUTHS, classes=["car", "bus", "van"], truth_classes=NAMES)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"classes": NAMES}, r"truth_classes=\[...\]"),
        ({"truth_classes": NAMES}, r"pass classes=\[...\]"),
    ],
)
def test_names_of_one_side_alone_are_not_enough(names: dict[str, Any], said: str) -> None:
    with pytest.warns(UserWarning, match=said):
        assert sn.evaluate(FOUND, TRUTHS, **names).value() == EXPECTED.value()


def test_ids_that_mean_different_classes_are_noticed() -> None:
    """The former README gave an AP of 0.000 here, without a word."""
    found, _ = permuted((1, 2, 0))
    with pytest.warns(UserWarning, match="boxes match but labels do not"):
        assert sn.evaluate(found, TRUTHS).value() < 0.1
    assert sn.evaluate(FOUND, TRUTHS).value() == EXPECTED.value(), "no warning where ids agree"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"classes": NAMES[:2], "truth_classes": NAMES}, "label 2 in its detections"),
        ({"classes": NAMES, "truth_classes": NAMES[:2]}, "label 2 in its annotations"),
        ({"classes": ["cat", "Cat", "dog"], "truth_classes": NAMES}, "'cat' occurs twice"),
    ],
)
def test_lists_that_do_not_fit_the_labels_are_refused(given: dict[str, Any], said: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(UserError, match=said):
            sn.evaluate(FOUND, TRUTHS, **given)


def test_as_many_detections_as_images_are_needed() -> None:
    with pytest.raises(UserError, match="1 detections and 2 annotations"):
        sn.evaluate(FOUND[:1], TRUTHS)


def test_a_subject_is_asked_about_scenes_with_other_class_ids() -> None:
    scenes = sn.open_scenes("synthetic", count=3, seed=2, size=[144, 192])
    turned = sn.SceneSet(
        tuple(
            replace(one, annotations=replace(one.annotations, labels=5 - one.annotations.labels))
            for one in scenes
            if one.annotations is not None
        ),
        scenes.classes[::-1],
    )
    subject = sn.open_subject(kind="planted")
    assert sn.evaluate(subject, turned).value() == 1.0
    with pytest.raises(UserError, match="a subject is asked about scenes"):
        sn.evaluate(subject, [one.annotations for one in scenes if one.annotations is not None])


def test_scenes_without_annotations_are_refused(tmp_path: Path) -> None:
    scenes = sn.open_scenes("synthetic", count=1)
    bare = sn.SceneSet((replace(scenes[0], annotations=None),), scenes.classes)
    with pytest.raises(UserError, match="has no annotations"):
        sn.evaluate([Detections.empty()], bare)
