"""Lower bounds on the number of rows of an array."""

from __future__ import annotations

from math import comb

import numpy as np

from snellen.methods.combinations.covering.problem import Problem
from snellen.vision.arrays import Bools, Ints

MOST_LINKS = 5000
"""Labels and pairs of labels whose links are counted for a bound under constraints."""
Larger = list[frozenset[int]]


def schoenheim(n: int, most: int, strength: int) -> int:
    """The Schönheim bound on rows of `most` labels that cover all sets of `strength` of n labels.

    >>> schoenheim(80, 4, 2), schoenheim(20, 6, 3)
    (540, 64)
    """
    if strength == 0:
        return 1
    return -(-n * schoenheim(n - 1, most - 1, strength - 1) // most)


def lower_bound(problem: Problem) -> int:
    """A lower bound on the number of rows of a complete array."""
    return max(_bound_of(problem, labels, strength) for labels, strength in problem.demands)


def _bound_of(problem: Problem, labels: tuple[int, ...], strength: int) -> int:
    n, most = len(labels), min(problem.most, len(labels))
    inside = [one for one in problem.forbidden if one <= set(labels)]
    if inside or problem.implied:
        return _under_constraints(labels, most, min(strength, most), inside)
    ones = schoenheim(n, most, min(strength, most))
    values = sum(comb(strength, size) for size in range(min(strength, most) + 1))
    return max(ones, values, _classic(n) if strength == 2 <= most else 0)


def _under_constraints(
    labels: tuple[int, ...], most: int, size: int, forbidden: list[frozenset[int]]
) -> int:
    """Schönheim's argument with the sets that remain: the rows of each label bound those of all."""
    place = {label: at for at, label in enumerate(labels)}
    together = ~np.eye(len(labels), dtype=bool)
    never = np.zeros(len(labels), bool)
    larger: Larger = []
    for one in forbidden:
        some = [place[label] for label in sorted(one)]
        if len(some) == 1:
            never[some] = True
        elif len(some) == 2:
            together[some, some[::-1]] = False
        else:
            larger.append(frozenset(some))
    together[never] = together[:, never] = False
    return max(1, _rows_needed(np.flatnonzero(~never), together, larger, most, size))


def _rows_needed(labels: Ints, together: Bools, larger: Larger, most: int, size: int) -> int:
    """A bound on the rows that cover all sets of `size` of these labels that may be together."""
    if size == 0:
        return 1
    if not len(labels):
        return 0
    cap = _most_together(labels, together, most)
    if size == 1:
        return -(-len(labels) // cap)
    if size == 2:
        partners = together[np.ix_(labels, labels)].sum(axis=1)
        rows = np.maximum(1, -(-partners // max(1, cap - 1)))
        return -(-int(rows.sum()) // cap)
    if len(labels) ** (size - 2) > MOST_LINKS:
        return 1
    total = sum(_link(label, labels, together, larger, cap, size) for label in labels.tolist())
    return -(-total // cap)


def _link(label: int, labels: Ints, together: Bools, larger: Larger, cap: int, size: int) -> int:
    """A bound on the rows with a label: they cover the sets that may be together with it."""
    rest = [one - {label} for one in larger]
    apart = [sorted(one) for one in rest if len(one) == 2]
    if apart:
        together = together.copy()
        for first, second in apart:
            together[first, second] = together[second, first] = False
    beside = labels[together[label, labels]]
    return _rows_needed(beside, together, [one for one in rest if len(one) > 2], cap - 1, size - 1)


def _most_together(labels: Ints, together: Bools, most: int) -> int:
    """A bound on the labels in a row, up to most: the groups of exclusive labels, by greed."""
    left, groups = set(labels.tolist()), 0
    while left and groups < most:
        groups += 1
        group = [min(left)]
        for label in sorted(left - set(group)):
            if not together[label, group].any():
                group.append(label)
        left -= set(group)
    return groups


def _classic(n: int) -> int:
    """The fewest rows that cover all four pairs of values, without a limit on the ones per row."""
    rows = 4
    while comb(rows - 1, -(-rows // 2)) < n:
        rows += 1
    return rows
