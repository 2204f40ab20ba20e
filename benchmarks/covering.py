"""Covering arrays: ours beside the published sampling, rows and CPU time of one thread.

Run: python -m benchmarks.covering
"""

from __future__ import annotations

import time

from snellen.methods.combinations.covering.cover import cover

CASES = ((20, 4), (80, 4), (80, 6))
LARGE = (1000, 4)


def main() -> None:
    for effort in ("quick", "normal"):
        cover(24, 2, 4, effort=effort)
    cover(10, 2, 4, method="as-published")
    for n, most in CASES:
        published, spent = measured(n, most, method="as-published")
        print(f"n={n} k={most}: as published {published} rows, {spent:.2f} s")
        for effort in ("quick", "normal"):
            rows, seconds = measured(n, most, effort=effort)
            print(
                f"  {effort}: {rows} rows, {seconds:.3f} s; {published / rows:.2f} times fewer rows"
                f" in {spent / seconds:.1f} times less time"
            )
    for effort in ("quick", "normal"):
        rows, seconds = measured(*LARGE, effort=effort)
        print(f"n={LARGE[0]} k={LARGE[1]}, {effort}: {rows} rows, {seconds:.2f} s")


def measured(
    n: int, most: int, effort: str = "normal", method: str = "snellen"
) -> tuple[int, float]:
    """Rows and CPU seconds of one array of pairs, which must be complete."""
    began = time.process_time()
    array = cover(n, 2, most, effort=effort, method=method)
    seconds = time.process_time() - began
    assert array.complete
    return len(array.rows), seconds


if __name__ == "__main__":
    main()
