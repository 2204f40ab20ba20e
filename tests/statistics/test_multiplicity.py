from __future__ import annotations

import numpy as np
import pytest

from snellen.statistics.multiplicity import adjusted_p_values, discoveries, family_wise_p_values


def test_adjusted_values_are_those_worked_by_hand() -> None:
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    by_hand = [min(p[j] * 15 / (j + 1) for j in range(i, 15)) for i in range(15)]
    assert adjusted_p_values(p) == pytest.approx(by_hand)
    assert discoveries(p).tolist() == [True] * 4 + [False] * 11


def test_tests_without_data_do_not_count() -> None:
    assert adjusted_p_values([0.01, np.nan, 0.04])[[0, 2]] == pytest.approx([0.02, 0.04])
    assert discoveries([0.01, np.nan]).tolist() == [True, False]
    assert discoveries([]).tolist() == []


def test_few_discoveries_are_false_on_average() -> None:
    rng, shares = np.random.default_rng(1), []
    for _ in range(400):
        p = np.concatenate([rng.random(40), rng.beta(0.05, 5, 10)])
        found = discoveries(p)
        shares.append(found[:40].sum() / max(1, found.sum()))
    assert np.mean(shares) < 0.06


def test_holm_steps_down_as_its_definition_says() -> None:
    rng = np.random.default_rng(2)
    for count in (1, 2, 7):
        p = rng.random(count) ** 3
        expected = [
            min(1.0, max((count - int((p < other).sum())) * other for other in p if other <= one))
            for one in p
        ]
        assert family_wise_p_values(p).tolist() == pytest.approx(expected)


def test_holm_leaves_out_what_has_no_data() -> None:
    found = family_wise_p_values([[0.02, np.nan], [0.6, 0.7]])
    assert found.shape == (2, 2)
    assert found[0, 0] == pytest.approx(0.06)
    assert np.isnan(found[0, 1])
    assert found[1].tolist() == [1.0, 1.0]
