"""A rate, and differences of two rates, with intervals and p-values that treat scenes as units.

Cases of one scene are alike, scenes differ in size, failures are rare. One family of intervals
serves all: a binomial tail on effective cases, averaged over intra-scene correlations that the
counts themselves weight, widened if scenes scatter more than that explains. There is no switch
between methods, so results change smoothly with the counts. Nothing here is random.
"""

from __future__ import annotations

import numpy.typing as npt

from snellen.statistics.confidence_curve import Side
from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.intervals import CONFIDENCE, Interval, Rate
from snellen.statistics.scene_counts import scene_counts
from snellen.statistics.scene_curves import Clustering, difference_curve, paired_curve, rate_curve


def rate(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    *,
    confidence: float = CONFIDENCE,
    side: Side = "two-sided",
    null: float | None = None,
    clustering: Clustering | None = None,
) -> Rate:
    """The share of failing cases, with an interval that treats scenes as the sampling units.

    failing, cases: (scenes,), may be fractional. side: "lower" or "upper" for a single bound.
    null: a rate to test; `p` is NaN without it. clustering: see `Clustering`; worth passing if few
    cases fail, since no failure says nothing about how failures cluster.

    >>> found = rate([0, 2, 1, 0, 0, 3, 0, 0], [10] * 8)
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.075, 0.01, 0.268)
    """
    counts = scene_counts(failing, cases)
    found = rate_curve(counts, clustering).interval(confidence, side, null)
    return Rate(
        found.value, found.low, found.high, found.method, confidence, found.p,
        failing=float(counts.events.sum()), cases=counts.total,
    )  # fmt: skip


def difference(
    failing_a: npt.ArrayLike,
    cases_a: npt.ArrayLike,
    failing_b: npt.ArrayLike,
    cases_b: npt.ArrayLike,
    *,
    confidence: float = CONFIDENCE,
    side: Side = "two-sided",
    null: float = 0.0,
    clustering: Clustering | None = None,
) -> Interval:
    """The rate of A minus the rate of B, of different cases in the same scenes.

    All arrays: (scenes,), in the same order; a scene may have cases of A only or of B only. For two
    subjects on the same cases use `paired_difference`, which is sharper. p: of the difference
    being `null`; with side "lower" of it being at most null, with "upper" at least.
    """
    a = scene_counts(failing_a, cases_a, "failing of A")
    b = scene_counts(failing_b, cases_b, "failing of B")
    return difference_curve(a, b, clustering).interval(confidence, side, null)


def paired_difference(
    failing_first: npt.ArrayLike,
    failing_second: npt.ArrayLike,
    cases: npt.ArrayLike,
    *,
    only_first: npt.ArrayLike | None = None,
    only_second: npt.ArrayLike | None = None,
    confidence: float = CONFIDENCE,
    side: Side = "two-sided",
    null: float = 0.0,
    clustering: Clustering | None = None,
) -> Interval:
    """The rate of the first minus the rate of the second, on the same cases of the same scenes.

    All arrays: (scenes,). only_first, only_second: cases in which only that one fails. Without
    them, each scene is taken to have as few of these as its counts allow, which `method` says:
    changes in both directions within one scene are then not seen. p: as of `difference`.

    >>> found = paired_difference([1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1] * 6)
    >>> found.value, found.low < 0 < found.high
    (0.5, True)
    """
    pairs = discordant_pairs(failing_first, failing_second, cases, only_first, only_second)
    return paired_curve(pairs, clustering).interval(confidence, side, null)
