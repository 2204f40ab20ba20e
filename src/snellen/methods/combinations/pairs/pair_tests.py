"""Which pairs of labels stand out, with the false discovery rate controlled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    adjusted: by kind of error (n, n): p-values after Benjamini and Hochberg's correction over all
    pairs and kinds, NaN where nothing could go wrong. `missing` is symmetric; `extra` and
    `mismatch` have a direction: the row's label is present, the column's is wrong.
    """

    adjusted: Mapping[str, F64]

    def stands_out(self, kind: str) -> Bools:
        """(n, n): the pairs with more errors of a kind than all pairs on average."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.adjusted[kind] <= LEVEL)

    @property
    def tested(self) -> int:
        """Pairs with at least one test."""
        return _pairs([~np.isnan(one) for one in self.adjusted.values()])

    @property
    def standing_out(self) -> int:
        """Pairs that stand out by at least one kind of error."""
        return _pairs([self.stands_out(kind) for kind in self.adjusted])


def _pairs(flags: Sequence[Bools]) -> int:
    """How many pairs have a flag, in either direction."""
    any_flag: Bools = np.logical_or.reduce(flags)
    return int(np.triu(any_flag | any_flag.T, 1).sum())


def chances(counts: PairCounts, kind: str) -> Ints:
    """(n, n): images in which an error of the kind could occur.

    For `missing` those with both labels, else those with the row's label and not the column's.
    """
    return counts.both if kind == "missing" else counts.only


def places(kind: str, labels: int) -> tuple[Ints, Ints]:
    """Rows and columns of the pairs of a kind: each pair once, or in both directions."""
    each = np.ones((labels, labels), dtype=bool)
    chosen = np.triu(each, 1) if kind == "missing" else ~np.eye(labels, dtype=bool)
    rows, columns = np.nonzero(chosen)
    return rows.astype(np.int64), columns.astype(np.int64)


def pair_tests(errors: Mapping[str, Ints], counts: PairCounts) -> PairTests:
    """Each pair and kind against the mean rate of all pairs, one-sided and exact.

    errors: by kind (n, n), that of `missing` symmetric. The mean includes the pair itself, so the
    tests are conservative: a subject that ignores labels has the same rate for all pairs.
    """
    where = {kind: places(kind, len(counts.both)) for kind in errors}
    p_values = {
        kind: _against_mean(
            np.asarray(table[where[kind]]), np.asarray(chances(counts, kind)[where[kind]])
        )
        for kind, table in errors.items()
    }
    corrected = _corrected(np.concatenate(list(p_values.values())))
    parts = np.split(corrected, np.cumsum([len(one) for one in p_values.values()])[:-1])
    made = {}
    for kind, part in zip(p_values, parts, strict=True):
        table = np.full(counts.both.shape, np.nan)
        table[where[kind]] = part
        made[kind] = np.fmin(table, table.T) if kind == "missing" else table
    return PairTests(made)


def difficult_labels(counts: PairCounts) -> Bools:
    """(n,) the labels missed in more of their images than labels on average.

    One-sided exact tests with Benjamini and Hochberg's correction, at `LEVEL`.
    """
    missed, shown = counts.missed.diagonal(), counts.both.diagonal()
    with np.errstate(invalid="ignore"):
        return np.asarray(_corrected(_against_mean(missed, shown)) <= LEVEL)


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
