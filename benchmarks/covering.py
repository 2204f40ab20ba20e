"""Covering arrays: ours beside the published sampling, rows and CPU time of one thread.

Run: python -m benchmarks.covering

The published algorithm runs twice: as published, in plain numpy (its authors' own program is plain
Python), and with its loops compiled as ours are. Both give the same rows; the second tells how much
of the ratio is due to compilation alone. Times include the check of the array, but for the compiled
one, which is taken without. The least of a few runs is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.pairs import pair_rows
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.published import as_published

CASES = ((20, 4), (80, 4), (80, 6))
LARGE = (1000, 4)
EFFORTS = ("quick", "normal")
RUNS = 3
T = TypeVar("T")


def main() -> None:
    for effort in EFFORTS:
        cover(24, 2, 4, effort=effort)
    as_published(problem_of(10, 2, 4), 1, compiled=True)
    for n, most in CASES:
        compare(n, most)
    for effort in EFFORTS:
        (rows, gap), seconds = measured(*LARGE, effort, "snellen", 1)
        print(
            f"n={LARGE[0]} k={LARGE[1]}, {effort}: {rows} rows, {100 * gap:.1f}% over the bound, "
            f"{seconds:.2f} s"
        )


def compare(n: int, most: int) -> None:
    """Print the rows and seconds of both methods, and their ratios."""
    (published, _), plain = measured(n, most, "normal", "as-published", RUNS)
    compiled = least(lambda: as_published(problem_of(n, 2, most), 1, compiled=True), RUNS)[1]
    print(
        f"n={n} k={most}: as published {published} rows, {plain:.2f} s; compiled {compiled:.3f} s"
    )
    for effort in EFFORTS:
        (rows, _), seconds = measured(n, most, effort, "snellen", RUNS)
        print(
            f"  {effort}: {rows} rows, {seconds:.4f} s; {published / rows:.2f} times fewer rows in "
            f"{plain / seconds:.1f} times less time ({compiled / seconds:.1f} if both are compiled)"
        )


def measured(
    n: int, most: int, effort: str, method: str, runs: int
) -> tuple[tuple[int, float], float]:
    """Rows and gap, and the least CPU seconds, of an array of pairs, which must be complete."""
    array, seconds = least(lambda: cover(n, 2, most, effort=effort, method=method), runs)
    assert array.complete
    return (len(array.rows), array.gap), seconds


def least(action: Callable[[], T], runs: int) -> tuple[T, float]:
    """What an action returns, and the least CPU seconds that it took."""
    spent = []
    for _ in range(runs):
        pair_rows.cache_clear()
        began = time.process_time()
        result = action()
        spent.append(time.process_time() - began)
    return result, min(spent)


if __name__ == "__main__":
    main()
