"""What people lose up to a threshold: by hand, and as often within its bounds as they say."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.human.human_loss import human_loss
from snellen.methods.human.procedures.answer_tally import (
    AnswerTally,
    drawn_within_bins,
)

EDGES = np.arange(1, 11) / 10


def test_every_bin_up_to_the_threshold_counts_alike() -> None:
    right = np.array([[9.0, 40, 0, 1], [9.0, 40, 0, 1], [8.0, 40, 0, 1]])
    asked = np.array([[10.0, 80, 0, 10]] * 3)
    edges = np.array([0.1, 0.2, 0.3, 0.4])
    tally = AnswerTally(edges, edges, right, asked)
    found = human_loss(tally, np.array([1.0, 1.0, 0.9]), 0.3)
    assert found is not None
    assert found.value == pytest.approx(1 - (0.9 + 0.5) / 2)
    assert found.low == pytest.approx(np.quantile([0.3, 0.9 - 0.65], 0.05))
    assert human_loss(tally, np.ones(3), 0.05) is None
    assert human_loss(AnswerTally(edges, edges, right[:1], asked[:1]), np.ones(1), 0.3) is None


def test_the_bounds_hold_the_truth_as_often_as_they_say() -> None:
    """300 studies of 40 answers per bin; 5% lie beyond each bound, give or take 3.8 points."""
    rng, truth, runs = np.random.default_rng(1), np.linspace(0.95, 0.75, 10), 300
    beyond = np.zeros(2)
    for _ in range(runs):
        right = rng.binomial(40, truth).astype(np.float64)
        tally = drawn_within_bins(EDGES, right, np.full(10, 40.0), 200, rng)
        found = human_loss(tally, np.full(201, 0.97), 0.6)
        assert found is not None
        real = 0.97 - truth[:6].mean()
        beyond += (real < found.low, real > found.high)
    assert (beyond <= runs * 0.088).all(), beyond
    assert beyond.sum() > 0
