"""What the method asks of a subject that draws and explains, and what it makes of the answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from snellen.changes.augmented_view import AugmentedView
from snellen.changes.saliency_mask import SaliencyMask
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Verdict
from snellen.engine.examination import examination, least_allowance
from snellen.errors import UserError
from snellen.methods.robustness import base_contours as outlines
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.options import RobustnessOptions
from snellen.methods.robustness.prerequisites import check_subject
from snellen.methods.robustness.stochastic_passes import views
from snellen.subjects.planted import PerfectSubject
from snellen.subjects.subject import Task
from snellen.vision.annotations import Annotations
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.saliency.random_masks import saliency_mask
from tests.methods.robustness.scene_driver import (
    BOX,
    SIZE,
    Explaining,
    driven,
    library_of,
    method_of,
    scene_of,
)


def examined(subject: Explaining, **options: Any) -> Verdict:
    method = method_of(subject, **{"tests_per_level": 3, "controls": 0.0, **options})
    [unit] = method.units()
    verdict: Verdict = driven(
        examination(
            method,
            unit,
            np.random.default_rng(5),
            allowance=None,
            steady=subject.deterministic,
            classes=subject.classes,
        ),
        subject.answer,
    )
    return verdict


def warm_spot(x1: int, y1: int, x2: int, y2: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    heat = np.zeros(SIZE, np.float32)
    heat[y1:y2, x1:x2] = 1
    return heat


def test_the_contour_is_the_edge_of_the_warm_region() -> None:
    subject = Explaining(heat=warm_spot(90, 70, 110, 90))
    [note] = examined(subject).notes["instances"]
    points = np.array(note["points"])
    assert note["contour"] == "grad-cam"
    assert note["contour_wanted"]
    assert points.shape == (64, 2)
    assert points.min(axis=0).tolist() == [90, 70]
    assert points.max(axis=0).tolist() == [110, 90]
    assert note["heat"]
    assert note["reach"] > 4, "nothing can be put on the warm region without covering the cat"


def test_an_instance_without_heat_falls_back_to_its_box_and_says_so() -> None:
    [note] = examined(Explaining(heat=None)).notes["instances"]
    assert note["contour"] == "box"
    assert not note["contour_wanted"]
    assert note["heat"] is None
    assert note["tests"] == 15


def test_heat_beside_the_instance_is_not_taken_for_its_own() -> None:
    heat = warm_spot(90, 70, 110, 90) + warm_spot(5, 5, 25, 25)
    [note] = examined(Explaining(heat=heat)).notes["instances"]
    assert np.array(note["points"]).min(axis=0).tolist() == [90, 70]


def test_saliency_asks_about_masks_of_the_scene_alone_and_once() -> None:
    subject = Explaining(draws=False)
    grid = {"masks": 30, "grid": (8, 8)}
    verdict = examined(subject, contour="saliency", saliency=grid, uncertainty="none")
    masked = [one for one in subject.asked if isinstance(one.recipe, SaliencyMask)]
    assert [one.recipe.seed for one in masked] == list(range(30))  # type: ignore[attr-defined]
    assert len(subject.asked) == 1 + 30 + len(verdict.cases)
    [note] = verdict.notes["instances"]
    assert not note["contour_wanted"], "a subject that finds it behind every mask tells nothing"


@dataclass
class Behind(Explaining):
    """Surer of the cat the more of a spot of the scene is shown; or sure by chance alone."""

    spot: tuple[int, int] | None = None
    chance: Any = None

    def answer(self, question: Question) -> Answer:
        found = super().answer(question)
        if not isinstance(question.recipe, SaliencyMask):
            return found
        recipe = question.recipe
        if self.spot is None:
            shown = self.chance.random()
        else:
            mask = saliency_mask(SIZE, recipe.seed, grid=recipe.grid, keep=recipe.keep)
            shown = float(mask[self.spot])
        return Answer(replace(found.prediction, scores=np.array([0.1 + 0.8 * shown])))


MASKS = {"contour": "saliency", "uncertainty": "none", "saliency": {"masks": 150, "grid": (8, 8)}}


def test_a_heat_map_beyond_chance_gives_the_contour() -> None:
    [note] = examined(Behind(draws=False, spot=(75, 100)), **MASKS).notes["instances"]
    assert (note["contour"], note["contour_wanted"]) == ("saliency", True)
    points = np.array(note["points"])
    assert (points.min(axis=0) < (100, 75)).all()
    assert (points.max(axis=0) > (100, 75)).all()


def test_a_heat_map_of_noise_gives_the_box_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every heat map has a hottest place; around this one it would draw a contour."""

    def noisy() -> Any:
        subject = Behind(draws=False, chance=np.random.default_rng(3))
        [note] = examined(subject, **MASKS).notes["instances"]
        return note

    note = noisy()
    assert (note["contour"], note["contour_wanted"]) == ("box", False)
    assert note["heat"] is None
    monkeypatch.setattr(outlines, "NOISE", 1.0)
    assert noisy()["contour"] == "saliency"


def test_dropout_is_asked_for_by_pass_and_gives_the_covariance_of_its_boxes() -> None:
    subject = Explaining(wobble=0.5)
    verdict = examined(subject, passes=7)
    assert [one.draw for one in subject.asked if one.draw] == list(range(1, 8))
    [note] = verdict.notes["instances"]
    expected = np.var(0.5 * np.arange(1, 8), ddof=1)
    assert note["uncertainty"]["box_trace"] == pytest.approx(expected, abs=1e-3)
    assert note["uncertainty"]["found"] == 1
    total = note["uncertainty"]["box_entropy"] + note["uncertainty"]["class_entropy"]
    assert note["uncertainty"]["total"] == pytest.approx(total, abs=1e-3)


def test_a_subject_that_draws_nothing_is_shown_views() -> None:
    subject = Explaining(draws=False)
    examined(subject, passes=6)
    assert sum(isinstance(one.recipe, AugmentedView) for one in subject.asked) == 6
    assert not any(one.draw for one in subject.asked)


@pytest.mark.parametrize("size", [(100, 100), (480, 640), (720, 1280)])
def test_views_show_the_whole_scene_and_are_all_different(size: tuple[int, int]) -> None:
    everything = [[0, 0, size[1], size[0]]]
    made = views(size, 12)
    assert len(set(made)) == 12
    assert {view.flip for view in made} == {True, False}
    for view in made:
        [box] = view.moved_boxes(everything, size)
        assert box.min() >= -0.02
        assert box[2] <= size[1] + 0.02
        assert box[3] <= size[0] + 0.02
        again = view.restore(Detections([box], [0], [1.0]), size)  # type: ignore[arg-type]
        assert iou(again.boxes, everything)[0, 0] > 0.999


def test_objects_have_the_size_asked_for_and_are_never_of_the_scene_itself() -> None:
    verdict = examined(Explaining(), size_ratio=(0.4, 0.6), uncertainty="none")
    area = (BOX[2] - BOX[0]) * (BOX[3] - BOX[1])
    ratios = {case.measurements["size_ratio"] for case in verdict.cases}
    assert 0.35 <= min(ratios) <= max(ratios) <= 0.65
    for case in verdict.cases:
        width, height = case.recipe.width, case.recipe.height  # type: ignore[attr-defined]
        assert width * height / area == pytest.approx(case.measurements["size_ratio"], abs=1e-3)
        box = [case.recipe.x, case.recipe.y, case.recipe.x + width, case.recipe.y + height]  # type: ignore[attr-defined]
        assert iou([box], [BOX])[0, 0] == 0


@pytest.mark.parametrize(
    ("labels", "expected"), [("same", {0}), ("other", {1}), (("Dog",), {1}), ("any", {0, 1})]
)
def test_labels_are_those_asked_for(labels: Any, expected: set[int]) -> None:
    verdict = examined(Explaining(), labels=labels, variety=6, uncertainty="none")
    assert {case.measurements["inserted_label"] for case in verdict.cases} == expected


def test_of_all_objects_those_most_like_the_surroundings_are_taken() -> None:
    every = examined(Explaining(), variety=6, uncertainty="none")
    some = examined(Explaining(), variety=2, uncertainty="none")
    bits = sorted({case.measurements["hash_distance"] for case in every.cases})
    chosen = {case.measurements["hash_distance"] for case in some.cases}
    assert chosen == set(bits[: len(chosen)])


def test_objects_are_chosen_by_their_score_and_uncertainty_alone() -> None:
    class Telling(Explaining):
        def answer(self, question: Question) -> Answer:
            if not question.scene.id.startswith("object"):
                return super().answer(question)
            self.asked.append(question)
            bright = 0.4 + round(float(question.scene.pixels().mean()) / 512, 3)
            box = [104, 104, 312, 312]
            return Answer(Detections([box, box], [0, 1], [bright, bright]))  # type: ignore[arg-type]

    subject = Telling()
    told = examined(subject, ask_alone=True, variety=6, passes=4)
    scores = {case.measurements["inserted_alone"] for case in told.cases}
    assert len(scores) >= 2
    assert all(case.measurements["inserted_uncertainty"] > 0 for case in told.cases)
    alone = [one for one in subject.asked if one.scene.id.startswith("object")]
    assert len(alone) == 6 * (1 + 4)
    low = sorted(scores)[0]
    kept = examined(Telling(), inserting_score=(low, low), variety=6, passes=4)
    assert {case.measurements["inserted_alone"] for case in kept.cases} == {low}
    none = examined(Telling(), inserting_uncertainty=(900, 901), passes=4)
    assert none.cases == ()
    [note] = none.notes["instances"]
    assert note["why"] == "no room near by, or no object fits"
    assert note["rate"]["value"] is None


def test_every_change_counts_as_published_and_only_hard_ones_otherwise() -> None:
    class Fading(Explaining):
        def answer(self, question: Question) -> Answer:
            near = question.recipe.kind == "insert"
            score = 0.45 if near else 0.6
            self.score = 0.5
            return Answer(Detections([BOX], [0], [score]))  # type: ignore[arg-type]

    options: dict[str, Any] = {"score": 0.55, "uncertainty": "none"}
    ours = examined(Fading(), **options)
    theirs = examined(Fading(), as_published=True, **options)
    for verdict, status in ((ours, "borderline"), (theirs, "failing")):
        assert {case.status for case in verdict.cases if case.role == "test"} == {status}
    assert ours.notes["instances"][0]["as_published"] == len(ours.cases)
    assert method_of(Explaining(), as_published=True).options.tests_per_level == 100


def test_annotations_tell_how_right_an_instance_is() -> None:
    known = Annotations(
        [[80, 55, 120, 75], [0, 0, 30, 30], [150, 100, 190, 140]],  # type: ignore[arg-type]
        [0, 0, 0],  # type: ignore[arg-type]
        crowd=[False, False, True],  # type: ignore[arg-type]
    )

    def stage(truth: Annotations | None, names: tuple[str, ...] = ("Cat",)) -> RobustnessScene:
        scene = replace(scene_of(), annotations=truth)
        return RobustnessScene(scene, Detections.empty(), 0.5, ("cat", "dog"), names)

    assert stage(known).truth_iou(BOX, 0) == 0.5
    assert stage(known).truth_iou([60, 100, 90, 140], 0) == 0
    assert stage(known).truth_iou([150, 100, 190, 140], 0) is None, "a crowd is there"
    assert stage(known).truth_iou(BOX, 1) is None, "no dog was ever annotated"
    assert stage(None).truth_iou(BOX, 0) is None


def test_a_subject_that_cannot_is_refused_with_what_to_do() -> None:
    with pytest.raises(UserError, match="saliency"):
        check_subject(RobustnessOptions(contour="grad-cam"), PerfectSubject())
    with pytest.raises(UserError, match="views"):
        check_subject(RobustnessOptions(uncertainty="dropout"), PerfectSubject())
    with pytest.raises(UserError, match="detectors"):
        check_subject(RobustnessOptions(), PerfectSubject(task=Task.LABELS))
    check_subject(RobustnessOptions(contour="grad-cam", uncertainty="dropout"), Explaining())
    assert library_of().labels() == ("cat", "dog")


@pytest.mark.parametrize(
    "wrong", [{"levels": [0, 0]}, {"size_ratio": [2, 1]}, {"inserting_score": [0.9, 0.1]}]
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="found"):
        RobustnessOptions(**wrong)


@pytest.mark.parametrize("steady", [True, False])
@pytest.mark.parametrize("options", [{}, {"ask_alone": True, "passes": 3}, {"controls": 1.0}])
def test_the_least_budget_is_enough_for_a_test_at_each_level(
    steady: bool, options: dict[str, Any]
) -> None:
    subject = Explaining(deterministic=steady)
    method = method_of(subject, **options)
    [unit] = method.units()
    least = least_allowance(method, steady=steady)
    rng = np.random.default_rng(5)
    work = examination(method, unit, rng, allowance=least, steady=steady, classes=subject.classes)
    verdict: Verdict = driven(work, subject.answer)
    levels = {case.measurements["level"] for case in verdict.cases if case.role == "test"}
    assert levels == {1, 2, 3, 4, 5}
    assert len(subject.asked) <= least
