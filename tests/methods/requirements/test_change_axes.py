"""Cases are spread evenly over visual change, once for all requirements."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.requirements.change_axes import ChangeAxis, axes_of, sample_changes
from snellen.methods.requirements.specification.requirement import Requirement, ThresholdSource


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


def test_one_axis_serves_all_requirements_of_a_transformation_up_to_the_largest() -> None:
    found = axes_of(
        [
            requirement("frost", 0.6),
            requirement("frost", 0.9),
            requirement("fog", 0.3),
            requirement("frost", 0.7, "vifp(sigma_nsq=0.4)"),
            requirement("fog", 0.2, "vifp"),
        ]
    )
    assert found == (
        ChangeAxis("fog", "vifp(sigma_nsq=2)", 0.3),
        ChangeAxis("frost", "vifp(sigma_nsq=0.4)", 0.7),
        ChangeAxis("frost", "vifp(sigma_nsq=2)", 0.9),
    )


@given(st.integers(1, 12), st.floats(0.05, 1.0), st.integers(0, 100))
def test_every_part_of_the_range_has_one_case(count: int, most: float, seed: int) -> None:
    made = sample_changes(
        ChangeAxis("frost", "vifp(sigma_nsq=2)", most), count, np.random.default_rng(seed)
    )
    parts = [min(int(one.delta_v / most * count), count - 1) for one in made]
    near = [abs(one.delta_v / most * count - place) for place, one in enumerate(made)]
    assert all(p == place or near[place] < 0.01 * count for place, p in enumerate(parts))
    assert len({one.seed for one in made}) == 1
    assert all(0 <= one.delta_v <= most + 1e-4 for one in made)


def test_changes_are_uniform_over_many_scenes() -> None:
    axis = ChangeAxis("frost", "vifp(sigma_nsq=2)", 0.8)
    rng = np.random.default_rng(1)
    drawn = np.array([one.delta_v for _ in range(500) for one in sample_changes(axis, 4, rng)])
    counts, _ = np.histogram(drawn, bins=8, range=(0, 0.8))
    assert counts.min() > 200
    assert counts.max() < 300
