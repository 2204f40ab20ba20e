"""Saliency of a black box: the part that its answer depends on is found, wherever it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.saliency_mask import SaliencyMask
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import F32, Image
from snellen.vision.detections import Detections
from snellen.vision.saliency.contours import warm_region
from snellen.vision.saliency.drise import SaliencyAccumulator, similarities
from tests.vision.small_predictions import detections_of

SIZE = (96, 128)
OBJECT = (70, 50, 110, 90)
WHITE = Scene("white", PictureArray(np.full((*SIZE, 3), 255, np.uint8)), SIZE)
Box = tuple[int, int, int, int]


def shown(image: Image, box: Box) -> float:
    x1, y1, x2, y2 = box
    return float(image[y1:y2, x1:x2].mean() / 255)


def detector_of(cue: Box) -> Callable[[Image], Detections]:
    """A detector that finds the object by the pixels of its cue alone; the pixels are white."""

    def detect(image: Image) -> Detections:
        score = shown(image, cue)
        return detections_of([OBJECT], [3], [score]) if score > 0.3 else Detections.empty()

    return detect


def seeds(count: int, rng: np.random.Generator) -> list[int]:
    return [int(seed) for seed in rng.integers(0, 1 << 53, count)]


def explained(
    detect: Callable[[Image], Detections],
    targets: Detections,
    count: int,
    *,
    seed: int = 1,
    centred: bool = True,
    grid: tuple[int, int] = (12, 16),
) -> F32:
    found = SaliencyAccumulator(targets, SIZE, grid=grid, centred=centred)
    for one in seeds(count, np.random.default_rng(seed)):
        found.add(one, detect(SaliencyMask(one, grid=grid).build(WHITE, {})))
    assert len(found) == count
    return found.heat()


def hottest(heat: F32) -> tuple[int, int]:
    y, x = np.unravel_index(int(heat.argmax()), heat.shape)
    return int(x), int(y)


def within(place: tuple[int, int], box: Box, margin: int = 0) -> bool:
    x1, y1, x2, y2 = box
    across = x1 - margin <= place[0] < x2 + margin
    return across and y1 - margin <= place[1] < y2 + margin


def share_inside(heat: F32, box: Box) -> float:
    x1, y1, x2, y2 = box
    return float(heat[y1:y2, x1:x2].sum() / heat.sum())


TARGET = detections_of([OBJECT], [3], [1.0])


@given(st.integers(0, 100), st.integers(0, 68), st.integers(0, 1000))
@settings(max_examples=8)
def test_the_hottest_pixel_lies_in_the_cue_wherever_the_box_is(x: int, y: int, seed: int) -> None:
    cue = (x, y, x + 28, y + 28)
    [heat] = explained(detector_of(cue), TARGET, 500, seed=seed)
    assert within(hottest(heat), cue, margin=2)
    assert heat.min() >= 0
    assert heat.max() == 1


def test_the_warm_region_is_the_cue() -> None:
    cue = (20, 16, 60, 56)
    [heat] = explained(detector_of(cue), TARGET, 1500)
    warm = warm_region(heat)
    known = np.zeros(SIZE, bool)
    known[16:56, 20:60] = True
    assert (warm & known).sum() / (warm | known).sum() > 0.65
    assert share_inside(heat, cue) > 2.5 * known.mean()


def test_taking_the_mean_off_finds_more_of_the_cue_with_the_same_masks() -> None:
    cue = (20, 16, 48, 44)
    detect = detector_of(cue)
    ours = [explained(detect, TARGET, 200, seed=seed)[0] for seed in range(6)]
    theirs = [explained(detect, TARGET, 200, seed=seed, centred=False)[0] for seed in range(6)]
    better = [
        share_inside(a, cue) > share_inside(b, cue) for a, b in zip(ours, theirs, strict=True)
    ]
    assert sum(better) >= 5


def test_the_same_masks_distinguish_two_detections() -> None:
    cues = [(4, 4, 34, 34), (90, 60, 120, 90)]
    boxes = [(10, 10, 40, 40), (80, 50, 120, 90)]

    def detect(image: Image) -> Detections:
        return detections_of(boxes, [1, 2], [shown(image, cue) for cue in cues])

    first, second = explained(detect, detections_of(boxes, [1, 2], [1, 1]), 500)
    assert within(hottest(first), cues[0], 2)
    assert within(hottest(second), cues[1], 2)


def test_what_stands_in_the_way_is_cold_and_not_warm() -> None:
    cue, rival = (20, 16, 50, 46), (84, 50, 114, 80)

    def detect(image: Image) -> Detections:
        return detections_of([OBJECT], [3], [0.5 + shown(image, cue) / 2 - shown(image, rival) / 2])

    [heat] = explained(detect, TARGET, 800)
    assert within(hottest(heat), cue, 2)
    x1, y1, x2, y2 = rival
    assert heat[y1 + 5 : y2 - 5, x1 + 5 : x2 - 5].max() < 0.05


def test_a_target_that_is_never_found_has_no_heat() -> None:
    assert not explained(detector_of((0, 0, 9, 9)), detections_of([OBJECT], [4], [1.0]), 50).any()
    assert not SaliencyAccumulator(TARGET, SIZE).heat().any()
    assert SaliencyAccumulator(Detections.empty(), SIZE).heat().shape == (0, *SIZE)
    assert SaliencyAccumulator(TARGET, SIZE).p_values().tolist() == [1.0]


def test_the_heat_of_a_cue_is_no_chance_and_the_heat_of_luck_is() -> None:
    cue = detector_of((20, 16, 48, 44))
    rng = np.random.default_rng(3)
    targets = detections_of([OBJECT, OBJECT, OBJECT], [3, 4, 5], [1, 1, 1])
    found = SaliencyAccumulator(targets, SIZE, grid=(12, 16))
    for one in seeds(200, rng):
        real = cue(SaliencyMask(one, grid=(12, 16)).build(WHITE, {}))
        luck = detections_of([OBJECT], [4], [rng.random()])
        found.add(
            one,
            detections_of(
                np.concatenate([real.boxes, luck.boxes]),
                np.concatenate([real.labels, luck.labels]),
                np.concatenate([real.scores, luck.scores]),
            ),
        )
    by_cue, by_luck, never = found.p_values()
    assert by_cue < 1e-4
    assert by_luck > 0.05
    assert never == 1
    assert found.heat()[1].max() == 1, "scaled to 1, luck looks as hot as a cue"


@pytest.mark.parametrize(
    ("boxes", "labels", "scores", "expected"),
    [
        ([[0, 0, 10, 10]], [1], [0.75], 0.75),
        ([[0, 0, 10, 10]], [2], [0.75], 0.0),
        ([[0, 0, 10, 5], [0, 0, 5, 5]], [1, 1], [0.5, 1.0], 0.25),
        ([[0, 0, 10, 5], [0, 0, 10, 10]], [1, 1], [1.0, 0.25], 0.5),
        ([[20, 20, 30, 30]], [1], [1.0], 0.0),
        ([], [], [], 0.0),
    ],
)
def test_similarity_is_the_best_of_overlap_times_score_of_the_same_label(
    boxes: list[list[float]], labels: list[int], scores: list[float], expected: float
) -> None:
    answer = detections_of(boxes, labels, scores)
    target = detections_of([[0, 0, 10, 10]], [1], [1])
    assert similarities(target, answer) == pytest.approx(expected)


def test_similarities_are_those_of_each_target_alone() -> None:
    rng = np.random.default_rng(9)
    corner = rng.uniform(0, 50, (2, 20, 2))
    boxes = np.concatenate([corner, corner + rng.uniform(5, 40, corner.shape)], -1)
    labels = rng.integers(0, 3, (2, 20))
    targets = detections_of(boxes[0], labels[0], rng.random(20))
    answer = detections_of(boxes[1], labels[1], rng.random(20))
    alone = [similarities(targets[[one]], answer)[0] for one in range(len(targets))]
    assert np.allclose(similarities(targets, answer), alone)
    assert np.count_nonzero(alone) > 5
