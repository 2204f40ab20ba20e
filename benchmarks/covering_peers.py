"""Covering arrays of pairs by other tools and by ours: rows, seconds, and what is left uncovered.

Run: python -m benchmarks.covering_peers

The published sampling is that of LV-CIT, in plain numpy. allpairspy (PyPI, in the extra `test`)
gets the limit on present labels as a filter, which is not part of its search, so that it stops
early. Every array is judged by the verifier. PICT and ACTS are not here:
neither can be installed from PyPI, npm or Debian as a program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module

import numpy as np

from snellen.methods.combinations.covering.cover import covering_rows, missing_of
from snellen.methods.combinations.covering.members import values_of
from snellen.methods.combinations.covering.problem import problem_of
from snellen.vision.arrays import Bools

CASES = ((20, 4), (80, 4), (80, 6))


def main() -> None:
    """Print a line for each tool and case."""
    for effort in ("quick", "normal"):
        _ours(24, 4, effort)
    for n, most in CASES:
        problem = problem_of(n, 2, most)
        for name, rows in _tools(n, most):
            began = time.process_time()
            array = rows()
            spent = time.process_time() - began
            missing = sum(1 for _ in missing_of(problem, array))
            print(
                f"n={n} k={most} {name}: {len(array)} rows, {spent:.2f} s, {missing} of "
                f"{problem.combinations()} combinations missing"
            )


def _tools(n: int, most: int) -> Iterator[tuple[str, Callable[[], Bools]]]:
    yield "as published", lambda: _ours(n, most, "normal", "as-published")
    try:
        peer = import_module("allpairspy").AllPairs
    except ImportError:
        print("allpairspy is not installed: pip install 'snellen[test]'")
    else:
        yield "allpairspy", lambda: _with_filter(peer, n, most)
    yield "snellen quick", lambda: _ours(n, most, "quick")
    yield "snellen normal", lambda: _ours(n, most, "normal")


def _ours(n: int, most: int, effort: str, method: str = "snellen") -> Bools:
    none = np.zeros((0, n), bool)
    problem = problem_of(n, 2, most)
    return values_of(covering_rows(problem, none, none, 1, effort, method), n)


def _with_filter(tool: Callable[..., Iterator[list[int]]], n: int, most: int) -> Bools:
    found = tool([[0, 1]] * n, filter_func=lambda row: sum(row) <= most)
    return np.array(list(found), bool).reshape(-1, n)


if __name__ == "__main__":
    main()
