"""Verdicts against a margin, and their agreement with the interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.statistics.margin_test import margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.pair_model import PairModel
from snellen.statistics.scene_curves import paired_curve


def loses(scenes: int, lost: int) -> DiscordantPairs:
    """Ten cases a scene, of which one fails more after the change in some scenes."""
    return discordant_pairs(2 + (np.arange(scenes) < lost), np.full(scenes, 2), np.full(scenes, 10))


def test_verdicts_are_those_of_the_single_bounds() -> None:
    for lost in range(0, 41, 4):
        curve = paired_curve(loses(64, lost))
        found = margin_verdict(curve, 0.03, 0.05)
        upper = curve.interval(0.95, "upper").high
        lower = curve.interval(0.95, "lower").low
        assert (found.status is LossStatus.SATISFIED) == (upper < 0.03)
        assert (found.status is LossStatus.VIOLATED) == (lower > 0.03)
        assert found.p_satisfied + found.p_violated == pytest.approx(1)


def test_more_loss_goes_from_satisfied_over_undecided_to_violated() -> None:
    found = [margin_verdict(paired_curve(loses(64, lost)), 0.03).status for lost in range(65)]
    order = [LossStatus.SATISFIED, LossStatus.UNDECIDED, LossStatus.VIOLATED]
    places = [order.index(one) for one in found]
    assert places == sorted(places)
    assert set(places) == {0, 1, 2}


def test_a_stricter_level_decides_less() -> None:
    curve = paired_curve(loses(64, 5))
    assert margin_verdict(curve, 0.03, 0.05).status is LossStatus.SATISFIED
    assert margin_verdict(curve, 0.03, 1e-6).status is LossStatus.UNDECIDED


def test_no_data_are_undecided() -> None:
    found = margin_verdict(paired_curve(discordant_pairs([], [], [])), 0.02)
    assert found.status is LossStatus.UNDECIDED
    assert math.isnan(found.p_satisfied)


@pytest.mark.parametrize("scenes", [20, 64])
def test_verdicts_at_the_border_err_in_at_most_one_of_twenty(scenes: int) -> None:
    """A true loss of exactly the margin; 400 runs, 2.3 standard errors allowed."""
    model, rng = PairModel(10, 0.2, 0.3, 0.9, loss=0.05), np.random.default_rng(5)
    found = [margin_verdict(paired_curve(model.draw(scenes, rng)), 0.05).status for _ in range(400)]
    for status in (LossStatus.SATISFIED, LossStatus.VIOLATED):
        assert found.count(status) <= 30
