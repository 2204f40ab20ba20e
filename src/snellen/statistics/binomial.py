"""Exact binomial tests of a failure rate."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.vision.arrays import F64

Alternative = Literal["two-sided", "greater", "less"]

_TIE = 1e-7


def binomial_test(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    rate: npt.ArrayLike,
    alternative: Alternative = "two-sided",
) -> F64:
    """The p-value of each count of failing cases if cases failed independently at `rate`.

    The three arguments broadcast. `greater`: that many or more fail; `less`: that many or fewer;
    `two-sided`: any count that is at most as likely as the one found.

    >>> binomial_test([3, 15], [15, 15], 0.1, "greater").round(4).tolist()
    [0.1841, 0.0]
    """
    k, n, p = np.broadcast_arrays(
        *(np.asarray(value, dtype=np.float64) for value in (failing, cases, rate))
    )
    if not np.all((k >= 0) & (k <= n) & (k == np.floor(k)) & (n == np.floor(n))):
        raise ValueError("failing cases and cases must be whole numbers with 0 <= failing <= cases")
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"a rate lies between 0 and 1; found {p}")
    if alternative == "two-sided":
        return _two_sided(k, n, p)
    return at_least(k, n, p) if alternative == "greater" else at_most(k, n, p)


def at_least(failing: F64, cases: F64, rate: F64) -> F64:
    """The probability that `failing` or more of `cases` fail."""
    within = np.where(failing > 0, failing, 1.0)
    chance = special.betainc(within, np.maximum(cases - within + 1, 1e-300), rate)
    return np.where(failing <= 0, 1.0, np.where(failing > cases, 0.0, chance))


def at_most(failing: F64, cases: F64, rate: F64) -> F64:
    """The probability that `failing` or fewer of `cases` fail."""
    within = np.maximum(failing, 0.0)
    chance = special.betaincc(within + 1, np.where(within < cases, cases - within, 1.0), rate)
    return np.where(failing >= cases, 1.0, np.where(failing < 0, 0.0, chance))


def _two_sided(k: F64, n: F64, p: F64) -> F64:
    """Two-sided p-values; counts above the mean are mirrored, so that only one tail is searched."""
    above = k > n * p
    k, p = np.where(above, n - k, k), np.where(above, 1 - p, p)
    limit = _log_probability(k, n, p) + _TIE
    low, high = np.ceil(n * p), n + 1
    while np.any(low < high):
        middle = np.floor((low + high) / 2)
        likelier = (middle <= n) & (_log_probability(np.minimum(middle, n), n, p) > limit)
        open_ = low < high
        low = np.where(open_ & likelier, middle + 1, low)
        high = np.where(open_ & ~likelier, middle, high)
    both = at_most(k, n, p) + at_least(np.maximum(low, k + 1), n, p)
    return np.where(k == n * p, 1.0, np.minimum(both, 1.0))


def _log_probability(k: F64, n: F64, p: F64) -> F64:
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(ways + special.xlogy(k, p) + special.xlog1py(n - k, -p))
