from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from snellen.errors import SubjectError, UserError
from snellen.scenes.scene import Scene
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.scenes.synthetic.scene_layout import Shade
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.planted import (
    DeviatingSubject,
    Deviation,
    FlickeringSubject,
    GarbledSubject,
    HangingSubject,
    Junk,
    PerfectSubject,
    PlantedOptions,
    RaisingSubject,
    RestlessSubject,
    Victims,
    open_planted,
)
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import AnyArray, Image
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from tests.subjects.planted.soft_paste import cut_out, jpeg, paste

SCENES = synthetic_scenes(SyntheticOptions(count=300))
CUTS = synthetic_scenes(SyntheticOptions(count=30, seed=2, shade="deep", objects=(1, 1)))


@cache
def pictures() -> list[Image]:
    return [scene.pixels() for scene in SCENES]


@cache
def right() -> list[Detections]:
    return list(PerfectSubject().predict(pictures()))


def detections(subject: Subject, image: Image) -> Detections:
    [answer] = subject.predict([image])
    assert isinstance(answer, Detections)
    return answer


def iou(a: AnyArray, b: AnyArray) -> float:
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    overlap = max(w, 0) * max(h, 0)
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return float(overlap / (areas - overlap))


def matched(scene: Scene, seen: Detections, least: float) -> list[int]:
    """For each object, the index of its only detection; label and IoU must agree."""
    assert scene.annotations is not None
    found = []
    for box, label in zip(scene.annotations.boxes, scene.annotations.labels, strict=True):
        near = [i for i in range(len(seen)) if iou(box, seen.boxes[i]) >= least]
        assert len(near) == 1, f"{scene.id}: {box} has {len(near)} detections"
        assert seen.labels[near[0]] == label
        found += near
    return found


def with_neighbour(scene: Scene, cut: Scene, gap: int) -> tuple[Image, int] | None:
    """The scene with an object `gap` pixels right of one of its own, and its index."""
    assert scene.annotations is not None
    assert cut.annotations is not None
    cx1, cy1, cx2, cy2 = cut.annotations.boxes[0].astype(int)
    w, h = int(cx2 - cx1), int(cy2 - cy1)
    for index, box in enumerate(scene.annotations.boxes.astype(int)):
        x, y = int(box[2] + gap), int((box[1] + box[3]) // 2 - h // 2)
        if x + w > 318 or y < 2 or y + h > 238:
            continue
        others = np.delete(scene.annotations.boxes, index, axis=0)
        apart = [max(o[0] - x - w, x - o[2], o[1] - y - h, y - o[3]) for o in others]
        if all(gap_to_other > 20 for gap_to_other in apart):
            return paste(scene.pixels(), cut_out(cut, 0), x, y, w, h), index
    return None


@cache
def insertions(gap: int, count: int = 30) -> list[tuple[Scene, Image, int]]:
    found = []
    for number, scene in enumerate(SCENES):
        made = with_neighbour(scene, CUTS[number % len(CUTS)], gap)
        if made is not None:
            found.append((scene, *made))
        if len(found) == count:
            return found
    raise AssertionError(f"only {len(found)} insertions found")


# The perfect subject


def test_the_perfect_subject_gives_exactly_the_truth() -> None:
    subject = PerfectSubject(task=Task.SEGMENTATION)
    for scene, answer in zip(SCENES, subject.predict(pictures()), strict=True):
        assert scene.annotations is not None
        order = matched(scene, answer, 0.95)
        assert len(answer) == len(order)
        np.testing.assert_array_equal(answer.boxes[order], scene.annotations.boxes)
        assert answer[order].masks == scene.annotations.masks
        assert (answer.scores == np.float32(0.9)).all()


@pytest.mark.parametrize(
    "options",
    [
        SyntheticOptions(count=40, gap=0, objects=(6, 8), sides=(20, 40)),
        SyntheticOptions(count=40, classes=tuple("abcdefghijkl"), size=(480, 640)),
        SyntheticOptions(count=40, classes=("one",), background="plain"),
        SyntheticOptions(count=40, shade="deep", background="gradient"),
        SyntheticOptions(count=5, objects=(0, 0)),
    ],
    ids=["touching", "twelve classes", "one class", "deep", "empty"],
)
def test_the_perfect_subject_is_right_whatever_the_scenes_look_like(
    options: SyntheticOptions,
) -> None:
    subject = PerfectSubject(options.classes)
    for scene in synthetic_scenes(options):
        seen = detections(subject, scene.pixels())
        assert len(matched(scene, seen, 0.95)) == len(seen)


@pytest.mark.parametrize(("quality", "count"), [(95, 100), (90, 100), (75, 300)])
def test_jpeg_does_not_mislead_the_perfect_subject(quality: int, count: int) -> None:
    """Only few scenes are affected by blurred edges, so the lowest quality needs them all."""
    for scene, image in zip(SCENES[:count], pictures()[:count], strict=True):
        seen = detections(PerfectSubject(), jpeg(image, quality))
        assert len(matched(scene, seen, 0.9)) == len(seen)


@pytest.mark.parametrize("gap", [0, 1, 5, 30])
def test_a_soft_edged_paste_is_seen_and_the_rest_stays_the_same(gap: int) -> None:
    for scene, image, _ in insertions(gap):
        seen = detections(PerfectSubject(), image)
        assert len(matched(scene, seen, 0.999)) == len(seen) - 1


@pytest.mark.parametrize("scale", [0.5, 0.7, 1.6])
def test_a_scaled_paste_keeps_its_label_and_box_even_after_jpeg(scale: float) -> None:
    empty = synthetic_scenes(SyntheticOptions(count=30, seed=9, objects=(0, 0)))
    for cut, ground in zip(CUTS, empty, strict=True):
        assert cut.annotations is not None
        x1, y1, x2, y2 = cut.annotations.boxes[0]
        w, h = round((x2 - x1) * scale), round((y2 - y1) * scale)
        image = paste(ground.pixels(), cut_out(cut, 0), 101, 77, w, h)
        for picture in (image, jpeg(image, 90)):
            seen = detections(PerfectSubject(), picture)
            assert seen.labels.tolist() == cut.annotations.labels.tolist()
            assert iou(seen.boxes[0], np.array([101, 77, 101 + w, 77 + h])) > 0.75


def test_a_washed_out_object_is_not_half_seen() -> None:
    scene = synthetic_scenes(SyntheticOptions(count=1, objects=(3, 3)))[0]
    washed = np.clip(scene.pixels().astype(int) + 140, 0, 255).astype(np.uint8)
    assert len(detections(PerfectSubject(), washed)) == 0


def test_labels_are_the_classes_that_are_there() -> None:
    subject = open_planted(PlantedOptions(task=Task.LABELS, confidence=0.8))
    for scene, answer in zip(SCENES[:50], subject.predict(pictures()[:50]), strict=True):
        assert isinstance(answer, LabelVector)
        assert scene.annotations is not None
        expected = np.zeros(6, dtype=np.float32)
        expected[scene.annotations.labels] = 0.8
        np.testing.assert_array_equal(answer.scores, expected)


# Faults that change the answer


def lost(seen: Detections) -> set[tuple[Any, ...]]:
    rows = zip(seen.labels.tolist(), map(tuple, seen.boxes.tolist()), strict=True)
    return set(rows)


@pytest.mark.parametrize(("gap", "struck"), [(0, True), (9, True), (10, True), (13, False)])
def test_exactly_the_scenes_own_neighbour_is_lost(gap: int, struck: bool) -> None:
    subject = DeviatingSubject(PerfectSubject(), Deviation.LOSES, distance=10)
    for scene, image, index in insertions(gap):
        assert scene.annotations is not None
        before, after = lost(detections(PerfectSubject(), image)), lost(detections(subject, image))
        truth = scene.annotations
        victim = (int(truth.labels[index]), tuple(truth.boxes[index].tolist()))
        assert before - after == ({victim} if struck else set())
        assert after <= before


@pytest.mark.parametrize("shade", list(Shade))
def test_old_ones_do_not_strike_each_other_nor_do_new_ones(shade: Shade) -> None:
    options = SyntheticOptions(count=40, gap=0, objects=(6, 8), sides=(20, 40), shade=shade)
    subject = DeviatingSubject(PerfectSubject(), Deviation.LOSES, distance=50)
    for scene in synthetic_scenes(options):
        image = scene.pixels()
        assert detections(subject, image) == detections(PerfectSubject(), image)


def test_victims_may_be_both_of_a_pair_or_the_smaller_one() -> None:
    for _, image, _ in insertions(5, count=30):
        every = detections(PerfectSubject(), image)
        both = DeviatingSubject(PerfectSubject(), Deviation.LOSES, victims=Victims.CROWDED)
        one = DeviatingSubject(PerfectSubject(), Deviation.LOSES, victims=Victims.SMALLER)
        pair = lost(every) - lost(detections(both, image))
        gone = lost(every) - lost(detections(one, image))
        assert len(pair) == 2
        assert gone == {min(pair, key=lambda row: (area(row[1]), row[1][0], row[1][1]))}


def area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def test_a_phantom_stands_beside_the_neighbour_where_nothing_is() -> None:
    subject = DeviatingSubject(PerfectSubject(task=Task.SEGMENTATION), Deviation.PHANTOM)
    for scene, image, index in insertions(5):
        assert scene.annotations is not None
        before, after = detections(PerfectSubject(), image), detections(subject, image)
        [phantom] = lost(after) - lost(before)
        assert lost(before) < lost(after)
        victim = scene.annotations.boxes[index]
        assert area(phantom[1]) == area(victim.tolist())
        assert phantom[0] == (scene.annotations.labels[index] + 1) % 6
        assert all(iou(np.array(phantom[1]), box) == 0 for box in before.boxes)
        assert np.abs(np.array(phantom[1]) - victim).max() <= max(victim[2:] - victim[:2]) + 2
        assert after.masks is not None
        assert after.masks.areas()[-1] == area(phantom[1])
        assert min(phantom[1]) >= 0
        assert phantom[1][2] <= 320
        assert phantom[1][3] <= 240


def test_the_neighbour_alone_is_relabelled() -> None:
    subject = DeviatingSubject(PerfectSubject(), Deviation.RELABELS)
    for scene, image, index in insertions(5):
        assert scene.annotations is not None
        before, after = detections(PerfectSubject(), image), detections(subject, image)
        np.testing.assert_array_equal(before.boxes, after.boxes)
        [changed] = np.flatnonzero(before.labels != after.labels)
        assert before.boxes[changed].tolist() == scene.annotations.boxes[index].tolist()
        assert after.labels[changed] == (before.labels[changed] + 1) % 6


@pytest.mark.parametrize("shift", [0.2, 0.5])
def test_the_neighbours_box_alone_is_shifted_by_the_given_share(shift: float) -> None:
    subject = DeviatingSubject(
        PerfectSubject(task=Task.SEGMENTATION), Deviation.SHIFTS, shift=shift
    )
    for scene, image, index in insertions(5):
        assert scene.annotations is not None
        before, after = detections(PerfectSubject(), image), detections(subject, image)
        [changed] = np.flatnonzero((before.boxes != after.boxes).any(axis=1))
        assert before.boxes[changed].tolist() == scene.annotations.boxes[index].tolist()
        expected = (1 - shift) / (1 + shift)
        assert iou(before.boxes[changed], after.boxes[changed]) == pytest.approx(expected, abs=1e-5)
        assert after.masks is not None
        ys, xs = np.nonzero(after.masks.to_array()[changed])
        outline = [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]
        assert np.abs(after.boxes[changed] - outline).max() <= 0.5


@pytest.mark.parametrize("rate", [0.1, 0.8])
@pytest.mark.parametrize("fault", list(Deviation))
def test_a_fault_strikes_at_its_rate(fault: Deviation, rate: float) -> None:
    subject = DeviatingSubject(PerfectSubject(), fault, victims=Victims.ANY, rate=rate, seed=3)
    pairs = zip(pictures(), right(), strict=True)
    struck = np.concatenate([subject.struck(image, answer) for image, answer in pairs])
    assert binomtest(int(struck.sum()), len(struck), rate).pvalue > 1e-3


@pytest.mark.parametrize("fault", list(Deviation))
def test_another_seed_strikes_other_objects(fault: Deviation) -> None:
    answers = []
    for seed in (3, 4):
        subject = DeviatingSubject(
            PerfectSubject(), fault, victims=Victims.ANY, rate=0.5, seed=seed
        )
        answers.append([lost(one) for one in subject.predict(pictures()[:40])])
    assert answers[0] != answers[1]


def test_a_rate_of_nought_plants_nothing() -> None:
    for fault in ("loses", "phantom", "relabels", "shifts", "flickers", "restless", "raises"):
        options = PlantedOptions(fault=fault, rate=0, victims=Victims.ANY)
        answers = open_planted(options).predict(pictures()[:20])
        assert list(answers) == right()[:20], fault


# Unstable subjects


def test_flicker_stays_about_the_threshold_and_moves_with_any_pixel() -> None:
    subject = FlickeringSubject(PerfectSubject(score=0.6), swing=0.03)
    above = total = 0
    for image in pictures()[:100]:
        changed = image.copy()
        changed[0, 0] ^= 1
        first, second = detections(subject, image), detections(subject, changed)
        assert (np.abs(first.scores - 0.6) <= 0.03 + 1e-6).all()
        assert not (first.scores == second.scores).any()
        np.testing.assert_array_equal(first.boxes, second.boxes)
        above += int((first.scores >= 0.6).sum())
        total += len(first)
    assert binomtest(above, total, 0.5).pvalue > 1e-3


def test_the_same_objects_flicker_whatever_else_changes_in_the_image() -> None:
    subject = FlickeringSubject(PerfectSubject(), rate=0.4)
    flickering = total = 0
    for image in pictures():
        changed = image.copy()
        changed[0, 0] ^= 1
        first, second = detections(subject, image), detections(subject, changed)
        flags = first.scores < 0.8
        np.testing.assert_array_equal(flags, second.scores < 0.8)
        flickering += int(flags.sum())
        total += len(flags)
    assert binomtest(flickering, total, 0.4).pvalue > 1e-3


def test_a_restless_subject_says_that_it_is_and_answers_otherwise_next_time() -> None:
    subject = RestlessSubject(PerfectSubject(), rate=0.3, seed=5)
    assert subject.deterministic is False
    every = sum(map(len, right()))
    first, second = subject.predict(pictures()), subject.predict(pictures())
    assert list(first) != list(second)
    for answers in (first, second):
        kept = sum(len(one) for one in answers)
        assert binomtest(kept, every, 0.7).pvalue > 1e-3


@pytest.mark.parametrize(
    "subject",
    [
        PerfectSubject(),
        DeviatingSubject(PerfectSubject(), Deviation.LOSES, victims=Victims.ANY, rate=0.5),
        DeviatingSubject(PerfectSubject(), Deviation.PHANTOM, victims=Victims.ANY, rate=0.5),
        DeviatingSubject(PerfectSubject(), Deviation.RELABELS, victims=Victims.ANY, rate=0.5),
        DeviatingSubject(PerfectSubject(), Deviation.SHIFTS, victims=Victims.ANY, rate=0.5),
        FlickeringSubject(PerfectSubject(), rate=0.5),
        GarbledSubject(PerfectSubject(), Junk.OUTSIDE, rate=0.5),
    ],
    ids=lambda subject: subject.name,
)
def test_the_same_pixels_get_the_same_answer_in_any_batch_and_order(subject: Subject) -> None:
    images = pictures()[:24]
    whole = list(subject.predict(images))
    backwards = [subject.predict([image])[0] for image in reversed(images)][::-1]
    thirds = [answer for i in range(0, 24, 3) for answer in subject.predict(images[i : i + 3])]
    assert whole == backwards == thirds
    assert subject.deterministic
    assert isinstance(subject, Subject)


# Failing subjects


def failures(subject: Subject, count: int = 100) -> list[bool]:
    out = []
    for image in pictures()[:count]:
        try:
            checked_batch(subject.predict([image]), [image], subject.classes, subject.task)
            out.append(False)
        except SubjectError:
            out.append(True)
    return out


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_raising_strikes_the_same_images_each_time_at_its_rate(rate: float) -> None:
    subject = RaisingSubject(PerfectSubject(), rate=rate, seed=1)
    struck = failures(subject)
    assert struck == failures(subject)
    assert binomtest(sum(struck), len(struck), rate).pvalue > 1e-3
    with pytest.raises(SubjectError, match=f"image {struck.index(True)} "):
        subject.predict(pictures()[:100])


def test_raising_on_one_call_goes_well_on_the_next_try() -> None:
    subject = RaisingSubject(PerfectSubject(), on_call=2)
    subject.predict(pictures()[:2])
    with pytest.raises(SubjectError, match="planted"):
        subject.predict(pictures()[:2])
    assert len(subject.predict(pictures()[:2])) == 2


@pytest.mark.parametrize(
    ("junk", "task"),
    [(junk, task) for junk in Junk for task in Task if (junk, task) != (Junk.OUTSIDE, Task.LABELS)],
)
def test_garbage_never_passes_for_an_answer(junk: Junk, task: Task) -> None:
    options = PlantedOptions(fault="garbage", garbage=junk, rate=0.3, seed=2, task=task)
    struck = failures(open_planted(options))
    assert binomtest(sum(struck), len(struck), 0.3).pvalue > 1e-3


def test_garbage_of_the_wrong_length_is_short_by_the_images_struck() -> None:
    subject = GarbledSubject(PerfectSubject(), Junk.LENGTH, rate=0.3, seed=2)
    assert len(subject.predict(pictures()[:100])) == 100 - sum(failures(subject))


def test_a_hanging_subject_answers_late_and_can_be_woken() -> None:
    late = HangingSubject(PerfectSubject(), seconds=0.05)
    start = time.monotonic()
    assert list(late.predict(pictures()[:2])) == list(PerfectSubject().predict(pictures()[:2]))
    assert time.monotonic() - start >= 0.1
    stuck = HangingSubject(PerfectSubject(), seconds=3600)
    thread = threading.Thread(target=stuck.predict, args=(pictures()[:1],), daemon=True)
    thread.start()
    for _ in range(200):
        stuck.restart()
        thread.join(0.05)
        if not thread.is_alive():
            return
    pytest.fail("the hang did not end")


# Opening


def test_a_configuration_opens_each_fault(tmp_path: Path) -> None:
    prints = set()
    for fault in PlantedOptions.model_fields["fault"].annotation:  # type: ignore[union-attr]
        values = {"kind": "planted", "fault": fault.value, "batch": 4, "score": 0.4, "sleep_ms": 0}
        if fault.value == "correlates":
            values |= {"task": "labels", "extra": [["tomato", "lemon"]]}
        subject = open_subject(values, tmp_path)
        assert subject.batch == 4
        assert subject.score == 0.4
        assert isinstance(subject, Subject)
        prints.add(subject.fingerprint)
        assert pickle.loads(pickle.dumps(subject)).fingerprint == subject.fingerprint
        subject.close()
    assert len(prints) == 11


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"fault": "relabels", "classes": ["one"]}, "needs a second class"),
        ({"task": "labels", "fault": "garbage", "garbage": "outside"}, "no boxes"),
        ({"fault": "looses"}, "fault: found 'looses'"),
        ({"rate": 2}, "rate: found 2"),
    ],
)
def test_a_plant_that_cannot_be_is_the_users_mistake(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        open_subject({"kind": "planted", **values}, tmp_path)


def test_every_setting_that_changes_an_answer_changes_the_fingerprint() -> None:
    base: dict[str, Any] = {"fault": "loses"}
    changes: list[dict[str, Any]] = [
        {"rate": 0.5},
        {"seed": 9},
        {"distance": 3},
        {"victims": "any"},
        {"confidence": 0.7},
        {"task": "segmentation"},
        {"task": "labels"},
        {"classes": ["a", "b"]},
    ]
    made = [open_planted(PlantedOptions(**{**base, **change})) for change in [{}, *changes]]
    assert len({subject.fingerprint for subject in made}) == len(changes) + 1
