"""Which pairs of labels stand out, with the false discovery rate controlled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.statistics.binomial import binomial_test
from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.label_pairs import PairCounts

LEVEL = 0.05
"""The false discovery rate."""


@dataclass(frozen=True, eq=False)
class PairTests:
    """The tests of all pairs of labels.

    adjusted: by kind of error (n, n), symmetric: p-values after Benjamini and Hochberg's
    correction over all pairs and kinds, NaN where nothing could go wrong.
    """

    adjusted: Mapping[str, F64]

    def stands_out(self, kind: str) -> Bools:
        """(n, n): the pairs with more errors of a kind than all pairs on average."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.adjusted[kind] <= LEVEL)

    @property
    def tested(self) -> int:
        """Pairs with at least one test."""
        known = [~np.isnan(one) for one in self.adjusted.values()]
        return int(np.triu(np.logical_or.reduce(known), 1).sum())

    @property
    def standing_out(self) -> int:
        """Pairs that stand out by at least one kind of error."""
        found = [self.stands_out(kind) for kind in self.adjusted]
        return int(np.triu(np.logical_or.reduce(found), 1).sum())


def chances(counts: PairCounts, kind: str) -> Ints:
    """(n, n): images in which an error of the kind could occur for a pair of labels."""
    return counts.both if kind == "missing" else counts.only + counts.only.T


def pair_tests(errors: Mapping[str, Ints], counts: PairCounts) -> PairTests:
    """Each pair and kind against the mean rate of all pairs, one-sided and exact.

    errors: by kind (n, n), symmetric. The mean includes the pair itself, so the tests are
    conservative: a subject that ignores labels has the same rate for all pairs.
    """
    upper = np.triu_indices(len(counts.both), 1)
    p_values = {
        kind: _against_mean(np.asarray(table[upper]), np.asarray(chances(counts, kind)[upper]))
        for kind, table in errors.items()
    }
    corrected = _corrected(np.concatenate(list(p_values.values())))
    parts = np.split(corrected, len(p_values))
    made = {}
    for kind, part in zip(p_values, parts, strict=True):
        table = np.full(counts.both.shape, np.nan)
        table[upper] = part
        made[kind] = np.fmin(table, table.T)
    return PairTests(made)


def _against_mean(errors: Ints, cases: Ints) -> F64:
    """The p-value of each pair, NaN without cases."""
    found = np.full(len(errors), np.nan)
    some = cases > 0
    if some.any():
        mean = errors.sum() / cases.sum()
        found[some] = binomial_test(errors[some], cases[some], mean, "greater")
    return found


def _corrected(p_values: F64) -> F64:
    from scipy.stats import false_discovery_control

    known = ~np.isnan(p_values)
    found = p_values.copy()
    if known.any():
        found[known] = false_discovery_control(p_values[known], method="bh")
    return found
