"""The combinations of label values that an array does not cover; no code shared with generators.

The number of rows in which exactly the labels S of the labels T are present is the
sum over S <= U <= T of (-1) ** (|U| - |S|) * c(U), where c(U) counts the rows with all of U.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice

import numpy as np

from snellen.vision.arrays import Bools, Ints

CHUNK = 100_000


@dataclass(frozen=True)
class Missing:
    """A combination that no row covers: labels (columns) and the required value of each."""

    labels: tuple[int, ...]
    values: tuple[int, ...]


def missing_combinations(
    rows: Bools | Ints,
    strength: int,
    most: int,
    forbidden: Collection[frozenset[int]] = (),
    labels: Sequence[int] | None = None,
    implications: Collection[tuple[int, int]] = (),
    n: int | None = None,
) -> Iterator[Missing]:
    """Every required combination of `strength` labels that is not covered.

    All values with at most `most` ones are required, except those that constraints rule out: no row
    has all labels of a forbidden set, and a row with the first label of an implication has the
    second. The rows are 0/1 values, or with n, the number of labels, members padded with -1.
    """
    total = rows.shape[1] if n is None else n
    columns = np.arange(total) if labels is None else np.sort(np.asarray(labels))
    groups = list(_by_weight(rows, columns, total))
    counts = [_counts(groups, columns.size, size) for size in range(strength + 1)]
    choices = chain.from_iterable(combinations(range(columns.size), strength))
    while True:
        flat = np.fromiter(islice(choices, CHUNK * strength), np.int64)
        if flat.size == 0:
            return
        for one in _missing_in(flat.reshape(-1, strength), counts, columns, most):
            if _possible(one, most, forbidden, implications):
                yield one


def _missing_in(
    chosen: Ints,
    counts: list[Ints],
    columns: Ints,
    most: int,
) -> Iterator[Missing]:
    strength = chosen.shape[1]
    shown = {
        used: counts[len(used)][_places(chosen[:, used])]
        for size in range(strength + 1)
        for used in combinations(range(strength), size)
    }
    for present in shown:
        if len(present) > most:
            continue
        exact = np.zeros(len(chosen), np.int64)
        for used, count in shown.items():
            if set(present) <= set(used):
                exact += (-1) ** (len(used) - len(present)) * count
        for at in np.flatnonzero(exact == 0):
            names = columns[chosen[at]].tolist()
            yield Missing(tuple(names), tuple(int(i in present) for i in range(strength)))


def _possible(
    one: Missing,
    most: int,
    forbidden: Collection[frozenset[int]],
    implications: Collection[tuple[int, int]],
) -> bool:
    """Whether some row can have these values: if any can, the one with the fewest present labels.

    That row has the present labels and what follows from them by implications.
    """
    values = dict(zip(one.labels, one.values, strict=True))
    present = {label for label, value in values.items() if value}
    while True:
        more = {second for first, second in implications if first in present} - present
        if not more:
            break
        present |= more
    return (
        len(present) <= most
        and all(values.get(label, 1) for label in present)
        and not any(some <= present for some in forbidden)
    )


def _by_weight(rows: Bools | Ints, columns: Ints, n: int) -> Iterator[Ints]:
    """For each number of chosen labels present: (rows, number) their positions, ascending."""
    position = np.full(n + 1, columns.size)
    position[columns] = np.arange(columns.size)
    if rows.dtype == bool:
        at, label = np.nonzero(rows[:, columns])
    else:
        placed = np.sort(position[rows], axis=1)
        at, column = np.nonzero(placed < columns.size)
        label = placed[at, column]
    weights = np.bincount(at, minlength=len(rows))
    for weight in np.unique(weights).tolist():
        some = weights == weight
        yield label[some[at]].reshape(int(some.sum()), weight)


def _counts(groups: list[Ints], n: int, size: int) -> Ints:
    """The number of rows that contain each set of `size` labels, by the index of the set."""
    total = _choose(np.array([n]), size)[0]
    counts = np.zeros(total, np.int64)
    for members in groups:
        for used in combinations(range(members.shape[1]), size):
            counts += np.bincount(_places(members[:, used]), minlength=total)
    return counts


def _places(sets: Ints) -> Ints:
    """The index of each ascending set among the sets of its size, in colexicographic order."""
    places = np.zeros(len(sets), np.int64)
    for i in range(sets.shape[1]):
        places += _choose(sets[:, i], i + 1)
    return places


def _choose(total: Ints, size: int) -> Ints:
    product = np.ones(total.shape, np.int64)
    for i in range(size):
        product = product * (total - i) // (i + 1)
    return np.maximum(product, 0)
