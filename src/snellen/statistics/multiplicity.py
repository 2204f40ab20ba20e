"""Many tests at once: p-values adjusted so that few, or none, of the differences are false."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools

FALSE_SHARE = 0.05


def adjusted_p_values(p_values: npt.ArrayLike) -> F64:
    """Benjamini and Hochberg's adjusted p-values, in the same shape; NaN stays NaN.

    Calling those below 0.05 real makes at most 5% of such calls false on average, for independent
    or positively dependent tests. NaN (a test without data) does not count as a test.

    >>> adjusted_p_values([0.01, 0.04, float("nan"), 0.03]).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    from scipy.stats import false_discovery_control

    found = np.array(p_values, dtype=np.float64)
    known = np.isfinite(found)
    if known.any():
        found[known] = false_discovery_control(found[known], method="bh")
    return found


def discoveries(p_values: npt.ArrayLike, false_share: float = FALSE_SHARE) -> Bools:
    """Which tests remain after the adjustment; False for NaN."""
    adjusted = adjusted_p_values(p_values)
    return np.asarray(np.isfinite(adjusted) & (adjusted <= false_share))


def family_wise_p_values(p_values: npt.ArrayLike) -> F64:
    """Holm's adjusted p-values, in the same shape; NaN stays NaN.

    Calling those below 0.05 real makes any false call at all in at most 5% of such families,
    however the tests depend on one another. NaN (a test without data) does not count as a test.

    >>> family_wise_p_values([0.01, 0.04, float("nan"), 0.03]).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    found = np.array(p_values, dtype=np.float64)
    flat = found.reshape(-1)
    order = np.argsort(flat)[: int(np.isfinite(flat).sum())]
    factors = np.arange(len(order), 0, -1)
    flat[order] = np.minimum(np.maximum.accumulate(flat[order] * factors), 1.0)
    return found
