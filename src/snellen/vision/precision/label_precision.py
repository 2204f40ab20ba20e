"""Measures of label vectors over images: average precision, and coverage of value combinations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def mean_average_precision(truth: npt.ArrayLike, scores: npt.ArrayLike) -> float | None:
    """The mean over labels that occur of the average precision of the images by score.

    truth: (N, n) bool, labels present. scores: (N, n). None if no label occurs.

    >>> mean = mean_average_precision([[1], [0], [1]], [[0.9], [0.8], [0.7]])
    >>> round(mean, 4)
    0.8333
    """
    present = np.asarray(truth, dtype=bool)
    found = []
    for known, column in zip(present.T, np.asarray(scores).T, strict=True):
        if known.any():
            hits = known[np.argsort(-column, kind="stable")]
            precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
            found.append(precision[hits].mean())
    return float(np.mean(found)) if found else None


def pairwise_coverage(truth: npt.ArrayLike) -> float | None:
    """The share of the value combinations of two labels that images show; None for one label.

    truth: (N, n) bool.

    >>> pairwise_coverage([[1, 1], [1, 0], [0, 0]])
    0.75
    """
    present = np.asarray(truth, dtype=bool)
    there, absent = present.astype(np.float64), (~present).astype(np.float64)
    above = np.triu_indices(present.shape[1], 1)
    if not len(above[0]):
        return None
    both = (there.T @ there > 0)[above].sum() + (absent.T @ absent > 0)[above].sum()
    one = there.T @ absent > 0
    shown = int(both + one[above].sum() + one.T[above].sum())
    return shown / (4 * len(above[0]))
