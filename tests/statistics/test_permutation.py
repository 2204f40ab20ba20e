from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.permutation import (
    Alternative,
    paired_permutation_test,
)
from snellen.vision.arrays import F64

ALTERNATIVES: list[Alternative] = ["two-sided", "greater", "less"]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def mean_difference(a: F64, b: F64, axis: int = -1) -> F64:
    return np.asarray(a.mean(axis=axis) - b.mean(axis=axis))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_swapping_all_scenes_agrees_with_scipy(alternative: Alternative, seed: int) -> None:
    first, second = np.random.default_rng(seed).normal(0.4, 1, (2, 9))
    reference = stats.permutation_test(
        (first, second),
        mean_difference,
        permutation_type="samples",
        vectorized=True,
        alternative=alternative,
    )
    ones = np.ones(9)
    found = paired_permutation_test((first, ones), (second, ones), rng(), alternative=alternative)
    assert found.exact
    assert found.permutations == 512
    assert found.difference == pytest.approx(reference.statistic)
    assert found.p_value == pytest.approx(_one_sided_twice(reference, alternative))


def _one_sided_twice(reference, alternative: Alternative) -> float:  # type: ignore[no-untyped-def]
    """Scipy's p-value; for two sides, with |difference| as the measure of extremeness."""
    if alternative != "two-sided":
        return float(reference.pvalue)
    null = np.abs(reference.null_distribution)
    return float(np.mean(null >= abs(reference.statistic) - 1e-9))


def test_rates_with_unequal_cases_are_swapped_as_rates() -> None:
    a = (np.array([3.0, 0.0, 2.0]), np.array([4.0, 6.0, 5.0]))
    b = (np.array([1.0, 1.0, 0.0]), np.array([2.0, 9.0, 5.0]))
    null = []
    for swap in range(8):
        chosen = [(swap >> scene) & 1 for scene in range(3)]
        tops = [[(a, b)[c][0][i] for i, c in enumerate(chosen)]]
        tops += [[(b, a)[c][0][i] for i, c in enumerate(chosen)]]
        bottoms = [[(a, b)[c][1][i] for i, c in enumerate(chosen)]]
        bottoms += [[(b, a)[c][1][i] for i, c in enumerate(chosen)]]
        null.append(sum(tops[0]) / sum(bottoms[0]) - sum(tops[1]) / sum(bottoms[1]))
    found = paired_permutation_test(a, b, rng())
    assert found.p_value == np.mean(np.abs(null) >= abs(null[0]) - 1e-9)


def test_scenes_on_which_both_agree_cost_nothing() -> None:
    first, second = np.ones(5000), np.ones(5000)
    second[:6] = 0
    found = paired_permutation_test((first, np.ones(5000)), (second, np.ones(5000)), rng())
    assert found.exact
    assert found.permutations == 64
    assert found.p_value == 2 / 64


def test_a_subject_does_not_differ_from_itself() -> None:
    one = (np.arange(20.0), np.full(20, 30.0))
    assert paired_permutation_test(one, one, rng()).p_value == 1.0


def test_random_swaps_come_near_all_swaps_and_never_give_zero() -> None:
    source = np.random.default_rng(3)
    first, second = source.normal(0.7, 1, 12), source.normal(0, 1, 12)
    pair = ((first, np.ones(12)), (second, np.ones(12)))
    every = paired_permutation_test(*pair, rng(), permutations=4095)
    some = paired_permutation_test(*pair, rng(), permutations=4000)
    assert every.exact
    assert not some.exact
    assert some.p_value == pytest.approx(every.p_value, abs=0.02)
    apart = ((np.ones(40), np.ones(40)), (np.zeros(40), np.ones(40)))
    assert paired_permutation_test(*apart, rng(), permutations=99).p_value == 0.01


def test_many_scenes_are_worked_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    source = np.random.default_rng(3)
    pair = (
        (source.normal(0.1, 1, 300), np.ones(300)),
        (source.normal(0, 1, 300), np.ones(300)),
    )
    whole = paired_permutation_test(*pair, rng(), permutations=500)
    monkeypatch.setattr("snellen.statistics.permutation._BLOCK", 3000)
    parts = paired_permutation_test(*pair, rng(), permutations=500)
    assert parts.p_value == pytest.approx(whole.p_value, abs=0.08)


def test_unpaired_scenes_are_refused() -> None:
    with pytest.raises(ValueError, match="scenes must be paired: found 2 and 3"):
        paired_permutation_test((np.ones(2), np.ones(2)), (np.ones(3), np.ones(3)), rng())
