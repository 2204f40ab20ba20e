"""Covering arrays: ours beside the published sampling, rows and CPU time of one thread.

Run: python -m benchmarks.covering

The published algorithm runs twice: as published, in plain numpy (its authors' own program is plain
Python), and with its loops compiled as ours are. Both give the same rows; the second tells how much
of the ratio is due to compilation alone. The check of an array is left out of all times, and the
least of a few runs is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.cover import cover, covering_rows, missing_of
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.search.adaptive_random_sampling import (
    adaptive_random_rows,
)
from snellen.methods.combinations.covering.search.pair_arrays import (
    pair_rows,
    reduced_rows,
    whole_rows,
)

CASES = ((20, 4), (80, 4), (80, 6))
LARGE = (1000, 4)
EFFORTS = ("quick", "normal")
RUNS = 5
T = TypeVar("T")


def main() -> None:
    for effort in EFFORTS:
        cover(24, 2, 4, effort=effort)
    adaptive_random_rows(problem_of(10, 2, 4), 1, compiled=True)
    for n, most in CASES:
        compare(n, most)
    for effort in EFFORTS:
        rows, seconds = measured(*LARGE, effort, "snellen", 1)
        gap = rows / schoenheim(*LARGE, 2) - 1
        print(
            f"n={LARGE[0]} k={LARGE[1]}, {effort}: {rows} rows, {100 * gap:.1f}% over the bound, "
            f"{seconds:.2f} s"
        )


def compare(n: int, most: int) -> None:
    """Print the rows and seconds of both methods, and their ratios."""
    published, plain = measured(n, most, "normal", "as-published", RUNS)
    compiled = least(lambda: adaptive_random_rows(problem_of(n, 2, most), 1, compiled=True), RUNS)[
        1
    ]
    print(
        f"n={n} k={most}: as published {published} rows, {plain:.2f} s; compiled {compiled:.4f} s"
    )
    for effort in EFFORTS:
        rows, seconds = measured(n, most, effort, "snellen", RUNS)
        print(
            f"  {effort}: {rows} rows, {seconds:.4f} s; {published / rows:.2f} times fewer rows in "
            f"{plain / seconds:.1f} times less time ({compiled / seconds:.1f} if both are compiled)"
        )


def measured(n: int, most: int, effort: str, method: str, runs: int) -> tuple[int, float]:
    """Rows and the least CPU seconds of an array of pairs, which must be complete."""
    problem = problem_of(n, 2, most)
    none = np.zeros((0, n), bool)
    rows, seconds = least(lambda: covering_rows(problem, none, none, 1, effort, method), runs)
    assert not any(missing_of(problem, rows))
    return len(rows), seconds


def least(action: Callable[[], T], runs: int) -> tuple[T, float]:
    """What an action returns, and the least CPU seconds that it took."""
    spent = []
    for _ in range(runs):
        for kept in (pair_rows, reduced_rows, whole_rows):
            kept.cache_clear()
        began = time.process_time()
        result = action()
        spent.append(time.process_time() - began)
    return result, min(spent)


if __name__ == "__main__":
    main()
