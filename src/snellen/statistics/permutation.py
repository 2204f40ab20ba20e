"""Permutation tests of the difference between two subjects, with scenes as units.

Under the null hypothesis it does not matter which subject the counts of a scene belong to, so the
difference is recomputed with the subjects swapped. All swaps are tried if there are no more than
requested, otherwise random ones, with the observed arrangement counted among them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.statistics.bootstrap import difference_of_ratios
from snellen.vision.arrays import F64

Alternative = Literal["two-sided", "greater", "less"]
Sums = tuple[npt.ArrayLike, npt.ArrayLike]

_BLOCK = 1 << 22
_TIE = 1e-9


@dataclass(frozen=True)
class PermutationTest:
    """A difference and its p-value."""

    difference: float
    p_value: float
    permutations: int
    exact: bool


def paired_permutation_test(
    first: Sums,
    second: Sums,
    rng: np.random.Generator,
    permutations: int = 9999,
    alternative: Alternative = "two-sided",
) -> PermutationTest:
    """The test that two subjects have the same rate, by swapping them scene by scene.

    first, second: (numerators, denominators), each (scenes,), such as failing cases and cases.
    Scenes on which both agree have no effect and are not swapped. With denominators of 1 this is
    the sign-flip test of a mean difference.

    >>> before, after = np.array([1, 1, 1, 1, 1.0]), np.zeros(5)
    >>> paired_permutation_test((before, np.ones(5)), (after, np.ones(5)),
    ...                         np.random.default_rng(1)).p_value
    0.0625
    """
    a, b = _table(first), _table(second)
    if a.shape != b.shape:
        raise ValueError(f"the scenes must be paired: found {len(a)} and {len(b)}")
    swing = (b - a)[np.any(a != b, axis=1)]
    exact = 2 ** len(swing) <= permutations + 1
    count = 2 ** len(swing) if exact else permutations
    swaps = _all_swaps(len(swing)) if exact else _random_swaps(len(swing), permutations, rng)
    sums = ((a.sum(axis=0), b.sum(axis=0), block @ swing) for block in swaps)
    differences = [_differences(top + moved, bottom - moved) for top, bottom, moved in sums]
    return _result(a, b, np.concatenate(differences), count, exact, alternative)


def _table(sums: Sums) -> F64:
    return np.stack([np.asarray(one, dtype=np.float64) for one in sums], axis=1)


def _differences(first: F64, second: F64) -> F64:
    return difference_of_ratios(np.concatenate([first, second], axis=-1))[0]


def _result(
    a: F64, b: F64, null: F64, count: int, exact: bool, alternative: Alternative
) -> PermutationTest:
    observed = float(_differences(a.sum(axis=0), b.sum(axis=0)))
    sign = {"greater": 1.0, "less": -1.0, "two-sided": math.copysign(1.0, observed)}[alternative]
    seen = np.abs(null) if alternative == "two-sided" else sign * null
    extreme = int(np.count_nonzero(seen >= sign * observed - _TIE))
    known = int(np.count_nonzero(~np.isnan(null)))
    added = 0 if exact else 1
    p_value = (extreme + added) / (known + added) if known + added else math.nan
    return PermutationTest(observed, p_value, count, exact)


def _block_sizes(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    step = max(1, _BLOCK // max(columns, 1))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def _all_swaps(scenes: int) -> Iterator[F64]:
    bits = np.arange(scenes)
    for start, stop in _block_sizes(2**scenes, scenes):
        yield ((np.arange(start, stop)[:, None] >> bits) & 1).astype(np.float64)


def _random_swaps(scenes: int, count: int, rng: np.random.Generator) -> Iterator[F64]:
    for start, stop in _block_sizes(count, scenes):
        yield rng.integers(0, 2, (stop - start, scenes), dtype=np.uint8).astype(np.float64)
