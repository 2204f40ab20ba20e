"""Scenes to decide: right in simulation, and never for a value at the margin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.margin_test import margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.pair_model import PairModel
from snellen.statistics.sample_size import planned_scenes, scenes_to_decide
from snellen.statistics.scene_counts import scene_counts
from snellen.statistics.scene_curves import paired_curve

RNG = np.random.default_rng


def test_a_value_at_the_null_is_never_decided() -> None:
    same = np.ones(20)
    assert scenes_to_decide(discordant_pairs(same, same, same * 5), 0.0) is None
    assert scenes_to_decide(scene_counts(same, same * 5), 0.2) is None
    assert scenes_to_decide(scene_counts([], []), 0.2) is None


def test_what_is_decided_needs_no_more_scenes() -> None:
    pairs = discordant_pairs(np.full(30, 3), np.zeros(30), np.full(30, 5))
    assert scenes_to_decide(pairs) == 0


def test_the_number_is_that_of_a_normal_approximation_where_cases_are_independent() -> None:
    failing = np.arange(100) < 24
    more = scenes_to_decide(scene_counts(failing, np.ones(100)), 0.2)
    score, sure = stats.norm.isf(0.025), stats.norm.ppf(0.8)
    total = ((score * (0.2 * 0.8) ** 0.5 + sure * (0.24 * 0.76) ** 0.5) / 0.04) ** 2
    assert more is not None
    assert 100 + more == pytest.approx(total, rel=0.05)


def test_that_many_scenes_decide_in_four_of_five_runs() -> None:
    """A loss of 2 points against a margin of 5: the number from a large sample, tried out."""
    model, rng = PairModel(10, 0.2, 0.3, 0.8, loss=0.02), RNG(3)
    typical = np.median([_total(model.draw(60, rng), 60) for _ in range(25)])
    verdicts = [
        margin_verdict(paired_curve(model.draw(int(typical), rng)), 0.05).status for _ in range(150)
    ]
    share = verdicts.count(LossStatus.SATISFIED) / 150
    assert 0.65 <= share <= 0.93


def _total(pairs: object, scenes: int) -> int:
    more = scenes_to_decide(pairs, 0.05, tail=0.05)  # type: ignore[arg-type]
    return scenes + more if more is not None else 10**6


def test_a_plan_needs_more_scenes_for_a_smaller_margin_and_less_alike_answers() -> None:
    def scenes(margin: float, alike: float) -> int:
        found = planned_scenes(margin, 5, 0.2, 0.2, alike, rng=RNG(1))
        assert found is not None
        assert found.cases == 5 * found.scenes
        return found.scenes

    wide = scenes(0.1, 0.8)
    assert scenes(0.05, 0.8) > 2 * wide
    assert scenes(0.1, 1.0) < wide


def test_a_loss_at_the_margin_cannot_be_planned_for() -> None:
    assert planned_scenes(0.05, 5, 0.2, 0.2, 0.8, loss=0.05, rng=RNG(1)) is None


@pytest.mark.parametrize(
    ("values", "says"),
    [((0.5, 0.2, 0.2, 0.8), "at least 1 case"), ((5, 1.2, 0.2, 0.8), "rate must lie")],
)
def test_impossible_plans_are_refused(values: tuple[float, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        planned_scenes(0.05, *values, rng=RNG(1))
