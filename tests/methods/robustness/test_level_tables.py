"""Tables by level against counting one instance after the other; intervals are by scene."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from snellen.methods.robustness.instance_notes import InstanceCounts, UncertaintyNote
from snellen.methods.robustness.level_tables import level_tables
from snellen.methods.robustness.own_numbers import LevelCell, LevelRow, RankCorrelation
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import wilson
from snellen.statistics.scene_rates import rate
from snellen.store.estimate import Estimate
from snellen.vision.entropies import box_entropy

SCENES, EACH, TESTS = 30, 4, 20


class Places:
    """Where scenes are, and weights, as `Rates` has them."""

    weights = scene_weights(SCENES, 400, np.random.default_rng(3))

    def place(self, scene: str) -> int:
        return int(scene.removeprefix("scene "))


@pytest.fixture(scope="module")
def instances() -> list[InstanceCounts]:
    """All instances of a scene fail about as often: tests of a scene resemble each other."""
    rng = np.random.default_rng(8)
    found = []
    for scene in range(SCENES):
        bad = rng.choice([0.05, 0.9])
        for _ in range(EACH):
            unsure = {name: float(rng.random()) for name in ("total", "box_entropy", "box_trace",
                                                             "class_entropy",
                                                             "mutual_information")}  # fmt: skip
            side = 20 * 20 ** float(rng.random())
            found.append(
                InstanceCounts(
                    box=(10.0, 20.0, 10.0 + side, 20.0 + 2 * side),
                    scene=f"scene {scene}",
                    score=round(0.7 + 0.3 * float(rng.random()), 4),
                    tests=TESTS,
                    failing=int(rng.binomial(TESTS, bad)),
                    uncertainty=UncertaintyNote(**unsure, found=1.0),
                )
            )
    return found


def level_by_hand(value: float, values: Sequence[float]) -> int:
    """Of five intervals of equal width the one that a value is in; the highest is in the last."""
    low, width = min(values), (max(values) - min(values)) / 5
    level = 0
    while level < 4 and value >= low + (level + 1) * width:
        level += 1
    return level


def counted(chosen: Sequence[InstanceCounts]) -> tuple[list[float], list[float]]:
    """Failing tests and tests of each scene, one instance after the other."""
    failing, tests = [0.0] * SCENES, [0.0] * SCENES
    for one in chosen:
        place = int(one.scene.split()[1])
        failing[place] += one.failing
        tests[place] += one.tests
    return failing, tests


def assert_by_scene(told: LevelRow | LevelCell, chosen: Sequence[InstanceCounts]) -> None:
    failing, tests = counted(chosen)
    assert told.instances == len(chosen)
    assert (told.failing, told.tests) == (sum(failing), sum(tests))
    expected = Estimate.of(rate(failing, tests))
    assert told.rate == expected


def test_columns_and_table_are_those_of_counting_by_hand(instances: list[InstanceCounts]) -> None:
    made = level_tables(instances, Places())  # type: ignore[arg-type]
    assert made.uncertainty_levels is not None
    assert made.table is not None
    scores = [one.score for one in instances]
    unsure = [one.uncertainty.total for one in instances if one.uncertainty]
    column = [level_by_hand(one, scores) for one in scores]
    row = [level_by_hand(one, unsure) for one in unsure]
    for level in range(5):
        of = [one for one, own in zip(instances, column, strict=True) if own == level]
        assert_by_scene(made.score_levels[level], of)
        of = [one for one, own in zip(instances, row, strict=True) if own == level]
        assert_by_scene(made.uncertainty_levels[level], of)
        for other in range(5):
            both = zip(instances, row, column, strict=True)
            of = [one for one, r, c in both if (r, c) == (level, other)]
            assert_by_scene(made.table[level][other], of)


def test_tests_of_one_scene_do_not_count_as_independent(instances: list[InstanceCounts]) -> None:
    made = level_tables(instances, Places())  # type: ignore[arg-type]
    assert made.uncertainty_levels is not None
    for told in made.score_levels + made.uncertainty_levels:
        low, high = wilson(told.failing, told.tests)
        assert told.rate.high - told.rate.low > 1.5 * (high - low)


def test_box_entropy_is_correlated_without_what_is_size(instances: list[InstanceCounts]) -> None:
    """Instances whose borders spread by a share of their size, which alone makes them fail."""
    rng = np.random.default_rng(5)
    shares = rng.uniform(0.005, 0.05, len(instances))
    made = []
    for one, share in zip(instances, shares, strict=True):
        diagonal = float(np.hypot(one.box[2] - 10, one.box[3] - 20))
        entropy = box_entropy(np.eye(4) * (share * diagonal) ** 2)
        assert one.uncertainty is not None
        unsure = one.uncertainty.model_copy(update={"box_entropy": entropy})
        update = {"failing": round(300 * share), "uncertainty": unsure}
        made.append(one.model_copy(update=update))
    found = level_tables(made, Places()).correlations  # type: ignore[arg-type]
    assert _value(found.relative_box_entropy) > 0.97
    assert _value(found.box_entropy) < 0.8


def _value(found: RankCorrelation | None) -> float:
    assert found is not None
    assert found.value is not None
    return found.value
