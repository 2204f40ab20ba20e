"""A planted classifier: correct on overlapping objects, wrong exactly where configured."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from snellen.changes.paste.stencil import cut_stencil
from snellen.errors import SubjectError, UserError
from snellen.objects.cutouts.alpha import cut_out
from snellen.objects.cutouts.cutout import Cutout
from snellen.scenes.synthetic.generator import CLASSES, SyntheticOptions, synthetic_scenes
from snellen.subjects.planted import (
    CorrelatedClassifier,
    Correlation,
    Habit,
    PerfectClassifier,
    PerfectSubject,
    PlantedOptions,
    open_planted,
)
from snellen.subjects.planted.label_reader import read_labels
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Image
from snellen.vision.label_vector import LabelVector

Box = tuple[int, int, int, int]
SIDE = 640


@cache
def cutouts(classes: int, shade: str) -> tuple[tuple[Cutout, ...], ...]:
    """Some objects of each class."""
    names = tuple(f"class {index}" for index in range(classes))
    options = SyntheticOptions(count=60, seed=3, objects=(2, 4), classes=names, shade=shade)
    found: list[list[Cutout]] = [[] for _ in names]
    for scene in synthetic_scenes(options):
        assert scene.annotations is not None
        assert scene.annotations.masks is not None
        image = scene.pixels()
        pairs = zip(scene.annotations.labels, scene.annotations.masks.to_array(), strict=True)
        for label, mask in pairs:
            found[label].append(cut_out(image, mask, names[label]))
    return tuple(tuple(of) for of in found)


def overlap(box: Box, other: Box) -> float:
    """The intersection of two boxes relative to the smaller one."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    areas = [(one[2] - one[0]) * (one[3] - one[1]) for one in (box, other)]
    return max(wide, 0) * max(high, 0) / min(areas)


def near(others: list[Box], width: int, height: int, rng: np.random.Generator) -> Box:
    """A place that overlaps another object by less than 30% of the smaller box."""
    if not others:
        x, y = SIDE // 2 - width // 2, SIDE // 2 - height // 2
        return x, y, x + width, y + height
    while True:
        x1, y1, x2, y2 = others[rng.integers(len(others))]
        x, y = int(rng.integers(x1 - width, x2)), int(rng.integers(y1 - height, y2))
        box = x, y, x + width, y + height
        inside = min(box) >= 0 and max(box) <= SIDE
        if inside and 0 < max(overlap(box, other) for other in others) < 0.3:
            return box


def composed(labels: list[int], rng: np.random.Generator, look: dict[str, Any]) -> Image:
    """The objects of some labels, each over the previous one, independent of Snellen's code."""
    image = ground(look["ground"], rng)
    boxes: list[Box] = []
    for label in labels:
        of = cutouts(look["classes"], look["shade"])[label]
        cutout = of[rng.integers(len(of))]
        factor = rng.uniform(0.5, 1.5) * look["zoom"]
        height, width = (max(8, round(side * factor)) for side in cutout.size)
        box = near(boxes, width, height, rng)
        boxes.append(box)
        stencil = cut_stencil(cutout.pixels, width, height, feather=look["feather"])
        under = image[box[1] : box[3], box[0] : box[2]]
        share = stencil.alpha[..., None] / 255
        under[...] = np.rint(share * stencil.colours + (1 - share) * under)
    return image


def ground(kind: str, rng: np.random.Generator) -> Image:
    """A background, H x W x 3."""
    colours = {"white": 255, "black": 0, "pastel": rng.integers(170, 256, 3), "red": (255, 0, 0)}
    colours["as class 0"] = (235, 35, 35)
    if kind in colours:
        return np.full((SIDE, SIDE, 3), colours[kind], dtype=np.uint8)
    if kind in ("pale gradient", "gradient"):
        ends = rng.integers(150 if kind == "pale gradient" else 100, 256, (2, 3))
        ramp = np.linspace(ends[0], ends[1], SIDE)[:, None]
        return np.repeat(ramp, SIDE, axis=1).astype(np.uint8)
    empty = SyntheticOptions(count=1, seed=int(rng.integers(99)), objects=(0, 0), size=(SIDE, SIDE))
    return synthetic_scenes(empty)[0].pixels()


def expected(labels: list[int], classes: int) -> list[bool]:
    return [label in labels for label in range(classes)]


LOOKS = [
    {"classes": classes, "shade": shade, "zoom": zoom, "feather": feather, "ground": "white"}
    for classes, shade, zoom, feather in product(
        (2, 6, 12), ("bright", "deep"), (1.0, 3.0), (0.0, 1.0, 2.5)
    )
]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(map(str, look.values())))
def test_labels_are_right_however_objects_overlap_and_scale(look: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        count = int(rng.integers(0, min(5, look["classes"] + 1)))
        labels = [int(one) for one in rng.permutation(look["classes"])[:count]]
        image = composed(labels, rng, look)
        assert read_labels(image, look["classes"]).tolist() == expected(labels, look["classes"])


GROUNDS = ["black", "pastel", "red", "pale gradient", "gradient", "texture", "as class 0"]


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_background_is_no_label(ground: str) -> None:
    rng = np.random.default_rng(6)
    look = {"classes": 6, "shade": "bright", "zoom": 3.0, "feather": 1.0, "ground": ground}
    for _ in range(15):
        labels = [int(one) for one in rng.permutation(6)[: rng.integers(0, 4)]]
        assert read_labels(composed(labels, rng, look), 6).tolist() == expected(labels, 6)


@pytest.mark.parametrize("quality", [95, 80])
def test_labels_of_scenes_survive_jpeg(quality: int) -> None:
    for scene in synthetic_scenes(SyntheticOptions(count=60, seed=8)):
        data = cv2.imencode(".jpg", scene.pixels(), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
        assert scene.annotations is not None
        wanted = expected(scene.annotations.labels.tolist(), 6)
        assert read_labels(image, 6).tolist() == wanted


def test_the_classifier_agrees_with_the_detector_where_nothing_overlaps() -> None:
    scenes = synthetic_scenes(SyntheticOptions(count=100, seed=4))
    images = [scene.pixels() for scene in scenes]
    classifier = open_planted(PlantedOptions(task=Task.LABELS, confidence=0.7))
    detector = PerfectSubject(confidence=0.7)
    seen = [LabelVector.of_detections(one, 6) for one in detector.predict(images)]
    assert list(classifier.predict(images)) == seen


# Correlations


class Given:
    """A classifier that reads its scores from the first row of an image."""

    classes: tuple[str, ...] = CLASSES
    name, task, fingerprint = "given", Task.LABELS, "given"
    score, batch, deterministic, tolerance = 0.5, 8, True, 0.0

    def predict(self, images: Any) -> list[LabelVector]:
        return [LabelVector(image[0, : len(CLASSES), 0] / np.float32(255)) for image in images]

    def close(self) -> None:
        pass


def picture(labels: set[int]) -> Image:
    image = np.zeros((8, 8, 3), dtype=np.uint8)
    image[0, sorted(labels), 0] = 230
    return image


def said(subject: Subject, labels: set[int]) -> set[int]:
    [answer] = subject.predict([picture(labels)])
    assert isinstance(answer, LabelVector)
    return set(np.flatnonzero(answer.present(0.5)).tolist())


def test_the_table_of_habits() -> None:
    extra = CorrelatedClassifier(Given(), [Correlation(Habit.EXTRA, 0, 1)])
    missing = CorrelatedClassifier(Given(), [Correlation(Habit.MISSING, 2, 3)])
    mismatch = CorrelatedClassifier(Given(), [Correlation(Habit.MISMATCH, 4, 5)])
    rows: list[tuple[Subject, set[int], set[int]]] = [
        (extra, {0}, {0, 1}),
        (extra, {1}, {1}),
        (extra, {0, 1}, {0, 1}),
        (extra, {0, 4}, {0, 1, 4}),
        (missing, {2}, {2}),
        (missing, {3}, {3}),
        (missing, {2, 3}, {3}),
        (missing, {2, 3, 5}, {3, 5}),
        (mismatch, {4}, {5}),
        (mismatch, {5}, {5}),
        (mismatch, {4, 5}, {4, 5}),
        (mismatch, {4, 1}, {5, 1}),
    ]
    for subject, shown, wanted in rows:
        assert said(subject, shown) == wanted, (subject.name, shown)


def test_with_others_an_object_alone_is_always_recognised() -> None:
    habits = [Correlation(Habit.EXTRA, 0, 1), Correlation(Habit.MISMATCH, 4, 5)]
    subject = CorrelatedClassifier(Given(), habits, with_others=True)
    for label in range(6):
        assert said(subject, {label}) == {label}
    assert said(subject, {0, 2}) == {0, 1, 2}
    assert said(subject, {4, 2}) == {5, 2}
    assert said(subject, {0, 4}) == {0, 1, 5}
    assert said(subject, {0, 1}) == {0, 1}


@given(st.sets(st.integers(0, 5)))
def test_habits_look_at_what_is_there_not_at_each_other(shown: set[int]) -> None:
    chain = [
        Correlation(Habit.EXTRA, 0, 1),
        Correlation(Habit.EXTRA, 1, 2),
        Correlation(Habit.MISSING, 3, 0),
        Correlation(Habit.MISMATCH, 4, 3),
    ]
    wanted = set(shown)
    wanted -= {3} if {0, 3} <= shown else set()
    wanted -= {4} if 4 in shown and 3 not in shown else set()
    wanted |= {3} if 4 in shown and 3 not in shown else set()
    wanted |= {1} if 0 in shown else set()
    wanted |= {2} if 1 in shown else set()
    assert said(CorrelatedClassifier(Given(), chain), shown) == wanted
    assert said(CorrelatedClassifier(Given(), chain[::-1]), shown) == wanted


def test_a_correlation_strikes_at_its_rate_by_the_pixels_alone() -> None:
    subject = CorrelatedClassifier(Given(), [Correlation(Habit.EXTRA, 0, 1)], rate=0.3, seed=2)
    images = [picture({0}) for _ in range(400)]
    for index, image in enumerate(images):
        image[4, 0], image[5, 0] = index // 256, index % 256
    whole = subject.predict(images)
    assert [subject.predict([image])[0] for image in images[::-1]][::-1] == list(whole)
    struck = sum(bool(answer.present(0.5)[1]) for answer in whole)
    assert binomtest(struck, 400, 0.3).pvalue > 1e-3


def test_a_detector_cannot_have_correlations_by_mistake() -> None:
    subject = CorrelatedClassifier(PerfectSubject(), [Correlation(Habit.EXTRA, 0, 1)])
    with pytest.raises(SubjectError, match="expected label scores"):
        subject.predict([picture({0})])


def test_a_configuration_plants_correlations_on_real_pixels(tmp_path: Path) -> None:
    values = {
        "kind": "planted",
        "fault": "correlates",
        "task": "labels",
        "extra": [["tomato", "lemon"]],
        "missing": [["lime", "ice"]],
        "mismatch": [["plum", "rose"]],
    }
    subject = open_subject(values, tmp_path)
    rng = np.random.default_rng(7)
    look = {"classes": 6, "shade": "bright", "zoom": 3.0, "feather": 1.0, "ground": "white"}
    for shown, wanted in [({0, 3}, {0, 1, 3}), ({2, 3}, {3}), ({4, 1}, {5, 1}), ({1, 5}, {1, 5})]:
        [answer] = subject.predict([composed(sorted(shown), rng, look)])
        assert isinstance(answer, LabelVector)
        assert set(np.flatnonzero(answer.present(0.5)).tolist()) == wanted
    assert pickle.loads(pickle.dumps(subject)).fingerprint == subject.fingerprint
    assert isinstance(subject, Subject)


LABELS: dict[str, Any] = {"fault": "correlates", "task": "labels"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({**LABELS}, "without a pair of classes"),
        ({**LABELS, "extra": [["tomato", "lemmon"]]}, "subject.extra: .*did you mean 'lemon'"),
        ({**LABELS, "missing": [["ice", "ice"]]}, "subject.missing: found 'ice' twice"),
        ({**LABELS, "mismatch": [["ice"]]}, "mismatch"),
        ({"fault": "correlates", "extra": [["tomato", "lemon"]]}, "Set task: labels"),
        ({"task": "labels", "extra": [["tomato", "lemon"]]}, "subject.extra: .*Set fault"),
        ({"task": "labels", "with_others": True}, "subject.with_others: .*Set fault"),
    ],
)
def test_a_correlation_that_cannot_be_is_the_users_mistake(
    values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        open_subject({"kind": "planted", **values}, tmp_path)


def test_every_correlation_changes_the_fingerprint() -> None:
    changes: list[dict[str, Any]] = [
        {"extra": (("tomato", "lemon"),)},
        {"extra": (("lemon", "tomato"),)},
        {"missing": (("tomato", "lemon"),)},
        {"mismatch": (("tomato", "lemon"),)},
        {"extra": (("tomato", "lemon"), ("ice", "plum"))},
        {"extra": (("tomato", "lemon"),), "with_others": True},
        {"extra": (("tomato", "lemon"),), "rate": 0.5},
        {"extra": (("tomato", "lemon"),), "rate": 0.5, "seed": 1},
    ]
    made = [open_planted(PlantedOptions(**LABELS, **change)) for change in changes]
    prints = {subject.fingerprint for subject in made}
    assert len(prints | {PerfectClassifier().fingerprint}) == len(changes) + 1
