"""The scan through the bins against its plain definition, and each procedure's edges."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from snellen.methods.human.procedures.answer_tally import (
    AnswerTally,
    JudgedAnswers,
    image_weights,
    tally_answers,
)
from snellen.methods.human.procedures.decompovision import DecompoVision
from snellen.methods.human.procedures.icraf import Icraf, lowest_half
from snellen.methods.human.procedures.threshold_scan import (
    ThresholdScan,
    breaks,
    smallest,
)

flags = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)


@given(flags)
def test_the_pair_is_the_first_of_kept_neighbours_that_both_fail(bins: list) -> None:
    significant, kept = (np.array([column]) for column in zip(*bins, strict=True))
    found = breaks(significant, kept)
    places = [n for n, (_, here) in enumerate(bins) if here]
    pairs = [(a, b) for a, b in pairwise(places) if bins[a][0] and bins[b][0]]
    first, second = pairs[0] if pairs else (-1, -1)
    assert (found.first[0], found.second[0]) == (first, second)
    before = places[places.index(first) - 1] if pairs and places.index(first) > 0 else -1
    assert found.before[0] == before
    assert found.last[0] == (places[-1] if places else -1)
    assert found.last_but_one[0] == (places[-2] if len(places) > 1 else -1)


def one_row(edges: list[float], right: list[int], asked: list[int]) -> AnswerTally:
    at = np.array(edges)
    return AnswerTally(at, at, np.array([right], float), np.array([asked], float))


STEP = [round(0.01 * n, 2) for n in range(1, 41)]


def stepped(fails_from: int) -> AnswerTally:
    """Right in every bin before number `fails_from`, in none from there on."""
    right = [40 if n < fails_from else 0 for n in range(len(STEP))]
    return one_row(STEP, right, [40] * len(STEP))


def test_icraf_steps_back_over_both_failing_bins_unless_as_published() -> None:
    tally, p0 = stepped(20), np.array([0.97])
    back = Icraf().scan(tally, p0)
    published = Icraf(as_published=True).scan(tally, p0)
    assert not back.limited[0]
    assert published.values[0] - back.values[0] == pytest.approx(0.02)
    first = published.values[0] - 0.01
    assert published.curves[0].p_value[STEP.index(round(first, 2))] < 0.05
    assert published.curves[0].p_value[STEP.index(round(back.values[0], 2))] >= 0.05


def test_icraf_tolerates_nothing_if_the_first_bins_fail() -> None:
    assert Icraf().scan(stepped(0), np.array([0.97])).values[0] == 0.0


def test_icraf_without_a_break_ends_with_the_data_and_says_so() -> None:
    for procedure, expected in ((Icraf(), 0.40), (Icraf(as_published=True), 0.39)):
        scan = procedure.scan(stepped(40), np.array([0.97]))
        assert scan.values[0] == expected
        assert scan.limited[0]
        assert scan.reach == 0.40


def test_icraf_leaves_out_bins_with_ten_answers() -> None:
    tally = one_row(STEP, [10] * 20 + [40] * 20, [10] * 20 + [40] * 20)
    assert Icraf().scan(tally, np.array([0.97])).curves[0].edges[0] == STEP[20]


def test_only_one_sided_ignores_bins_in_which_people_do_better() -> None:
    tally, p0 = stepped(40), np.array([0.6])
    assert Icraf().scan(tally, p0).values[0] == 0.0
    assert Icraf(one_sided=True).scan(tally, p0).limited[0]


def test_the_lowest_half_is_pooled_up_to_the_bin_that_completes_it() -> None:
    tally = one_row([0.1, 0.2, 0.3, 0.4], [20, 5, 15, 0], [20, 20, 20, 20])
    assert lowest_half(tally)[0] == 25 / 40
    uneven = one_row([0.1, 0.2, 0.3], [20, 5, 0], [20, 20, 50])
    assert lowest_half(uneven)[0] == 25 / 90


TENS = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    ("right", "asked", "threshold", "limited"),
    [
        ([19, 19, 19, 5, 5], [20] * 5, 0.3, False),
        ([19, 19, 5, 19, 5], [20] * 5, 0.5, True),
        ([5, 5, 5, 5, 5], [20] * 5, 0.0, False),
        ([19, 19, 5, 0, 5], [20, 20, 20, 4, 20], 0.2, False),
        ([19, 19, 19, 19, 0], [20] * 5, 0.5, True),
    ],
)
def test_decompovision_excludes_the_first_of_two_failing_bins(
    right: list[int], asked: list[int], threshold: float, limited: bool
) -> None:
    scan = DecompoVision().scan(one_row(TENS, right, asked), np.array([0.95]))
    assert scan.values[0] == pytest.approx(threshold)
    assert scan.limited[0] == limited
    expected = [
        binomtest(k, n, 0.95, "less").pvalue for k, n in zip(right, asked, strict=True) if n >= 5
    ]
    assert np.allclose(scan.curves[0].p_value, expected)


def test_decompovision_as_published_ends_at_the_lower_edge_of_the_last_bin() -> None:
    tally, p0 = one_row(TENS, [19] * 5, [20] * 5), np.array([0.95])
    assert DecompoVision(as_published=True).scan(tally, p0).values[0] == pytest.approx(0.4)


def test_decompovision_with_one_bin_has_a_threshold_only_as_published() -> None:
    tally, p0 = one_row([0.1], [5], [20]), np.array([0.95])
    assert DecompoVision(as_published=True).scan(tally, p0).values[0] == 0.9
    assert np.isnan(DecompoVision().scan(tally, p0).values[0])


def test_narrow_bins_become_wide_ones_with_the_upper_edge_included() -> None:
    tally = one_row([0.0, 0.01, 0.1, 0.11, 0.94], [1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    wide = tally.coarser(0.1)
    assert wide.edges.tolist() == [0.1, 0.2, 1.0]
    assert wide.right.tolist() == [[6, 4, 5]]
    assert wide.asked.tolist() == [[21, 9, 10]]
    assert wide.largest.tolist() == [0.1, 0.11, 0.94]


@given(st.integers(0, 1000))
def test_drawing_images_again_counts_all_answers_of_an_image_as_often(seed: int) -> None:
    rng = np.random.default_rng(seed)
    image, right = rng.integers(0, 6, 40), rng.uniform(size=40) < 0.7
    delta_v = rng.uniform(size=40)
    weights = image_weights(6, 3, rng)
    tally = tally_answers(JudgedAnswers(image, delta_v, right), weights, 0.1)
    for row, weight in enumerate(weights):
        for place, edge in enumerate(tally.edges):
            inside = (delta_v > edge - 0.1) & (delta_v <= edge)
            assert tally.asked[row, place] == pytest.approx(weight[image[inside]].sum())
            assert tally.right[row, place] == pytest.approx(weight[image[inside & right]].sum())


def test_the_smaller_threshold_brings_its_own_limit() -> None:
    def scan(value: float, limited: bool) -> ThresholdScan:
        return ThresholdScan(np.array([value]), np.array([limited]), 0.9, ())

    assert smallest([scan(0.6, True), scan(0.8, False)]).limited[0]
    assert not smallest([scan(0.9, True), scan(0.8, False)]).limited[0]
    assert smallest([scan(np.nan, True), scan(0.8, False)]).values[0] == 0.8
