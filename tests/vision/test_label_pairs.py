"""Pairs of labels against an enumeration by the published rules."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.arrays import Bools, Ints
from snellen.vision.label_pairs import interaction_accuracy, pair_counts, present_accuracy


@st.composite
def answers(draw: Any) -> tuple[Bools, Bools]:
    """Truth and answers of up to 8 images over up to 7 labels."""
    shape = draw(st.integers(1, 8)), draw(st.integers(2, 7))
    size = shape[0] * shape[1]
    two = [draw(st.lists(st.booleans(), min_size=size, max_size=size)) for _ in range(2)]
    first, second = (np.array(one, dtype=bool).reshape(shape) for one in two)
    return first, second


def published_kind(gt: tuple[int, int], pred: tuple[int, int]) -> str | None:
    """The outcome of a pair of labels in one image by the paper's rules, None if not counted."""
    diffs = [p - g for g, p in zip(gt, pred, strict=True)]
    if gt == (0, 0) or (pred == (0, 0) and gt != (1, 1)):
        return None
    if all(diff == 0 for diff in diffs):
        return "passed"
    if all(diff >= 0 for diff in diffs):
        return "extra"
    return "missing" if all(diff <= 0 for diff in diffs) else "mismatch"


def enumerated(truth: Bools, said: Bools) -> dict[str, Ints]:
    labels = truth.shape[1]
    names = ("tested", "passed", "missing", "extra", "mismatch")
    found = {name: np.zeros((labels, labels), np.int64) for name in names}
    for gt, pred in zip(truth.astype(int).tolist(), said.astype(int).tolist(), strict=True):
        for i, j in combinations(range(labels), 2):
            kind = published_kind((gt[i], gt[j]), (pred[i], pred[j]))
            for name in (kind, "tested") if kind else ():
                found[name][i, j] += 1
    return found


@given(answers())
def test_counts_are_those_of_the_published_rules(pair: tuple[Bools, Bools]) -> None:
    counts = pair_counts(*pair)
    for name, expected in enumerated(*pair).items():
        got = getattr(counts, name)
        assert np.array_equal(got, got.T), name
        assert np.array_equal(np.triu(got, 1), expected), name
        assert not got.diagonal().any(), name


@given(answers())
def test_a_row_is_what_is_present_and_a_column_what_comes_out_wrong(
    pair: tuple[Bools, Bools],
) -> None:
    truth, said = pair
    counts = pair_counts(truth, said)
    labels = truth.shape[1]
    for i in range(labels):
        for j in range(labels):
            there = truth[:, i]
            assert counts.missed[i, j] == (there & truth[:, j] & ~said[:, j]).sum()
            assert counts.both[i, j] == (there & truth[:, j]).sum()
            if i != j:
                come = there & ~truth[:, j] & said[:, j]
                assert counts.added[i, j] == (come & said[:, i]).sum()
                assert counts.swapped[i, j] == (come & ~said[:, i]).sum()
                assert counts.only[i, j] == (there & ~truth[:, j]).sum()


@given(answers(), st.integers(1, 4))
def test_accuracy_is_the_share_of_right_combinations(
    pair: tuple[Bools, Bools], strength: int
) -> None:
    truth, said = pair
    strength = min(strength, truth.shape[1])
    everything = interaction_accuracy(truth, said, strength)
    present = present_accuracy(truth, said, strength)
    for image, (gt, pred) in enumerate(zip(truth.tolist(), said.tolist(), strict=True)):
        right, shown = [], []
        for places in combinations(range(truth.shape[1]), strength):
            right.append(all(gt[p] == pred[p] for p in places))
            shown.append(any(gt[p] for p in places))
        assert everything[image] == pytest.approx(np.mean(right))
        if any(shown):
            kept = [one for one, there in zip(right, shown, strict=True) if there]
            assert present[image] == pytest.approx(np.mean(kept))
        else:
            assert isnan(present[image])


def test_the_published_example_has_an_accuracy_of_one_half() -> None:
    """Two of four labels present, one of them missed."""
    assert interaction_accuracy([[1, 1, 0, 0]], [[1, 0, 0, 0]]).tolist() == [0.5]


@pytest.mark.parametrize(
    ("truth", "said", "kind"),
    [
        ((1, 1), (1, 0), "missing"),
        ((1, 1), (0, 0), "missing"),
        ((1, 0), (1, 1), "extra"),
        ((1, 0), (0, 1), "mismatch"),
        ((1, 0), (1, 0), "passed"),
        ((1, 0), (0, 0), None),
        ((0, 0), (1, 1), None),
        ((0, 0), (0, 0), None),
    ],
)
def test_a_single_miss_and_absent_pairs_count_for_no_pair(
    truth: tuple[int, int], said: tuple[int, int], kind: str | None
) -> None:
    for order in (1, -1):
        counts = pair_counts([truth[::order]], [said[::order]])
        names = ("passed", "missing", "extra", "mismatch")
        found = [name for name in names if getattr(counts, name)[0, 1]]
        assert found == ([kind] if kind else [])
        assert counts.tested[0, 1] == (kind is not None)


def test_no_images_is_no_error() -> None:
    nothing = np.zeros((0, 3), bool)
    assert len(interaction_accuracy(nothing, nothing)) == 0
    assert not pair_counts(nothing, nothing).tested.any()


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"found \(1, 2\), \(2, 2\)"):
        pair_counts(np.zeros((1, 2), bool), np.zeros((2, 2), bool))
    with pytest.raises(ValueError, match="combinations of 3 among 2"):
        interaction_accuracy([[1, 0]], [[1, 0]], 3)
