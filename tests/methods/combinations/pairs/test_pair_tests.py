"""Pairs of labels that stand out: planted ones do, and noise that ignores labels hardly ever."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import binomtest, false_discovery_control

from snellen.methods.combinations.cases import KINDS, Outcomes
from snellen.methods.combinations.numbers import top
from snellen.methods.combinations.pairs.pair_tests import chances, difficult_labels, pair_tests
from snellen.vision.arrays import Bools, Ints

LABELS, IMAGES = 12, 8
NAMES = tuple(f"l{number}" for number in range(LABELS))


def shown(rng: np.random.Generator) -> tuple[Bools, Ints]:
    """Truth of rows of three labels, `IMAGES` each, and the row of each image."""
    rows = [rng.choice(LABELS, 3, replace=False) for _ in range(40)]
    truth = np.zeros((len(rows) * IMAGES, LABELS), dtype=bool)
    for number, row in enumerate(rows):
        truth[number * IMAGES : (number + 1) * IMAGES, row] = True
    return truth, np.repeat(np.arange(len(rows)), IMAGES)


def outcomes_of(truth: Bools, said: Bools, rows: Ints) -> Outcomes:
    failing = (truth != said).any(axis=1)
    return Outcomes(
        classes=NAMES,
        rows=rows,
        truth=truth,
        said=said,
        failing=failing,
        causes=tuple("unexplained" if bad else "" for bad in failing),
        blamed=(frozenset(),) * len(failing),
    )


def noisy(truth: Bools, rng: np.random.Generator, kind: str, rate: float) -> Bools:
    """Answers that are wrong in a share of the images, whatever these show."""
    said = truth.copy()
    for image in np.flatnonzero(rng.random(len(truth)) < rate):
        if kind != "extra":
            said[image, rng.choice(np.flatnonzero(truth[image]))] = False
        if kind != "missing":
            said[image, rng.choice(np.flatnonzero(~truth[image]))] = True
    return said


@pytest.mark.parametrize("kind", ["missing", "extra", "mismatch"])
@pytest.mark.parametrize("rate", [0.07, 0.3])
def test_noise_that_ignores_labels_stands_out_in_at_most_one_run_of_twenty(
    kind: str, rate: float
) -> None:
    """All pairs are alike, so any discovery is false: its chance is the false discovery rate."""
    rng, runs = np.random.default_rng(5), 150
    false = 0
    for _ in range(runs):
        truth, rows = shown(rng)
        false += outcomes_of(truth, noisy(truth, rng, kind, rate), rows).tests.standing_out > 0
    assert false / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_planted_pairs_stand_out_among_noise_and_few_others_do() -> None:
    rng = np.random.default_rng(6)
    found = false = reached = planted = 0
    for _ in range(40):
        truth, rows = shown(rng)
        said = noisy(truth, rng, "missing", 0.05)
        pairs = [(0, 1), (2, 3), (4, 5)]
        for first, second in pairs:
            said[truth[:, first] & truth[:, second], first] = False
        one = outcomes_of(truth, said, rows)
        standing = one.tests.stands_out("missing")
        together = one.counts.both
        planted += sum(together[pair] >= IMAGES for pair in pairs)
        reached += sum(bool(standing[pair]) for pair in pairs)
        false += sum(bool(standing[pair]) for pair in combinations([1, 3, *range(5, 12)], 2))
        found += one.tests.standing_out
    assert reached >= 0.95 * planted > 0
    assert false <= 0.05 * found, "labels 0, 2 and 4 are also missed beside others in their rows"


def test_an_explained_failure_counts_for_its_smallest_part_alone() -> None:
    rng = np.random.default_rng(6)
    truth, rows = shown(rng)
    said = truth.copy()
    struck = truth[:, 0] & truth[:, 1]
    said[struck, 0] = False
    explained = Outcomes(
        classes=NAMES,
        rows=rows,
        truth=truth,
        said=said,
        failing=struck,
        causes=tuple("correlation" if bad else "" for bad in struck),
        blamed=tuple(frozenset({("missing", 1, 0)} if bad else ()) for bad in struck),
    )
    assert struck.any()
    assert explained.tests.standing_out == 1
    assert explained.tests.stands_out("missing")[0, 1]


def test_p_values_are_those_of_scipy() -> None:
    rng = np.random.default_rng(7)
    truth, rows = shown(rng)
    one = outcomes_of(truth, noisy(truth, rng, "mismatch", 0.3), rows)
    counts = one.counts
    errors = {"missing": counts.missing, "extra": counts.added, "mismatch": counts.swapped}
    places, values = [], []
    for kind in KINDS:
        cases = chances(counts, kind)
        pairs = list((combinations if kind == "missing" else permutations)(range(LABELS), 2))
        mean = sum(errors[kind][pair] for pair in pairs) / sum(cases[pair] for pair in pairs)
        for pair in pairs:
            if cases[pair]:
                places.append((kind, pair))
                count, total = int(errors[kind][pair]), int(cases[pair])
                values.append(binomtest(count, total, mean, alternative="greater").pvalue)
    found = pair_tests(errors, one.counts)
    for (kind, (first, second)), expected in zip(
        places, false_discovery_control(values), strict=True
    ):
        assert found.adjusted[kind][first, second] == pytest.approx(expected)
        assert found.adjusted[kind][second, first] == pytest.approx(expected)


def test_a_run_without_images_tests_nothing() -> None:
    nothing = np.zeros((0, LABELS), dtype=bool)
    found = outcomes_of(nothing, nothing, np.zeros(0, dtype=np.int64)).tests
    assert (found.tested, found.standing_out) == (0, 0)


@pytest.mark.parametrize("kind", ["extra", "mismatch"])
def test_an_error_that_always_comes_in_one_direction_is_at_100_percent(kind: str) -> None:
    """Label 0 brings label 1, never the other way round: one direction is all, the other none."""
    truth = np.zeros((40, LABELS), dtype=bool)
    truth[:10, 0] = truth[10:20, 1] = truth[20:, 2] = True
    said = truth.copy()
    said[:10, 1] = True
    said[:10, 0] = kind == "extra"
    one = outcomes_of(truth, said, np.arange(40))
    [worst, *rest] = top(one, kind, None)
    assert worst.labels == (NAMES[0], NAMES[1])
    assert (worst.errors, worst.images, worst.rate.value) == (10, 10, 1.0)
    assert rest == []
    standing = one.tests.stands_out(kind)
    assert standing[0, 1]
    assert not standing[1, 0]


def test_a_label_that_is_missed_everywhere_is_marked_as_difficult_and_no_other() -> None:
    rng = np.random.default_rng(8)
    truth, rows = shown(rng)
    said = truth & (rng.random(truth.shape) > 0.05)
    said[:, 3] &= rng.random(len(truth)) > 0.5
    hard = difficult_labels(outcomes_of(truth, said, rows).counts)
    assert np.flatnonzero(hard).tolist() == [3]
