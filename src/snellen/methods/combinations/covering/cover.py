"""`cover`: the array for a problem, by the best way known for it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.combinations.covering.bound import lower_bound
from snellen.methods.combinations.covering.covering_array import CoveringArray
from snellen.methods.combinations.covering.members import members_of, need_all, values_of
from snellen.methods.combinations.covering.problem import Label, Problem, problem_of, rows_of
from snellen.methods.combinations.covering.verifier import missing_combinations
from snellen.vision.arrays import Bools, Ints

EFFORTS = ("quick", "normal", "thorough")
METHODS = ("snellen", "as-published")
SHORT_TRIES, MANY_LABELS = 8, 100
"""A short array need not be the start of a small complete one: so many others are looked at."""


def cover(
    labels: int | Sequence[str],
    strength: int,
    max_present: int,
    *,
    forbid: Iterable[Iterable[Label]] = (),
    must_include: Any = (),
    exclusive: Iterable[Iterable[Label]] = (),
    strength_on: Mapping[tuple[Label, ...], int] | None = None,
    seed: int = 1,
    effort: str = "normal",
    rows: int | None = None,
    extend: Any = None,
    method: str = "snellen",
) -> CoveringArray:
    """Rows in which every combination of values of `strength` labels appears.

    A combination has at most `max_present` labels present, as has every row. `forbid` names labels
    that may not be present together, `exclusive` groups of which at most one may be present,
    `strength_on` groups of labels with a higher strength. `must_include` are 0/1 rows that the
    array must hold; `extend` is an array whose rows stay first, to which rows are added. `rows`
    is the most rows wanted: of several arrays cut there, the one that shows most is returned. The
    same seed and effort give the same array.

    >>> array = cover(20, 2, 4, effort="quick")
    >>> array.complete, array.bound, array.rows.shape[1]
    (True, 35, 20)
    """
    began = time.perf_counter()
    for value, valid, where in ((effort, EFFORTS, "effort"), (method, METHODS, "method")):
        if value not in valid:
            raise UserError(f"{where}: no '{value}'{nearest(value, valid)}")
    if rows is not None and rows < 1:
        raise UserError(f"rows: is {rows}; a budget is 1 row or more.")
    problem = problem_of(labels, strength, max_present, forbid, exclusive, strength_on)
    kept = rows_of(problem, () if extend is None else extend, "extend")
    wanted = rows_of(problem, must_include, "must_include")
    if rows is not None and rows < len(kept) + len(wanted):
        raise UserError(
            f"rows: is {rows}, fewer than the {len(kept) + len(wanted)} rows of extend and "
            "must_include. Raise the budget."
        )
    array = covering_rows(problem, kept, wanted, seed, effort, method)
    if rows is not None and rows < len(array):
        tries = SHORT_TRIES if len(problem.names) <= MANY_LABELS else 1
        seeds = range(seed, seed + tries) if method == "snellen" else ()
        quick = (covering_rows(problem, kept, wanted, other, "quick", method) for other in seeds)
        array = _best_cut(problem, [array, *quick], rows)
    return _described(problem, array, method, time.perf_counter() - began)


def missing_of(problem: Problem, rows: Bools) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(labels, values) of every combination demanded that no row shows, by the verifier."""
    for some, strength in problem.demands:
        for one in missing_combinations(rows, strength, problem.most, problem.forbidden, some):
            yield one.labels, one.values


def _best_cut(problem: Problem, arrays: Iterable[Bools], rows: int) -> Bools:
    cut = [array[:rows] for array in arrays]
    return min(cut, key=lambda one: sum(1 for _ in missing_of(problem, one)))


def _described(problem: Problem, rows: Bools, method: str, seconds: float) -> CoveringArray:
    return CoveringArray(
        names=problem.names,
        rows=rows,
        bound=lower_bound(problem),
        combinations=problem.combinations(),
        missing=sum(1 for _ in missing_of(problem, rows)),
        infeasible=tuple(
            tuple(problem.names[i] for i in sorted(one)) for one in problem.infeasible()
        ),
        seconds=seconds,
        method=method,
    )


def covering_rows(
    problem: Problem, kept: Bools, wanted: Bools, seed: int, effort: str, method: str
) -> Bools:
    """The rows for a problem, in order and not yet checked: those kept, those wanted, new ones."""
    from snellen.methods.combinations.covering.search.portfolio import best_rows

    if method == "as-published":
        from snellen.methods.combinations.covering.search.adaptive_random_sampling import (
            adaptive_random_rows,
        )

        return adaptive_random_rows(problem, seed)
    given = np.concatenate([kept, wanted])
    new = best_rows(problem, members_of(given, problem.most), seed, effort)
    return _ordered(problem, given, new, seed)


def _ordered(problem: Problem, first: Bools, new: Ints, seed: int) -> Bools:
    """Given rows, then the others by greatest new coverage.

    They are shuffled before: rows of a structured array that follow each other share labels, and a
    cut array would show few combinations with absent labels.
    """
    from snellen.methods.combinations.covering.kernels.coverage_order import by_new_coverage
    from snellen.methods.combinations.covering.kernels.greedy_rows import mark_rows
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows
    from snellen.methods.combinations.covering.xorshift import dice_of

    n, size = len(problem.names), min(problem.strength, problem.most)
    need = need_all(n, size) if size > 1 else np.zeros(n, np.uint8)
    if size == 1:
        return np.concatenate([first, values_of(new, n)])
    mark_rows(need, members_of(first, problem.most), size, n)
    new = new[random_rows(1, len(new), len(new), dice_of(seed))[0]]
    order = by_new_coverage(new, need, size, n)
    return np.concatenate([first, values_of(new[order], n)])
