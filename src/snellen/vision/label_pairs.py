"""Label vectors judged pair by pair: interaction accuracy, and what went wrong with each pair.

Nothing is enumerated: accuracies have a closed form, and counts of all pairs over all images are
products of (images, labels) matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools, Ints

Counts = Ints
Flags = Bools

CHUNK = 8192
"""Images taken at once: they fit into a processor's cache, and float32 counts them exactly."""


def interaction_accuracy(truth: npt.ArrayLike, said: npt.ArrayLike, strength: int = 2) -> F64:
    """The share of value combinations of `strength` labels that each answer has right; (N,).

    truth, said: (N, n) bool, n >= strength. With e wrong labels it is C(n-e, t) / C(n, t).

    >>> interaction_accuracy([[1, 1, 0, 0]], [[1, 0, 0, 0]]).tolist()
    [0.5]
    """
    known, told = _checked(truth, said, strength)
    labels = known.shape[1]
    right = (known == told).sum(axis=1)
    accuracy: F64 = _choose(right, strength) / _choose(np.array([labels]), strength)
    return accuracy


def present_accuracy(truth: npt.ArrayLike, said: npt.ArrayLike, strength: int = 2) -> F64:
    """As `interaction_accuracy`, of the combinations with at least one label present only; (N,).

    With many labels nearly all combinations are of absent ones, which any answer has right. They
    are taken off above and below: with r right labels, q of them absent, and p present ones it is
    (C(r, t) - C(q, t)) / (C(n, t) - C(n-p, t)). NaN where no label is present.

    >>> present_accuracy([[1, 1, 0, 0]], [[1, 0, 0, 0]]).tolist()
    [0.4]
    """
    known, told = _checked(truth, said, strength)
    right = known == told
    whole = _choose(np.array([known.shape[1]]), strength) - _choose((~known).sum(axis=1), strength)
    found = _choose(right.sum(axis=1), strength) - _choose((right & ~known).sum(axis=1), strength)
    accuracy = np.full(len(known), np.nan)
    np.divide(found, whole, out=accuracy, where=whole > 0)
    return accuracy


@dataclass(frozen=True, eq=False)
class PairCounts:
    """In how many images what happened to a label beside another; all (n, n) int64.

    Each has the label that is present as row and the one that comes out wrong as column:
    `missed[i, j]`: both are present, j is not said. `added[i, j]`: i is present and said, j is
    absent and said. `swapped[i, j]`: i is present and not said, j is absent and said.
    `both[i, j]`, `only[i, j]`: both are present; i is and j is not. `both_missed`, `both_said`:
    both are present and none is said, or both. `only_said[i, j]`: i is present and said, j neither.
    The diagonal of `both` has the images of a label, that of `missed` those where it is not said.
    """

    both: Ints
    only: Ints
    missed: Ints
    added: Ints
    swapped: Ints
    both_missed: Ints
    both_said: Ints
    only_said: Ints

    @property
    def missing(self) -> Ints:
        """Images where both are present and not both are said; symmetric, as the next four."""
        return _off_diagonal(self.missed + self.missed.T - self.both_missed)

    @property
    def extra(self) -> Ints:
        """Images where one is present and said, and the other is said though absent."""
        return self.added + self.added.T

    @property
    def mismatch(self) -> Ints:
        """Images where one is present and only the other is said."""
        return self.swapped + self.swapped.T

    @property
    def passed(self) -> Ints:
        """Images where at least one is present and both are told rightly."""
        return _off_diagonal(self.both_said + self.only_said + self.only_said.T)

    @property
    def tested(self) -> Ints:
        """Images that count for the pair.

        Those where neither is present don't, nor those where a single present one is missed and
        nothing is said in its place.
        """
        return self.passed + self.missing + self.extra + self.mismatch


def pair_counts(truth: npt.ArrayLike, said: npt.ArrayLike) -> PairCounts:
    """The counts over all images of all pairs of labels.

    truth, said: (N, n) bool.

    >>> counts = pair_counts([[1, 1, 0]], [[1, 0, 1]])
    >>> [counts.missing[0, 1], counts.extra[0, 2], counts.mismatch[1, 2]]
    [np.int64(1), np.int64(1), np.int64(1)]
    >>> counts.added[0, 2], counts.added[2, 0]  # beside a present 0, 2 is said
    (np.int64(1), np.int64(0))
    """
    known, told = _checked(truth, said, 0)
    kept, gone, come = known & told, known & ~told, told & ~known
    of_kept, of_gone = _together(kept, (kept, gone, come)), _together(gone, (gone, come))
    both_said, half_missed, added = of_kept
    both_missed, swapped = of_gone
    missed = half_missed + both_missed
    both = both_said + half_missed.T + missed
    only = known.sum(axis=0)[:, None] - both
    only_said = kept.sum(axis=0)[:, None] - both_said - half_missed - added
    return PairCounts(both, only, missed, added, swapped, both_missed, both_said, only_said)


def _together(first: Bools, others: tuple[Bools, ...]) -> Sequence[Ints]:
    """For each of the others (n, n): where the i-th is true of the first and the j-th of it."""
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


def _choose(among: Ints, chosen: int) -> F64:
    """Binomial coefficients."""
    found = np.ones(among.shape)
    for step in range(chosen):
        found *= np.maximum(among - step, 0) / (step + 1)
    return found


def _checked(truth: npt.ArrayLike, said: npt.ArrayLike, strength: int) -> tuple[Bools, Bools]:
    known, told = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    if known.ndim != 2 or known.shape != told.shape:
        raise ValueError(
            f"truth and answers are (images, labels); found {known.shape} and {told.shape}"
        )
    if strength and not 1 <= strength <= known.shape[1]:
        raise ValueError(f"combinations of {strength} among {known.shape[1]} labels")
    return known, told
