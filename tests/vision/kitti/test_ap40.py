"""KITTI's average precision: by hand, and against a slow implementation of its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.evaluation_objects import evaluated_objects
from snellen.scenes.kitti.label_file import read_labels
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.ap40 import average_precision, min_overlap
from snellen.vision.kitti.ground_truth import KittiObjects

CLASSES = ("Car", "Pedestrian", "Cyclist")
METRICS = ("3d", "bev", "2d")
DIFFICULTIES = ("easy", "moderate", "hard")


@dataclass(frozen=True)
class Thing:
    """An object or, with a score, a detection."""

    type: str
    solid: tuple[float, ...]
    box: tuple[float, ...]
    score: float = 1.0
    occluded: int = 0
    truncated: float = 0.0


@dataclass
class Set:
    """Frames with their objects and detections."""

    known: list[list[Thing]] = field(default_factory=list)
    found: list[list[Thing]] = field(default_factory=list)

    def measured(self, **options: Any) -> float:
        return float(self.evaluated(**options).percent)

    def evaluated(self, **options: Any) -> Any:
        return average_precision(
            [detections(frame) for frame in self.found],
            [objects(frame) for frame in self.known],
            **{"classes": CLASSES} | options,
        )


def detections(things: list[Thing]) -> Detections3D:
    return Detections3D(
        np.array([thing.solid for thing in things]),
        np.array([CLASSES.index(thing.type) for thing in things]),
        np.array([thing.score for thing in things]),
        np.array([thing.box for thing in things]),
    )


def objects(things: list[Thing]) -> KittiObjects:
    return KittiObjects(
        tuple(thing.type for thing in things),
        np.array([thing.solid for thing in things]),
        np.array([thing.box for thing in things]),
        np.array([thing.occluded for thing in things]),
        np.array([thing.truncated for thing in things]),
    )


def car(place: int, score: float = 1.0, **fields: Any) -> Thing:
    """A car at its own place, 10 m and 100 pixels from the next."""
    solid = (10.0 * place, 0.0, -0.9, 4.0, 1.6, 1.5, 0.0)
    box = (100.0 * place, 100.0, 100.0 * place + 90, 150.0)
    return replace(Thing("Car", solid, box, score), **fields)


def row(count: int) -> list[Thing]:
    return [car(place, 1 - place / 1000) for place in range(count)]


# By hand


@pytest.mark.parametrize("metric", METRICS)
def test_three_of_four_cars_and_one_phantom(metric: str) -> None:
    """Found at 0.9, 0.8 and 0.6, a phantom at 0.7, one of four cars missed.

    With four cars recall grows by 1/4 a car, more than 1/40, so the three scores are the
    thresholds. There the precisions are 1/1, 2/2 and 3/4. The benchmark puts them at its first
    three of 41 places, leaves the first out and averages 40: (1 + 3/4) / 40. By the definition,
    precision is 1 up to recall 1/2 (20 of the recalls) and 3/4 up to 3/4 (10 more):
    (20 + 7.5) / 40.
    """
    found = [car(0, 0.9), car(1, 0.8), car(9, 0.7), car(2, 0.6)]
    case = Set([row(4)], [found])
    assert case.measured(metric=metric) == pytest.approx(100 * 1.75 / 40)
    assert case.measured(metric=metric, procedure="definition") == pytest.approx(68.75)


@pytest.mark.parametrize("metric", METRICS)
def test_eighty_cars_and_a_phantom_in_the_middle(metric: str) -> None:
    """All 80 found, a phantom scored between the 40th and the 41st.

    Each step of recall is two cars: the thresholds are at 1, 2, 4, ..., 80 cars. Precision is 1 up
    to 40 cars and n / (n + 1) beyond, made monotone 80/81: of the 40 places 20 have each.
    """
    found = [*row(80), car(200, 1 - 39.5 / 1000)]
    expected = 100 * (20 + 20 * 80 / 81) / 40
    assert Set([row(80)], [found]).measured(metric=metric) == pytest.approx(expected)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_perfect_answer_is_100_and_none_is_0(metric: str, difficulty: str) -> None:
    options = {"metric": metric, "difficulty": difficulty}
    frames = [row(30), row(30)]
    assert Set(frames, frames).measured(**options) == pytest.approx(100)
    assert Set(frames, [[], []]).measured(**options) == 0
    assert Set(frames, [[], []]).measured(**options, procedure="definition") == 0


@pytest.mark.parametrize("count", [1, 5, 40, 41])
def test_few_objects_cost_the_benchmark_but_not_the_definition(count: int) -> None:
    case = Set([row(count)], [row(count)])
    assert case.measured() == pytest.approx(100 * min(count - 1, 40) / 40)
    assert case.measured(procedure="definition") == pytest.approx(100)


def test_nothing_to_be_found_is_no_number() -> None:
    assert np.isnan(Set([[]], [row(3)]).measured())
    assert Set([[]], [row(3)]).evaluated().objects == 0


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({}, (True, True, True)),
        ({"box": (0, 100, 90, 140)}, (False, True, True)),  # exactly 40 pixels is not above 40
        ({"box": (0, 100, 90, 125)}, (False, False, False)),
        ({"box": (0, 100, 90, 126)}, (False, True, True)),
        ({"occluded": 1}, (False, True, True)),
        ({"occluded": 2}, (False, False, True)),
        ({"occluded": 3}, (False, False, False)),
        ({"truncated": 0.15}, (True, True, True)),
        ({"truncated": 0.2}, (False, True, True)),
        ({"truncated": 0.4}, (False, False, True)),
        ({"truncated": 0.6}, (False, False, False)),
        ({"type": "Van"}, (False, False, False)),
        ({"type": "Pedestrian"}, (False, False, False)),
        ({"type": "DontCare"}, (False, False, False)),
    ],
)
def test_which_objects_are_asked_for(fields: dict[str, Any], asked: tuple[bool, ...]) -> None:
    case = Set([[car(0, **fields)]], [[]])
    counts = [case.evaluated(difficulty=name).objects for name in DIFFICULTIES]
    assert counts == [int(one) for one in asked]


# Detections that do not count: 41 cars are found, plus one detection with the best score.
# Precision is 41/42 throughout if it counts as a false positive.


@pytest.mark.parametrize(
    ("extra", "thing", "wrong"),
    [
        (car(60, 1.0), None, METRICS),  # a phantom
        (car(60, 1.0), car(60, type="Van"), ()),  # a van
        (car(60, 1.0), car(60, type="Pedestrian"), METRICS),  # not similar to a car
        (car(60, 1.0), car(60, occluded=3), ()),  # too hard
        (car(60, 1.0, type="Cyclist"), None, ()),  # of another class
        (car(60, 1.0, box=(6000, 100, 6090, 124)), None, ()),  # too small to count
        (car(60, 1.0, box=(6000, 100, 6090, 125)), None, METRICS),
        # In a region without a 3D box: ignored in the image, from 70% on
        (car(60, 1.0), car(60, type="DontCare", solid=(0,) * 7), ("3d", "bev")),
        (car(60, 1.0), car(60, type="DontCare", solid=(0,) * 7, box=(6000, 100, 6064, 150)),
         ("3d", "bev")),
        (car(60, 1.0), car(60, type="DontCare", solid=(0,) * 7, box=(6000, 100, 6062, 150)),
         METRICS),
        # In a region that is an object which is almost completely hidden
        (car(60, 1.0), car(60, type="DontCare"), ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("metric", METRICS)
def test_what_is_neither_right_nor_wrong(
    extra: Thing, thing: Thing | None, wrong: tuple[str, ...], metric: str
) -> None:
    known = [*row(41), *([] if thing is None else [thing])]
    case = Set([known], [[extra, *row(41)]])
    expected = 100 * 41 / 42 if metric in wrong else 100
    assert case.measured(metric=metric) == pytest.approx(expected)


def test_a_second_box_on_a_car_is_wrong() -> None:
    known = row(41)
    assert Set([known], [[car(0, 1.0), *row(41)]]).measured() == pytest.approx(100 * 41 / 42)


def test_the_thresholds_are_kittis() -> None:
    assert [min_overlap(name, "3d") for name in CLASSES] == [0.7, 0.5, 0.5]
    assert [min_overlap(name, "bev", loose=True) for name in CLASSES] == [0.5, 0.25, 0.25]
    assert [min_overlap(name, "2d", loose=True) for name in CLASSES] == [0.7, 0.5, 0.5]


@pytest.mark.parametrize(
    ("shift", "strict", "loose"), [(0.6, 100, 100), (0.8, 0, 100), (1.4, 0, 0)]
)
def test_a_shift_along_the_car_is_forgiven_up_to_the_threshold(
    shift: float, strict: float, loose: float
) -> None:
    """(4 - s) / (4 + s) is 0.74, 0.67 and 0.48."""
    moved = [replace(one, solid=(one.solid[0] + shift, *one.solid[1:])) for one in row(41)]
    case = Set([row(41)], [moved])
    assert case.measured() == pytest.approx(strict)
    assert case.measured(overlap=min_overlap("Car", "3d", loose=True)) == pytest.approx(loose)


def test_answers_and_frames_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="1 predictions for 2 frames"):
        Set([row(1), row(1)], [row(1)]).measured()


# Against a slow implementation


@cache
def slow_overlap(a: Thing, b: Thing, metric: str, *, of_first: bool = False) -> float:
    if metric == "2d":
        one, other = shapely.box(*a.box), shapely.box(*b.box)
        tall = heights = (1.0, 1.0, 1.0)
    else:
        one, other = footprint(a.solid), footprint(b.solid)
        low = max(a.solid[2] - a.solid[5] / 2, b.solid[2] - b.solid[5] / 2)
        high = min(a.solid[2] + a.solid[5] / 2, b.solid[2] + b.solid[5] / 2)
        heights = (a.solid[5], b.solid[5], max(high - low, 0))
        tall = heights if metric == "3d" else (1.0, 1.0, 1.0)
    common = one.intersection(other).area * tall[2]
    first, second = one.area * tall[0], other.area * tall[1]
    if common == 0:
        return 0.0
    return float(common / (first if of_first else first + second - common))


def footprint(solid: tuple[float, ...]) -> Any:
    x, y, _, length, width, _, yaw = solid
    flat = shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    return affinity.translate(affinity.rotate(flat, yaw, origin=(0, 0), use_radians=True), x, y)


class Slow:
    """The benchmark's rules, frame by frame, object by object, detection by detection."""

    def __init__(self, case: Set, name: str, metric: str, difficulty: str) -> None:
        self.case, self.name, self.metric = case, name, metric
        self.least = {"Car": 0.7}.get(name, 0.5)
        self.height, self.occlusion, self.truncation = {
            "easy": (40, 0, 0.15),
            "moderate": (25, 1, 0.30),
            "hard": (25, 2, 0.50),
        }[difficulty]

    def percent(self) -> float:
        scores = [score for frame in self.frames() for score in self.judge(*frame, None)[0]]
        objects = sum(self.kind(one) == "asked" for known, _ in self.frames() for one in known)
        curve = []
        for threshold in self.thresholds(sorted(scores, reverse=True), objects):
            judged = [self.judge(*frame, threshold) for frame in self.frames()]
            right = sum(len(hits) for hits, _ in judged)
            wrong = sum(count for _, count in judged)
            curve.append(right / (right + wrong) if right + wrong else 0.0)
        curve += [0.0] * (41 - len(curve))
        return sum(max(curve[place:]) for place in range(1, 41)) / 40 * 100

    def frames(self) -> list[tuple[list[Thing], list[Thing]]]:
        return list(zip(self.case.known, self.case.found, strict=True))

    def thresholds(self, scores: list[float], objects: int) -> list[float]:
        chosen: list[float] = []
        recall = 0.0
        for i, score in enumerate(scores):
            left = (i + 1) / objects
            right = (i + 2) / objects if i < len(scores) - 1 else left
            if right - recall < recall - left and i < len(scores) - 1:
                continue
            chosen.append(score)
            recall += 1 / 40
        return chosen

    def kind(self, thing: Thing) -> str:
        neighbour = {"Car": "Van", "Pedestrian": "Person_sitting"}.get(self.name)
        hard = (
            thing.occluded > self.occlusion
            or thing.truncated > self.truncation
            or np.float32(thing.box[3]) - np.float32(thing.box[1]) <= self.height
        )
        if thing.type == self.name and not hard:
            return "asked"
        return "spared" if thing.type in (self.name, neighbour) else "other"

    def judge(
        self, known: list[Thing], found: list[Thing], threshold: float | None
    ) -> tuple[list[float], int]:
        """Scores of true positives and number of false positives; by score without a threshold."""
        low = {d for d in range(len(found)) if found[d].box[3] - found[d].box[1] < self.height}
        free = [
            d
            for d in range(len(found))
            if (d in low or found[d].type == self.name)
            and (threshold is None or np.float32(found[d].score) >= threshold)
        ]
        right = []
        for thing in known:
            if self.kind(thing) == "other":
                continue
            ious = {d: slow_overlap(found[d], thing, self.metric) for d in free}
            fits = [d for d in free if ious[d] > self.least]
            if not fits:
                continue
            if threshold is None:
                chosen = max(fits, key=lambda d: found[d].score)
            else:
                tall = [d for d in fits if d not in low]
                chosen = max(tall, key=ious.__getitem__) if tall else fits[0]
            free.remove(chosen)
            if self.kind(thing) == "asked" and chosen not in low:
                right.append(float(np.float32(found[chosen].score)))
        regions = [thing for thing in known if thing.type == "DontCare"]
        wrong = [
            d
            for d in free
            if d not in low
            and not any(
                slow_overlap(found[d], region, self.metric, of_first=True) > self.least
                for region in regions
            )
        ]
        return right, len(wrong)


def random_set(seed: int) -> Set:
    rng = np.random.default_rng(seed)
    case = Set()
    types = ["Car", "Car", "Car", "Pedestrian", "Pedestrian", "Cyclist", "Van", "Person_sitting"]
    for _ in range(rng.integers(2, 8)):
        known = []
        for place in range(rng.integers(0, 9)):
            thing = car(
                place,
                type=str(rng.choice([*types, "DontCare"])),
                occluded=int(rng.choice([0, 0, 0, 1, 2, 3])),
                truncated=float(rng.choice([0, 0, 0.2, 0.4, 0.7])),
                box=(100.0 * place, 100.0, 100.0 * place + 90, float(rng.choice([170, 150, 130]))),
            )
            known.append(thing)
        case.known.append(known)
        case.found.append([one for thing in known for one in guesses(thing, rng)])
    return case


def guesses(thing: Thing, rng: np.random.Generator) -> list[Thing]:
    found = []
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        solid = np.array(thing.solid) + rng.normal(0, [0.2, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1])
        box = np.array(thing.box) + rng.normal(0, 5, 4)
        type_ = {"Van": "Car", "Person_sitting": "Pedestrian", "DontCare": "Car"}.get(
            thing.type, thing.type
        )
        type_ = type_ if rng.random() < 0.85 else str(rng.choice(CLASSES))
        score = float(np.round(rng.uniform(0.05, 1), 2))
        found.append(Thing(type_, tuple(solid), tuple(box.astype(np.float32).tolist()), score))
    return found


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(CLASSES))
def test_any_answer_has_the_precision_of_a_slow_reading(seed: int, name: str) -> None:
    case = random_set(seed)
    for metric in METRICS:
        for difficulty in DIFFICULTIES:
            found = case.evaluated(name=name, metric=metric, difficulty=difficulty)
            if found.objects:
                slow = Slow(case, name, metric, difficulty).percent()
                assert found.percent == pytest.approx(slow, abs=1e-9)
            else:
                assert np.isnan(found.percent)


def test_a_long_set_has_the_precision_of_a_slow_reading() -> None:
    """With more than 41 objects, so that thresholds are skipped."""
    parts = [random_set(seed) for seed in range(40)]
    case = Set([k for one in parts for k in one.known], [f for one in parts for f in one.found])
    for metric in METRICS:
        found = case.evaluated(metric=metric)
        assert found.objects > 100
        assert 5 < found.percent < 95
        assert found.percent == pytest.approx(Slow(case, "Car", metric, "moderate").percent())
        near = case.measured(metric=metric, procedure="definition")
        assert near == pytest.approx(found.percent, abs=5)


def test_real_labels_found_as_they_are_leave_nothing_to_be_wished(
    shared: Callable[[str], Path],
) -> None:
    """The labels of each frame as its detections: no object is missed, no detection is false."""
    folder = shared("kitti/training")
    known, found = [], []
    for path in sorted((folder / "label_2").glob("*.txt")):
        frames = read_calibration(folder / "calib" / path.name).frames()
        rows = [row for row in read_labels(path) if row.type in (*CLASSES, "DontCare")]
        things = evaluated_objects(rows, frames)
        known.append(things)
        kept = ~things.regions()
        labels = [CLASSES.index(row.type) for row in rows if row.type in CLASSES]
        found.append(
            Detections3D(
                things.boxes[kept], np.array(labels), np.ones(kept.sum()), things.image_boxes[kept]
            )
        )
    for metric in METRICS:
        for difficulty in DIFFICULTIES:
            best = average_precision(
                found,
                known,
                classes=CLASSES,
                metric=metric,  # type: ignore[arg-type]
                difficulty=difficulty,  # type: ignore[arg-type]
                procedure="definition",
            )
            assert best.objects >= 4
            assert best.percent == pytest.approx(100)
