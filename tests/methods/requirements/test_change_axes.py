"""Cases are spread evenly over visual change, and do not depend on the requirements."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.methods.requirements.change_axes import ChangeAxis, axes_of, sample_changes
from snellen.methods.requirements.specification.requirement import Requirement, ThresholdSource

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


def test_changes_are_uniform_over_many_scenes() -> None:
    for count in (3, 4):
        drawn = np.array(
            [one.delta_v for scene in range(500) for one in samples(count, str(scene), most=0.8)]
        )
        counts, _ = np.histogram(drawn, bins=8, range=(0, 0.8))
        assert counts.min() > 0.8 * len(drawn) / 8
        assert counts.max() < 1.2 * len(drawn) / 8
