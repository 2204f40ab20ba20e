"""Cases are spread evenly over visual change, and do not depend on the requirements."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.measures.registry import take_measurements
from snellen.changes.registry import recipe_from_json
from snellen.methods.human.people import ThresholdSource
from snellen.methods.requirements.change_axes import (
    ChangeAxis,
    axes_of,
    object_boxes,
    sample_changes,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.annotations import Annotations
from snellen.vision.visual_change.built_in_measures import Vifp
from snellen.vision.visual_change.registry import visual_measure
from tests.changes.corruptions.photographs import photograph

FROST = ChangeAxis("frost", "vifp(sigma_nsq=2)")


def requirement(
    transformation: str, threshold: float, measure: str = "vifp(sigma_nsq=2)"
) -> Requirement:
    return Requirement(
        name=f"{transformation}-{threshold}-{measure}",
        task="detection",
        subtask="localise",
        transformation=transformation,
        measure=measure,
        threshold=threshold,
        thresholds=(threshold,),
        source=ThresholdSource(study="made up"),
    )


def samples(count: int, scene: str = "a", *, most: float = 1.0, seed: int = 1) -> list[CorruptTo]:
    return sample_changes(FROST, count, most=most, scene=scene, seed=seed)


def test_one_axis_serves_all_requirements_of_a_transformation() -> None:
    wanted = [
        requirement("frost", 0.6),
        requirement("frost", 0.9),
        requirement("fog", 0.3),
        requirement("frost", 0.7, "vifp(sigma_nsq=0.4)"),
        requirement("fog", 0.2, "vifp"),
    ]
    found = axes_of(wanted)
    assert found == (
        ChangeAxis("fog", "vifp(sigma_nsq=2)"),
        ChangeAxis("frost", "vifp(sigma_nsq=0.4)"),
        FROST,
    )
    assert axes_of(wanted[::-1]) == found


@given(st.integers(0, 4), st.floats(0.05, 1.0), st.integers(0, 100))
def test_every_part_of_the_range_has_one_case(power: int, most: float, seed: int) -> None:
    count = 2**power
    made = samples(count, most=most, seed=seed)
    assert all(0 <= one.delta_v <= most + 1e-4 for one in made)
    places = np.sort([one.delta_v for one in made]) / most * count
    assert (places >= np.arange(count) - 0.01 * count).all()
    assert (places <= np.arange(1, count + 1) + 0.01 * count).all()


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 100))
def test_a_case_depends_on_its_number_but_not_on_how_many_there_are(
    few: int, more: int, seed: int
) -> None:
    assert samples(few, seed=seed) == samples(few + more, seed=seed)[:few]
    assert len({one.seed for one in samples(few, seed=seed)}) == 1


def test_cases_differ_by_seed_scene_and_transformation() -> None:
    fog = sample_changes(ChangeAxis("fog", "vifp(sigma_nsq=2)"), 1, most=1.0, scene="a", seed=1)
    drawn = [*samples(1), *samples(1, "b"), *samples(1, seed=2), *fog]
    assert len({one.delta_v for one in drawn}) == 4
    assert len({one.seed for one in drawn}) == 4


def test_only_a_measure_at_the_objects_is_told_where_they_are() -> None:
    boxes = ((1, 2, 30, 40),)
    for measure, used in (("vifp_objects", boxes), ("vifp", ()), ("vifp_colour", ())):
        axis = ChangeAxis("frost", visual_measure(measure).identity)
        [made] = sample_changes(axis, 1, most=1.0, scene="a", seed=1, boxes=boxes)
        assert made.boxes == used
        assert recipe_from_json(made.to_json()) == made
        assert ("boxes" in made.to_json()) == bool(used)


def test_the_change_at_the_objects_is_what_was_asked_for() -> None:
    image = photograph(1, 120, 160).copy()
    image[:, 80:] = 128  # fog does nothing to a half that shows nothing
    boxes = np.array([[5.0, 5.0, 70.0, 110.0]], dtype=np.float32)
    scene = Scene("a", PictureArray(image), (120, 160), Annotations(boxes, np.array([0])))
    axis = ChangeAxis("frost", "vifp_objects(sigma_nsq=2)")
    [made] = sample_changes(axis, 1, most=0.6, scene="a", seed=2, boxes=object_boxes(scene))
    found = take_measurements(["delta_v"], scene, made, made.build(scene, {}))["delta_v"]
    assert found == pytest.approx(made.delta_v, abs=0.03)
    before, after = image[5:110, 5:70], made.build(scene, {})[5:110, 5:70]
    assert found == pytest.approx(Vifp().compare(before, after), abs=1e-6)


def test_changes_are_uniform_over_many_scenes() -> None:
    for count in (3, 4):
        drawn = np.array(
            [one.delta_v for scene in range(500) for one in samples(count, str(scene), most=0.8)]
        )
        counts, _ = np.histogram(drawn, bins=8, range=(0, 0.8))
        assert counts.min() > 0.8 * len(drawn) / 8
        assert counts.max() < 1.2 * len(drawn) / 8
