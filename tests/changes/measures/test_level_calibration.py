"""From levels to visual change and back, in few evaluations, and the measurements of cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.corruptions.corruption import Corruption
from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.identity import Identity
from snellen.changes.measures.level_calibration import (
    EVALUATIONS,
    Change,
    LevelCalibration,
    calibrate,
)
from snellen.changes.measures.level_scale import STRAIGHT, LevelScale
from snellen.changes.measures.registry import take_measurements
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.pictures import read_picture
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import Bytes, Image
from snellen.vision.visual_change.built_in_measures import Ssim, Vifp
from snellen.vision.visual_change.measure import Likeness, VisualMeasure
from snellen.vision.visual_change.registry import visual_measure
from tests.vision.photographs import blurred, faded, levels, noisy, photograph


@dataclass(frozen=True)
class Told(VisualMeasure):
    """A measure for tests: the value of the first pixel."""

    name: ClassVar[str] = "given"
    score: ClassVar[str] = "given"

    def against(self, reference: Image) -> Likeness:
        return lambda image: 1 - float(image.ravel()[0])


def calibration_of(
    curve: Callable[[float], float], start: float = 0.0, scale: LevelScale = STRAIGHT
) -> tuple[LevelCalibration, int]:
    """The calibration of a change with the visual change curve(level), and its evaluations."""
    asked: list[float] = []

    def change(level: float) -> Image:
        asked.append(level)
        return np.array([[[curve(level)]]])

    blank = np.zeros((1, 1, 3), np.uint8)
    return calibrate(blank, change, Told(), start=start, scale=scale), len(asked)


CURVES: dict[str, Callable[[float], float]] = {
    "straight": lambda level: 0.9 * level,
    "early": lambda level: level**0.3,
    "very early": lambda level: 0.95 * (1 - np.exp(-level / 0.02)),
    "late": lambda level: level**4,
    "saturating": lambda level: min(4 * level, 0.8),
    "by steps": lambda level: np.floor(level * 8) / 8,
    "nothing": lambda level: 0.0,
    "all at once": lambda level: float(level > 0),
    "rising and falling": lambda level: 0.7 * np.sin(2.5 * level),
}


@pytest.mark.parametrize("name", CURVES)
def test_no_calibration_costs_more_than_seven_evaluations(name: str) -> None:
    found, cost = calibration_of(CURVES[name])
    assert cost <= EVALUATIONS == 7
    assert len(found.levels) == cost + 1
    assert found.levels[0] == 0
    assert found.levels[-1] == 1
    assert list(found.levels) == sorted(set(found.levels))


@pytest.mark.parametrize("name", ["straight", "early", "late", "saturating", "rising and falling"])
def test_the_level_for_a_visual_change_makes_it(name: str) -> None:
    curve = CURVES[name]
    found, _ = calibration_of(curve)
    wanted = np.linspace(0, found.reach, 100)
    errors = [abs(curve(found.level_for(float(one))) - one) for one in wanted]
    assert np.mean(errors) <= 0.02
    assert max(errors) <= 0.1


def test_a_change_beyond_reach_is_reported_and_gets_all_there_is() -> None:
    found, _ = calibration_of(CURVES["straight"])
    assert found.reach == pytest.approx(0.9)
    assert found.reaches(0.9)
    assert not found.reaches(0.91)
    assert found.level_for(0.95) == 1


def test_no_level_beyond_the_one_that_changes_most_is_used() -> None:
    found, _ = calibration_of(CURVES["rising and falling"])
    best = max(zip(found.delta_v, found.levels, strict=True))[1]
    assert best < 1
    assert max(found.level_for(v) for v in np.linspace(0, 1, 60)) == best


def test_a_change_that_does_nothing_has_no_reach() -> None:
    found, cost = calibration_of(CURVES["nothing"])
    assert found.reach == 0
    assert not found.reaches(0.1)
    assert found.level_for(0.1) == 0
    assert cost == 2


def test_levels_below_the_start_are_never_asked() -> None:
    found, _ = calibration_of(lambda level: max(level - 0.4, 0) / 0.6, start=0.4)
    assert found.levels[0] == 0.4
    assert found.level_for(0) == 0.4
    assert found.level_for(0.5) == pytest.approx(0.7, abs=0.02)


@pytest.mark.parametrize("wanted", [-0.1, 1.1, float("nan")])
def test_a_visual_change_outside_0_to_1_is_refused(wanted: float) -> None:
    with pytest.raises(UserError, match="delta_v: found"):
        LevelCalibration((0.0, 1.0), (0.0, 0.5)).level_for(wanted)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.lists(st.floats(0, 1), min_size=2))
@settings(max_examples=80)
def test_more_visual_change_never_asks_for_less_level(
    changes: list[float], wanted: list[float]
) -> None:
    spread = np.linspace(0, 1, len(changes))
    found = LevelCalibration(tuple(map(float, spread)), (0.0, *changes[1:]))
    asked = [found.level_for(one) for one in sorted(wanted)]
    assert asked == sorted(asked)
    assert all(0 <= level <= 1 for level in asked)
    for level, change in zip(found.levels, found.delta_v, strict=True):
        assert found.level_for(change) <= level + 1e-6


def _changes(image: Bytes) -> dict[str, Change]:
    soft = blurred(image, 3).astype(np.float64)
    return {
        "noise": lambda level: noisy(image, 200 * level),
        "contrast": lambda level: faded(image, 0.99 * level),
        "blur": lambda level: levels(image + level * (soft - image)),
        "brightness": lambda level: levels(image + 255 * level),
    }


def share_near(image: Bytes, change: Change, measure: VisualMeasure, count: int) -> list[bool]:
    """Whether each of some visual changes within reach is met to 0.03."""
    found = calibrate(image, change, measure)
    wanted = found.reach * (np.arange(count) + 0.5) / count
    made = [measure.compare(image, change(found.level_for(float(v)))) for v in wanted]
    return [bool(near) for near in np.abs(np.array(made) - wanted) <= 0.03]


@pytest.mark.parametrize("measure", [Vifp(), Vifp(0.4), Ssim()], ids=lambda one: one.identity)
def test_visual_change_comes_within_3_hundredths_of_what_was_asked(measure: VisualMeasure) -> None:
    near: list[bool] = []
    for seed in range(3):
        image = photograph(96, 128, seed)
        for change in _changes(image).values():
            near += share_near(image, change, measure, 9)
    assert np.mean(near) >= 0.95


def _corrupted(kind: Corruption, image: Bytes, level: float) -> Bytes:
    return kind.change(image, level, 3)


def test_corruptions_of_photographs_come_within_3_hundredths(shared: Callable[[str], Path]) -> None:
    names = ("gaussian_noise", "defocus_blur", "fog", "brightness", "contrast", "frost")
    near: list[bool] = []
    for path in sorted(shared("coco_val64/images").iterdir())[20:24]:
        image = read_picture(path)[:240, :320]
        for name in names:
            kind = corruption(name)
            near += share_near(image, partial(_corrupted, kind, image), Vifp(0.4), 6)
    assert np.mean(near) >= 0.95


def near_by_kind(name: str, images: list[Bytes], count: int) -> list[bool]:
    near: list[bool] = []
    kind = corruption(name)
    for image in images:
        change = partial(_corrupted, kind, image)
        found = calibrate(image, change, Vifp(0.4), start=kind.start, scale=kind.scale)
        assert len(found.levels) <= EVALUATIONS + 1
        for wanted in found.reach * (np.arange(count) + 0.5) / count:
            made = Vifp(0.4).compare(image, change(found.level_for(float(wanted))))
            near.append(abs(made - wanted) <= 0.03)
    return near


@pytest.mark.parametrize(
    ("name", "share"),
    [("jpeg_compression", 0.8), ("pixelate", 0.9), ("gaussian_blur", 0.85), ("zoom_blur", 0.95)],
)
def test_those_that_leap_at_low_levels_come_near_by_their_typical_scale(
    name: str, share: float, shared: Callable[[str], Path]
) -> None:
    paths = sorted(shared("coco_val64/images").iterdir())[20:24]
    near = near_by_kind(name, [read_picture(path)[:240, :320] for path in paths], 6)
    assert np.mean(near) >= share


def test_a_scale_is_followed_between_what_was_measured() -> None:
    scale = LevelScale((0.0, 0.1, 1.0), (0.0, 0.5, 1.0))
    found = LevelCalibration((0.0, 1.0), (0.0, 0.8), scale)
    assert found.level_for(0.4) == pytest.approx(0.1)
    assert found.level_for(0.6) == pytest.approx(0.55)
    kinked, cost = calibration_of(lambda level: 0.9 * scale.share_at(level), scale=scale)
    assert cost <= EVALUATIONS
    assert all(
        0.9 * scale.share_at(kinked.level_for(v)) == pytest.approx(v, abs=1e-4)
        for v in np.linspace(0.01, 0.9, 30).tolist()
    )


def test_a_scale_that_does_not_fit_costs_precision_and_nothing_else() -> None:
    scale = LevelScale((0.0, 0.1, 1.0), (0.0, 0.9, 1.0))
    found, cost = calibration_of(lambda level: level**3, scale=scale)
    assert cost <= EVALUATIONS
    errors = [abs(found.level_for(v) ** 3 - v) for v in np.linspace(0, 1, 50).tolist()]
    assert max(errors) <= 0.1


@pytest.mark.parametrize("name", CORRUPTIONS.builtin)
def test_every_corruption_has_a_scale_from_where_it_starts_that_rises_throughout(name: str) -> None:
    kind = corruption(name)
    scale = kind.scale
    assert (scale.levels[0], scale.levels[-1]) == (kind.start, 1)
    assert (scale.shares[0], scale.shares[-1]) == (0, 1)
    assert all(low < high for low, high in pairwise(scale.levels))
    assert all(low < high for low, high in pairwise(scale.shares))


@pytest.mark.parametrize("name", ["jpeg_compression", "brightness"])
def test_what_is_recorded_is_the_visual_change_that_was_made_not_the_one_wanted(name: str) -> None:
    image = photograph(96, 128)
    scene = Scene("a", PictureArray(image), (96, 128))
    for wanted in (0.1, 0.5, 0.99):
        recipe = CorruptTo(name, wanted, "vifp(sigma_nsq=0.4)", 3)
        case = recipe.build(scene, {})
        found = take_measurements(("delta_v",), scene, recipe, case)["delta_v"]
        assert found == pytest.approx(Vifp(0.4).compare(image, case), abs=1e-6)
    assert abs(found - 0.99) > 0.01, "out of reach, and reported with its actual value"


def test_a_calibration_is_the_same_every_time() -> None:
    image = photograph(60, 60)
    change = _changes(image)["noise"]
    assert calibrate(image, change, Vifp()) == calibrate(image.copy(), change, Vifp())


@dataclass(frozen=True)
class Fade(Recipe):
    kind: ClassVar[str] = "fade"
    level: float
    measure: str = "vifp(sigma_nsq=0.4)"

    def build(self, scene: Scene, materials: Materials) -> Image:
        return faded(scene.pixels(), self.level)


@dataclass(frozen=True)
class FadeBySize(Recipe):
    kind: ClassVar[str] = "fade-by-size"

    def build(self, scene: Scene, materials: Materials) -> Image:
        return faded(scene.pixels(), self.level_in(scene))

    def level_in(self, scene: Scene) -> float:
        return scene.size[0] / 200


def measured(recipe: Recipe, *, crop: int = 0) -> dict[str, float]:
    image = photograph(60, 80)
    scene = Scene("a", PictureArray(image), (60, 80))
    case = recipe.build(scene, {})[crop:]
    return take_measurements(("delta_v", "level"), scene, recipe, case)


def test_a_case_is_measured_by_its_recipes_own_measure() -> None:
    image = photograph(60, 80)
    for recipe in (Fade(0.5), Fade(0.5, "ssim(window=7)"), Fade(0.5, "vifp")):
        expected = visual_measure(recipe.measure).compare(image, faded(image, 0.5))
        assert measured(recipe) == {"delta_v": pytest.approx(expected, abs=1e-6), "level": 0.5}


def test_a_level_that_depends_on_the_scene_is_asked_of_the_recipe() -> None:
    found = measured(FadeBySize())
    expected = Vifp().compare(photograph(60, 80), faded(photograph(60, 80), 0.3))
    assert found == {"delta_v": pytest.approx(expected, abs=1e-6), "level": 0.3}


def test_the_scene_itself_has_no_visual_change_and_no_level() -> None:
    assert measured(Identity()) == {"delta_v": 0, "level": 0}


def test_a_case_of_another_size_has_nothing_left_of_its_scene() -> None:
    assert measured(Fade(0.1), crop=1)["delta_v"] == 1
