"""Candidate arrays for pairwise coverage without constraints, and the small arrays inside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.constructions.cyclic import cyclic_rows
from snellen.methods.combinations.covering.constructions.difference_families import (
    families,
    family_rows,
)
from snellen.methods.combinations.covering.constructions.holes import rows_with_hole
from snellen.methods.combinations.covering.constructions.label_groups import (
    DELETED_MOST,
    Fill,
    best_label_count,
    estimated_rows,
    grouped_rows,
    layouts,
)
from snellen.methods.combinations.covering.constructions.triple_systems import triple_system
from snellen.methods.combinations.covering.members import need_all, padded
from snellen.methods.combinations.covering.problem import problem_of
from snellen.methods.combinations.covering.search.annealing import (
    CoverageTask,
    fewer_rows,
    without_symmetry,
)
from snellen.methods.combinations.covering.search.greedy_fill import rows_for
from snellen.methods.combinations.covering.search.row_reduction import reduce_rows
from snellen.vision.arrays import Ints

CYCLIC_TRIES = {"normal": 4, "thorough": 40}
LAYOUTS = {"normal": 3, "thorough": 12}
MOVES = {"normal": 3_000_000, "thorough": 30_000_000}
BASES = {"normal": 140, "thorough": 1000}
CYCLIC_MOST, GROUPS_LEAST = 120, 41
ANNEALED_MOST = {"normal": 44, "thorough": 60}
"""Largest number of labels for which annealing beats groups or is worth its time."""
FAR = {"normal": 27, "thorough": 0}
"""Thousandths over the bound above which the parts of an array of groups are reduced further."""
REDUCED_LAYOUTS = 3
"""Number of layouts whose parts are reduced further."""
LABELS_MORE, FAMILIES, FEWER = 6, 2, 990
"""Difference families: for how many numbers of labels from n on, how many sizes are tried, and
their maximum rows in thousandths of the estimated rows of groups."""


def pair_arrays(n: int, most: int, known: int, seed: int, effort: str) -> Iterator[Ints]:
    """Rows that cover every pair of n labels, by several methods; known: the best size so far."""
    if most == 3:
        found = triple_system(n, seed)
        if found is not None:
            yield found
        return
    if 2 * most < n <= CYCLIC_MOST:
        found = cyclic_rows(n, most, known, CYCLIC_TRIES[effort], seed)
        if found is not None:
            yield found
    if n > CYCLIC_MOST:
        yield from _large(n, most, seed, effort)
    elif n >= GROUPS_LEAST:
        yield from _grouped(n, most, seed, effort)


def _large(n: int, most: int, seed: int, effort: str) -> Iterator[Ints]:
    """A difference family if one exists; else arrays of groups, reduced if far from the bound."""
    developed = _of_family(n, most, seed)
    if developed is not None:
        yield developed
        return
    found = list(_grouped(n, most, seed, effort))
    yield from found
    enough = schoenheim(n, most, 2) * (1000 + FAR[effort]) // 1000
    sizes = [len(rows) for rows in found]
    tried = zip(sizes, layouts(n, most), strict=False)
    for _, layout in sorted(tried, key=lambda one: one[0])[:REDUCED_LAYOUTS]:
        if min(sizes) <= enough:
            return
        rows = grouped_rows(layout, most, _filling(most, seed, effort, reduce=True))
        sizes.append(len(rows))
        yield rows


def _of_family(n: int, most: int, seed: int) -> Ints | None:
    """Rows of a difference family, if fewer than the estimate for groups."""
    limit = estimated_rows(n, most) * FEWER // 1000
    shapes = [one for more in range(n, n + LABELS_MORE) for one in families(more, most)]
    sizes = sorted({(one.rows, one.labels) for one in shapes if one.rows <= limit})
    for size in sizes[:FAMILIES]:
        found = family_rows([one for one in shapes if (one.rows, one.labels) == size], seed)
        if found is not None:
            return _without(found, n)
    return None


def _without(rows: Ints, n: int) -> Ints:
    """The rows without labels from n on."""
    kept = ([i for i in row if 0 <= i < n] for row in rows.tolist())
    return padded((row for row in kept if len(row) > 1), rows.shape[1])


def _grouped(n: int, most: int, seed: int, effort: str) -> Iterator[Ints]:
    for layout in layouts(n, most)[: LAYOUTS[effort]]:
        yield grouped_rows(layout, most, _filling(most, seed, effort, reduce=False))


def _filling(most: int, seed: int, effort: str, *, reduce: bool) -> Fill:
    make = reduced_rows if reduce else pair_rows
    return lambda size, shared: make(size, most, shared, seed, effort)


@lru_cache(maxsize=256)
def pair_rows(n: int, most: int, hole: int, seed: int, effort: str) -> Ints:
    """Rows that cover every pair of n labels, except those among the last `hole`."""
    if n <= most:
        return padded([range(n)], most)
    if hole < 2:
        more = best_label_count(n, most)
        return _without(whole_rows(more, most, seed, effort), n)
    best = rows_with_hole(pair_rows(n, most, 0, seed, effort), n, hole)
    if n <= ANNEALED_MOST[effort]:
        return without_symmetry(_task(n, most, hole, seed, effort), best)
    return best


@lru_cache(maxsize=256)
def reduced_rows(n: int, most: int, hole: int, seed: int, effort: str) -> Ints:
    """The same with fewer rows, in more time."""
    if n <= most:
        return pair_rows(n, most, hole, seed, effort)
    if hole < 2:
        starts = [pair_rows(n, most, 0, seed, effort), *_structured(n, most, seed, effort)]
    else:
        starts = [rows_with_hole(reduced_rows(n, most, 0, seed, effort), n, hole)]
    task = _task(n, most, hole, seed, effort)
    found = (reduce_rows(one, task.need, n, task.bound, task.moves // 2, seed) for one in starts)
    return min(found, key=len)


def _structured(n: int, most: int, seed: int, effort: str) -> list[Ints]:
    """The best array of groups for n labels or a few more, if any, as a start for reduction."""
    found = [
        _without(rows, n)
        for more in range(max(n, GROUPS_LEAST), n + DELETED_MOST + 1)
        for rows in _grouped(more, most, seed, effort)
    ]
    return [min(found, key=len)] if found else []


@lru_cache(maxsize=256)
def whole_rows(n: int, most: int, seed: int, effort: str) -> Ints:
    """Rows that cover every pair of n labels, built for exactly this number of labels."""
    found = list(_grouped(n, most, seed, effort)) if n >= GROUPS_LEAST else []
    if not found:
        none = np.zeros((0, most), np.int64)
        found = [rows_for(problem_of(n, 2, most), need_all(n, 2), 2, none, seed, 8)]
    best = min(found, key=len)
    if n > ANNEALED_MOST[effort]:
        return best
    return fewer_rows(_task(n, most, 0, seed, effort), best)


def _task(n: int, most: int, hole: int, seed: int, effort: str) -> CoverageTask:
    need = need_all(n, 2)
    need.reshape(n, n)[n - hole :, n - hole :] = 0
    bound = schoenheim(n, most, 2) - -(-hole * (hole - 1) // (most * (most - 1)))
    return CoverageTask(
        problem_of(n, 2, most), need, 2, hole, bound, MOVES[effort], BASES[effort], seed
    )
