"""TIDE's kinds of error against the paper's definitions and against tidecv's own figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.annotations import Annotations
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import average_precision
from snellen.vision.precision.set_matching import match_set
from snellen.vision.precision.tide import KINDS, tide
from tests.vision.generated_sets import Recipe, recipes
from tests.vision.small_predictions import annotations_of, detections_of

BOX = [0, 0, 10, 10]
FAR = [50, 50, 60, 60]


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (detections_of([BOX], [1], [0.9]), "classification"),
        (detections_of([[0, 0, 10, 30]], [0], [0.9]), "localisation"),
        (detections_of([[0, 0, 10, 30]], [1], [0.9]), "both"),
        (detections_of([BOX, BOX], [0, 0], [0.9, 0.8]), "duplicate"),
        (detections_of([BOX, FAR], [0, 0], [0.9, 0.8]), "background"),
        (Detections.empty(), "missed"),
    ],
)
def test_each_kind_alone(found: Detections, kind: str) -> None:
    errors = tide([found], [annotations_of([BOX], [0])], classes=2)
    expected = {name: int(name == kind) for name in KINDS}
    if kind == "both":
        expected["missed"] = 1  # the box of the wrong class does not explain the object
    assert errors.counts() == expected


def test_an_oracle_mends_an_object_once() -> None:
    twice = detections_of([[0, 0, 10, 30], [0, 0, 10, 28]], [0, 0], [0.9, 0.8])
    errors = tide([twice], [annotations_of([BOX], [0])])
    assert errors.counts()["localisation"] == 2
    assert (errors.ap, errors.dap["localisation"]) == (0, 1)


@given(recipes())
def test_the_truth_given_as_the_answer_has_no_errors(recipe: Recipe) -> None:
    _, truths = recipe.build()
    perfect = [
        Detections(truth.boxes, truth.labels, np.ones(len(truth), np.float32)) for truth in truths
    ]
    errors = tide(perfect, truths, classes=recipe.classes)
    assert errors.counts() == dict.fromkeys(KINDS, 0)
    assert not any(value > 0 for value in errors.dap.values())


def reference(answers: list[Detections], truths: list[Annotations]) -> dict[str, int]:
    """Counts by the paper's definitions, image by image, with an independent matcher."""
    counts = dict.fromkeys(KINDS, 0)
    for answer, truth in zip(answers, truths, strict=True):
        table = iou(answer.boxes, truth.boxes)
        counted = [g for g in range(len(truth)) if not (truth.crowd[g] or truth.ignore[g])]
        taken: set[int] = set()
        false = []
        for d in sorted(range(len(answer)), key=lambda k: (-answer.scores[k], k)):
            mine = [g for g in counted if truth.labels[g] == answer.labels[d]]
            free = [(table[d, g], g) for g in mine if g not in taken and table[d, g] >= 0.5]
            if free:
                taken.add(max(free)[1])
            else:
                false.append(d)
        explained: set[int] = set()
        for d in false:
            own = {g: table[d, g] for g in counted if truth.labels[g] == answer.labels[d]}
            other = {g: table[d, g] for g in counted if truth.labels[g] != answer.labels[d]}
            nearest, beside = max(own.values(), default=0.0), max(other.values(), default=0.0)
            if 0.1 <= nearest < 0.5:
                kind = "localisation"
                explained |= {g for g in own if own[g] == nearest}
            elif beside >= 0.5:
                kind = "classification"
                explained |= {g for g in other if other[g] == beside}
            elif nearest >= 0.5:
                kind = "duplicate"
            elif max(nearest, beside) <= 0.1:
                kind = "background"
            else:
                kind = "both"
            counts[kind] += 1
        counts["missed"] += len(set(counted) - taken - explained)
    return counts


@given(st.integers(0, 10_000))
def test_kinds_follow_the_papers_definitions(seed: int) -> None:
    answers, truths = Recipe(seed, 4, 3, 7, 8, 6, False, 0, 0).build()
    assert tide(answers, truths, classes=3).counts() == reference(answers, truths)


@given(recipes(masks=True, most=4))
def test_masks_may_decide_and_base_ap_is_ap50(recipe: Recipe) -> None:
    answers, truths = recipe.build()
    errors = tide(answers, truths, classes=recipe.classes, masks=True)
    matched = match_set(answers, truths, classes=recipe.classes, ious=[0.5], masks=True)
    expected = average_precision(matched).value(iou=0.5)
    assert errors.ap == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_columns_name_the_objects() -> None:
    errors = tide(
        [detections_of([[0, 0, 10, 30]], [0], [0.9])], [annotations_of([FAR, BOX], [0, 0])]
    )
    assert [KINDS[code - 1] for code in errors.kind] == ["localisation"]
    assert errors.matched.truths.index[errors.about].tolist() == [1]
    assert errors.missed.tolist() == [True, False]


def scattered(seed: int, images: int) -> tuple[list[Detections], list[Annotations]]:
    """The set on which tidecv's figures below were taken; plain numpy draws, in this order."""
    rng = np.random.default_rng(seed)
    answers, truths = [], []
    for _ in range(images):
        count = int(rng.integers(1, 7))
        corner, side = rng.uniform(0, 300, (count, 2)), rng.uniform(20, 150, (count, 2))
        boxes = np.hstack([corner, corner + side]).astype(np.float32)
        labels = rng.integers(0, 4, count)
        found, names, scores = [], [], []
        for box, label in zip(boxes, labels, strict=True):
            for _ in range(int(rng.integers(0, 4))):
                spread = rng.choice([0.02, 0.1, 0.25])
                found.append(box + rng.normal(0, spread, 4) * np.tile(box[2:] - box[:2], 2))
                names.append(label if rng.random() < 0.75 else rng.integers(0, 4))
                scores.append(rng.random())
        for _ in range(int(rng.integers(0, 4))):
            start = rng.uniform(0, 300, 2)
            found.append(np.r_[start, start + rng.uniform(20, 150, 2)])
            names.append(rng.integers(0, 4))
            scores.append(rng.random())
        rng.random(count)
        ends = np.array(found, np.float32).reshape(-1, 2, 2)
        answers.append(detections_of(np.hstack([ends.min(1), ends.max(1)]), names, scores))
        truths.append(annotations_of(boxes, labels))
    return answers, truths


# tidecv 1.0.1, TIDE().evaluate(truth, answers, mode=TIDE.BOX): run.ap, fix_main_errors() and
# len(error_dict[...]), in the order of KINDS, in percent of AP.
TIDECV = [
    (
        (1, 40),
        30.2987930964982,
        [6.7372202902, 10.5432252599, 2.3108597561, 3.0241463490, 5.7807564701, 10.8298398766],
        [29, 34, 14, 58, 46, 42],
    ),
    (
        (2, 120),
        28.14764757760004,
        [7.4697870419, 8.6379964024, 1.8696173098, 2.9328983014, 4.7703410732, 10.6082370727],
        [96, 103, 55, 146, 129, 117],
    ),
]


@pytest.mark.parametrize(("drawn", "ap", "dap", "counts"), TIDECV)
def test_tidecv_finds_the_same(
    drawn: tuple[int, int], ap: float, dap: list[float], counts: list[int]
) -> None:
    errors = tide(*scattered(*drawn), classes=4)
    assert list(errors.counts().values()) == counts
    assert errors.ap * 100 == pytest.approx(ap, abs=1e-9)
    ours = [errors.dap[name] * 100 for name in KINDS]
    assert ours[:-1] == pytest.approx(dap[:-1], abs=1e-9)
    # tidecv's recall points are k / 100, COCO's and ours k * 0.01, of which ten are larger.
    assert ours[-1] == pytest.approx(dap[-1], abs=0.005)
