"""The scan of bins for two consecutive ones in which people do significantly worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.methods.human.procedures.answer_tally import AnswerTally
from snellen.vision.arrays import F64, Bools, Ints

ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class AnswerCurve:
    """One row of counts in its B bins with enough answers.

    what: the share counted. edges, share, asked, p_value: (B,). p0: the rate that the bins were
    tested against. tally, references: all rows of counts, and (R,) the rates they were tested
    against. fit: (B,) or None.
    """

    what: str
    edges: F64
    share: F64
    asked: F64
    p_value: F64
    p0: float
    tally: AnswerTally
    references: F64
    fit: F64 | None = None

    @classmethod
    def of_row(
        cls, what: str, tally: AnswerTally, p_value: F64, p0: F64, tested: Bools
    ) -> AnswerCurve:
        """The curve of row 0 of counts, p-values, (R, B), and rates, (R,), in the bins tested."""
        bins, asked = tested[0], tally.asked[0, tested[0]]
        share = tally.right[0, bins] / asked
        return cls(what, tally.edges[bins], share, asked, p_value[0, bins], float(p0[0]), tally, p0)


@dataclass(frozen=True, eq=False)
class ThresholdScan:
    """The threshold of each of R rows of counts, NaN if too few bins have enough answers.

    limited: (R,) people never get worse in the data. reach: the largest visual change with enough
    answers. curves: of row 0.
    """

    values: F64
    limited: Bools
    reach: float
    curves: tuple[AnswerCurve, ...]


@dataclass(frozen=True, eq=False)
class Breaks:
    """Indices of bins, (R,), -1 for none: the first two consecutive failing bins.

    before: the bin before the two. last, last_but_one: of all bins with enough answers.
    """

    before: Ints
    first: Ints
    second: Ints
    last: Ints
    last_but_one: Ints


def breaks(significant: Bools, tested: Bools) -> Breaks:
    """The first two consecutive significant bins, among the bins tested.

    significant, tested: (R, B).
    """
    none = np.full(len(tested), -1)
    before = first = second = older = newer = none
    failing = np.zeros(len(tested), dtype=bool)
    for place in range(tested.shape[1]):
        here = tested[:, place]
        hit = here & significant[:, place] & failing & (second < 0)
        before = np.where(hit, older, before)
        first = np.where(hit, newer, first)
        second = np.where(hit, place, second)
        older, newer = np.where(here, newer, older), np.where(here, place, newer)
        failing = np.where(here, significant[:, place], failing)
    return Breaks(before, first, second, newer, older)


def values_at(values: F64, places: Ints) -> F64:
    """(R,) the value at each index; NaN for index -1."""
    return np.append(values, np.nan)[places]


def smallest(scans: Sequence[ThresholdScan]) -> ThresholdScan:
    """The smallest threshold of each row, ignoring those that could not be estimated."""
    values = np.stack([one.values for one in scans])
    which = np.argmin(np.where(np.isnan(values), np.inf, values), axis=0)
    row = np.arange(values.shape[1])
    return ThresholdScan(
        values[which, row],
        np.stack([one.limited for one in scans])[which, row],
        min((one.reach for one in scans if np.isfinite(one.values[0])), default=0.0),
        tuple(curve for one in scans for curve in one.curves),
    )
