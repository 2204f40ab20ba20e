"""`cover`: a covering array by the best known method."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.combinations.covering.bound import lower_bound
from snellen.methods.combinations.covering.covering_array import CoveringArray
from snellen.methods.combinations.covering.members import members_of, need_all
from snellen.methods.combinations.covering.problem import Label, Problem, problem_of, rows_of
from snellen.methods.combinations.covering.verifier import missing_combinations
from snellen.vision.arrays import Bools, Ints

EFFORTS = ("quick", "normal", "thorough")
METHODS = ("snellen", "as-published")
SHORT_TRIES, MANY_LABELS = 8, 100
"""Further arrays to try for a row budget (the first rows of a small complete array need not cover
most), and the number of labels above which none is tried."""


def cover(
    labels: int | Sequence[str],
    strength: int,
    max_present: int,
    *,
    forbid: Iterable[Iterable[Label]] = (),
    must_include: Any = (),
    exclusive: Iterable[Iterable[Label]] = (),
    strength_on: Mapping[tuple[Label, ...], int] | None = None,
    implies: Mapping[Label, Iterable[Label]] | None = None,
    seed: int = 1,
    effort: str = "normal",
    rows: int | None = None,
    extend: Any = None,
    method: str = "snellen",
) -> CoveringArray:
    """An array whose rows cover every combination of values of `strength` labels.

    Combinations and rows have at most `max_present` labels present. `forbid`: labels that must not
    be present together. `exclusive`: groups of which at most one label may be present. `implies`:
    by label, those that must be present with it. `strength_on`: groups of labels with a higher
    strength. `must_include`: 0/1 rows that the array must contain. `extend`: an array whose rows
    stay first, to which rows are added. `rows`: row budget; of several truncated arrays, the one
    that covers most is returned. The same seed and effort give the same array.

    >>> array = cover(20, 2, 4, effort="quick")
    >>> array.complete, array.bound, array.rows.shape[1]
    (True, 35, 20)
    """
    began = time.perf_counter()
    for value, valid, where in ((effort, EFFORTS, "effort"), (method, METHODS, "method")):
        if value not in valid:
            raise UserError(f"{where}: unknown '{value}'{nearest(value, valid)}")
    if rows is not None and rows < 1:
        raise UserError(f"rows: found {rows}, expected a budget of 1 row or more.")
    if seed < 0:
        raise UserError(f"seed: found {seed}, expected 0 or more.")
    problem = problem_of(labels, strength, max_present, forbid, exclusive, strength_on, implies)
    kept = rows_of(problem, () if extend is None else extend, "extend")
    wanted = rows_of(problem, must_include, "must_include")
    if rows is not None and rows < len(kept) + len(wanted):
        raise UserError(
            f"rows: found {rows}, which is fewer than the {len(kept) + len(wanted)} rows of extend "
            "and must_include. Raise the budget."
        )
    array = covering_rows(problem, kept, wanted, seed, effort, method)
    if rows is not None and rows < len(array):
        tries = SHORT_TRIES if len(problem.names) <= MANY_LABELS else 1
        seeds = range(seed, seed + tries) if method == "snellen" else ()
        quick = (covering_rows(problem, kept, wanted, other, "quick", method) for other in seeds)
        array = _best_cut(problem, [array, *quick], rows)
    return _result(problem, array, method, time.perf_counter() - began)


def missing_of(
    problem: Problem, rows: Bools | Ints
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(labels, values) of every required combination that no row covers, by the verifier.

    The rows are 0/1 values, or members padded with -1.
    """
    n = None if rows.dtype == bool else len(problem.names)
    for some, strength in problem.demands:
        forbidden, implications = problem.stated
        for one in missing_combinations(
            rows, strength, problem.most, forbidden, some, implications, n
        ):
            yield one.labels, one.values


def _best_cut(problem: Problem, arrays: Iterable[Ints], rows: int) -> Ints:
    cut = [array[:rows] for array in arrays]
    return min(cut, key=lambda one: sum(1 for _ in missing_of(problem, one)))


def _result(problem: Problem, rows: Ints, method: str, seconds: float) -> CoveringArray:
    return CoveringArray(
        names=problem.names,
        members=rows,
        bound=lower_bound(problem),
        combinations=problem.combinations(),
        missing=sum(1 for _ in missing_of(problem, rows)),
        infeasible=tuple(
            tuple(problem.names[i] for i in sorted(one)) for one in problem.infeasible()
        ),
        implied=tuple((problem.names[a], problem.names[b]) for a, b in problem.implications()),
        seconds=seconds,
        method=method,
    )


def covering_rows(
    problem: Problem, kept: Bools, wanted: Bools, seed: int, effort: str, method: str
) -> Ints:
    """The unverified rows for a problem, in order: those kept, those wanted, new ones.

    Rows are members padded with -1: 0/1 values would take most of the memory.
    """
    from snellen.methods.combinations.covering.search.portfolio import best_rows

    if method == "as-published":
        from snellen.methods.combinations.covering.search.adaptive_random_sampling import (
            adaptive_random_rows,
        )

        return members_of(adaptive_random_rows(problem, seed), problem.most)
    given = members_of(np.concatenate([kept, wanted]), problem.most)
    new = best_rows(problem, given, seed, effort)
    return _order(problem, given, new, seed)


def _order(problem: Problem, first: Ints, new: Ints, seed: int) -> Ints:
    """Given rows, then new rows by greatest additional coverage.

    New rows are shuffled first: consecutive rows of a structured array share labels, so that a
    truncated array would cover few combinations with absent labels.
    """
    from snellen.methods.combinations.covering.kernels.coverage_order import by_new_coverage
    from snellen.methods.combinations.covering.kernels.greedy_rows import mark_rows
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows
    from snellen.methods.combinations.covering.xorshift import xorshift_state

    n, size = len(problem.names), min(problem.strength, problem.most)
    need = need_all(n, size) if size > 1 else np.zeros(n, np.uint8)
    if size == 1:
        return np.concatenate([first, new])
    mark_rows(need, first, size, n)
    new = new[random_rows(1, len(new), len(new), xorshift_state(seed))[0]]
    order = by_new_coverage(new, need, size, n)
    return np.concatenate([first, new[order]])
