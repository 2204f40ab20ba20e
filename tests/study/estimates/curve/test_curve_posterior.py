"""The posterior against a brute force on another grid, and against psignifit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import AnswerCounts, curve_posterior, prior

LEVELS = np.round(np.linspace(0, 1, 11), 3)
TAILS = 2 * stats.norm.ppf(0.95)

# psignifit 4.3, sigmoid 'norm', gamma and eta (1e-6) fixed, stimulus_range [0, 1], levels mirrored:
# chance, answers at each level, right ones, mean threshold, its 95% interval, MAP lapse rate.
PSIGNIFIT = [
    (0.5, 60, [58, 59, 60, 60, 55, 49, 43, 33, 31, 24, 27], 0.5608, (0.5188, 0.6133), 0.0132),
    (0.25, 40, [39, 37, 40, 36, 36, 25, 17, 10, 10, 5, 12], 0.5172, (0.4804, 0.5618), 0.0382),
    (0.0, 50, [49, 49, 47, 48, 40, 28, 15, 4, 1, 1, 0], 0.5293, (0.5034, 0.5601), 0.0225),
]


def counts(chance: float, right: list[int], asked: float) -> AnswerCounts:
    return AnswerCounts(
        LEVELS, np.full(11, chance), np.array(right, dtype=np.float64), np.full(11, asked)
    )


@pytest.mark.parametrize(("chance", "asked", "right", "mean", "interval", "lapse"), PSIGNIFIT)
def test_the_middle_is_that_of_psignifit(
    chance: float,
    asked: int,
    right: list[int],
    mean: float,
    interval: tuple[float, float],
    lapse: float,
) -> None:
    found = curve_posterior(counts(chance, right, asked), FAMILIES["gauss"], fall=0.5)
    assert found.weight @ found.threshold == pytest.approx(mean, abs=0.003)
    assert found.quantiles([0.025, 0.975]) == pytest.approx(interval, abs=0.008)
    assert found.lapse[np.argmax(found.weight)] == pytest.approx(lapse, abs=0.008)


def brute_force(data: AnswerCounts, fall: float) -> tuple[float, float]:
    """The 95% interval by scipy's distributions on an even grid, sampled by its weights."""
    middle, width, lapse = np.meshgrid(
        np.linspace(0.2, 1.0, 65), np.geomspace(0.02, 3, 81), np.linspace(0, 0.3, 31),
        indexing="ij",
    )  # fmt: skip
    score = stats.beta.logpdf(np.clip(lapse, 1e-12, 1), 1, 10)
    for x, chance, right, asked in zip(
        data.delta_v, data.chance, data.right, data.asked, strict=True
    ):
        share = chance + (1 - chance - lapse) * stats.norm.sf(x, middle, width / TAILS)
        score = score + stats.binom.logpmf(right, asked, np.clip(share, 1e-9, 1 - 1e-9))
    weight = np.exp(score - score.max())
    place = (middle + stats.norm.ppf(fall) * width / TAILS).reshape(-1)
    rng = np.random.default_rng(1)
    chosen = rng.choice(place, 400_000, p=weight.reshape(-1) / weight.sum())
    chosen += rng.uniform(-0.5, 0.5, len(chosen)) * 0.8 / 64  # within a step of the middle
    low, high = np.quantile(chosen, [0.025, 0.975])
    return float(low), float(high)


@pytest.mark.parametrize("fall", [0.1, 0.5])
@pytest.mark.parametrize("case", PSIGNIFIT)
def test_the_interval_is_that_of_a_brute_force(case: tuple, fall: float) -> None:
    data = counts(case[0], case[2], case[1])
    found = curve_posterior(data, FAMILIES["gauss"], fall).quantiles([0.025, 0.975])
    assert found == pytest.approx(brute_force(data, fall), abs=0.004)


def test_the_mode_is_the_most_likely_curve_of_a_weibull() -> None:
    """Against scipy's optimiser, with the same prior of the lapse rate."""
    rng = np.random.default_rng(5)
    family, asked = FAMILIES["weibull"], 4000.0
    chance, lapse = np.full(11, 0.5), 0.02
    share = 0.5 + (0.5 - lapse) * (1 - family.unseen(LEVELS, 0.55, 1.2))
    right = rng.binomial(int(asked), share).astype(np.float64)
    data = AnswerCounts(LEVELS, chance, right, np.full(11, asked))

    def loss(values: np.ndarray) -> float:
        middle, wide, missed = values
        curve = 0.5 + (0.5 - missed) * (1 - stats.weibull_min.cdf(*_weibull(middle, wide)))
        likely = stats.binom.logpmf(right, asked, np.clip(curve, 1e-9, 1 - 1e-9)).sum()
        return -float(likely + 9 * np.log1p(-missed))

    best = optimize.minimize(loss, [0.5, 1.0, 0.05], method="Nelder-Mead").x
    assert curve_posterior(data, family).mean() == pytest.approx(best, rel=0.03, abs=0.003)


def _weibull(middle: float, wide: float) -> tuple[np.ndarray, float, float, float]:
    """scipy's arguments: the median and log(x95 / x05) give the shape and the scale."""
    shape = np.log(np.log(0.05) / np.log(0.95)) / wide
    return LEVELS, shape, 0.0, middle / np.log(2) ** (1 / shape)


def test_four_times_the_answers_halve_the_interval() -> None:
    """Also where the posterior is far narrower than the coarse grid."""
    plain, wide = (
        np.ptp(
            curve_posterior(
                counts(0.5, [x * more for x in PSIGNIFIT[0][2]], 60 * more), FAMILIES["gauss"]
            ).quantiles([0.025, 0.975])
        )
        for more in (1600, 400)
    )
    assert wide / plain == pytest.approx(2.0, rel=0.05)


def test_nothing_is_known_before_the_first_answer() -> None:
    low, high = prior(FAMILIES["gauss"]).quantiles([0.025, 0.975])
    assert low < 0
    assert high > 1
