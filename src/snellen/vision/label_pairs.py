"""Label vectors evaluated pair by pair: interaction accuracy, and the errors of each pair.

Nothing is enumerated: accuracies have a closed form, and counts of all pairs over all images are
products of (images, labels) matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools, Ints

CHUNK = 8192
"""Images per batch: they fit into the CPU cache, and float32 counts them exactly."""


def interaction_accuracy(truth: npt.ArrayLike, predicted: npt.ArrayLike, strength: int = 2) -> F64:
    """The share of value combinations of `strength` labels that each answer gets right, (N,).

    truth, predicted: (N, n) bool, n >= strength. With e wrong labels it is C(n-e, t) / C(n, t).

    >>> interaction_accuracy([[1, 1, 0, 0]], [[1, 0, 0, 0]]).tolist()
    [0.5]
    """
    known, answer = _checked(truth, predicted, strength)
    labels = known.shape[1]
    right = (known == answer).sum(axis=1)
    accuracy: F64 = _binomial(right, strength) / _binomial(np.array([labels]), strength)
    return accuracy


def present_accuracy(truth: npt.ArrayLike, predicted: npt.ArrayLike, strength: int = 2) -> F64:
    """As `interaction_accuracy`, over the combinations with at least one label present, (N,).

    With many labels nearly all combinations are of absent ones, which any answer gets right. They
    are left out: with r correct labels, q of them absent, and p present labels the value is
    (C(r, t) - C(q, t)) / (C(n, t) - C(n-p, t)). NaN if no label is present.

    >>> present_accuracy([[1, 1, 0, 0]], [[1, 0, 0, 0]]).tolist()
    [0.4]
    """
    known, answer = _checked(truth, predicted, strength)
    right = known == answer
    whole = _binomial(np.array([known.shape[1]]), strength) - _binomial(
        (~known).sum(axis=1), strength
    )
    found = _binomial(right.sum(axis=1), strength) - _binomial(
        (right & ~known).sum(axis=1), strength
    )
    accuracy = np.full(len(known), np.nan)
    np.divide(found, whole, out=accuracy, where=whole > 0)
    return accuracy


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Numbers of images by outcome of each pair of labels; all (n, n) int64.

    Rows are the label that is present, columns the label that is wrong. `missed[i, j]`: both are
    present, j is not predicted. `added[i, j]`: i is present and predicted, j is absent and
    predicted. `swapped[i, j]`: i is present and not predicted, j is absent and predicted.
    `both[i, j]`, `only[i, j]`: both are present; i is and j is not. `both_missed`,
    `both_predicted`: both are present, and neither or both are predicted. `only_predicted[i, j]`: i
    is present and predicted, j neither. The diagonal of `both` has the number of images of a label,
    that of `missed` the number in which it is not predicted.
    """

    both: Ints
    only: Ints
    missed: Ints
    added: Ints
    swapped: Ints
    both_missed: Ints
    both_predicted: Ints
    only_predicted: Ints

    @property
    def missing(self) -> Ints:
        """Images where both are present and not both are predicted; symmetric, as the next four."""
        return _off_diagonal(self.missed + self.missed.T - self.both_missed)

    @property
    def extra(self) -> Ints:
        """Images where one is present and predicted, and the other is predicted though absent."""
        return self.added + self.added.T

    @property
    def mismatch(self) -> Ints:
        """Images where one is present and only the other is predicted."""
        return self.swapped + self.swapped.T

    @property
    def passed(self) -> Ints:
        """Images where at least one is present and both are correct."""
        return _off_diagonal(self.both_predicted + self.only_predicted + self.only_predicted.T)

    @property
    def tested(self) -> Ints:
        """Images that count for the pair.

        Images where neither is present do not count, nor those where a single present label is
        missed and the other is not predicted.
        """
        return self.passed + self.missing + self.extra + self.mismatch


def pair_counts(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> PairCounts:
    """The counts of all pairs of labels over all images.

    truth, predicted: (N, n) bool.

    >>> counts = pair_counts([[1, 1, 0]], [[1, 0, 1]])
    >>> [counts.missing[0, 1], counts.extra[0, 2], counts.mismatch[1, 2]]
    [np.int64(1), np.int64(1), np.int64(1)]
    >>> counts.added[0, 2], counts.added[2, 0]  # next to a present 0, 2 is predicted
    (np.int64(1), np.int64(0))
    """
    known, answer = _checked(truth, predicted, 0)
    kept, gone, come = known & answer, known & ~answer, answer & ~known
    of_kept, of_gone = _joint_counts(kept, (kept, gone, come)), _joint_counts(gone, (gone, come))
    both_predicted, half_missed, added = of_kept
    both_missed, swapped = of_gone
    missed = half_missed + both_missed
    both = both_predicted + half_missed.T + missed
    only = known.sum(axis=0)[:, None] - both
    only_predicted = kept.sum(axis=0)[:, None] - both_predicted - half_missed - added
    return PairCounts(
        both, only, missed, added, swapped, both_missed, both_predicted, only_predicted
    )


def _joint_counts(first: Bools, others: tuple[Bools, ...]) -> Sequence[Ints]:
    """For each of the others (n, n): images with label i true in the first and j in the other."""
    labels = first.shape[1]
    found = np.zeros((labels, labels * len(others)), dtype=np.int64)
    for start in range(0, len(first), CHUNK):
        part = slice(start, start + CHUNK)
        beside = np.concatenate([one[part] for one in others], axis=1).astype(np.float32)
        found += np.rint(first[part].astype(np.float32).T @ beside).astype(np.int64)
    return np.split(found, len(others), axis=1)


def _off_diagonal(counts: Ints) -> Ints:
    cleared = counts.copy()
    np.fill_diagonal(cleared, 0)
    return cleared


def _binomial(n: Ints, k: int) -> F64:
    """Binomial coefficients."""
    values = np.ones(n.shape)
    for step in range(k):
        values *= np.maximum(n - step, 0) / (step + 1)
    return values


def _checked(truth: npt.ArrayLike, predicted: npt.ArrayLike, strength: int) -> tuple[Bools, Bools]:
    known, found = np.asarray(truth, dtype=bool), np.asarray(predicted, dtype=bool)
    if known.ndim != 2 or known.shape != found.shape:
        raise ValueError(
            f"truth and predictions must be (images, labels); found {known.shape}, {found.shape}"
        )
    if strength and not 1 <= strength <= known.shape[1]:
        raise ValueError(f"found combinations of {strength} among {known.shape[1]} labels")
    return known, found
