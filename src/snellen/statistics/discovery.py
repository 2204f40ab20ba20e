"""Many tests at once: p-values adjusted so that few of the discoveries are false."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64


def benjamini_hochberg(p_values: npt.ArrayLike) -> F64:
    """Adjusted p-values for independent or positively dependent tests; same order as given.

    Calling those at most 0.05 discoveries, at most 5% of the discoveries are false on average.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(3).tolist()
    [0.04, 0.053, 0.053, 0.5]
    """
    return _stepped_up(np.asarray(p_values, dtype=np.float64), 1.0)


def benjamini_yekutieli(p_values: npt.ArrayLike) -> F64:
    """Adjusted p-values for tests that depend on each other in any way; same order as given."""
    p = np.asarray(p_values, dtype=np.float64)
    return _stepped_up(p, float(np.sum(1 / np.arange(1, p.size + 1))))


def _stepped_up(p: F64, penalty: float) -> F64:
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise ValueError("p-values must be a list of numbers from 0 to 1")
    order = np.argsort(-p, kind="stable")
    scaled = p[order] * penalty * p.size / np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return adjusted
