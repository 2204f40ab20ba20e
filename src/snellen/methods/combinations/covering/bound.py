"""Lower bounds on the number of rows of an array."""

from __future__ import annotations

from math import comb

from snellen.methods.combinations.covering.problem import Problem


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
    if inside:
        return _counting(n, most, strength, inside)
    ones = schoenheim(n, most, min(strength, most))
    values = sum(comb(strength, size) for size in range(min(strength, most) + 1))
    return max(ones, values, _classic(n) if strength == 2 <= most else 0)


def _counting(n: int, most: int, strength: int, forbidden: list[frozenset[int]]) -> int:
    size = min(strength, most)
    lost = sum(comb(n - len(one), size - len(one)) for one in forbidden if len(one) <= size)
    return max(1, -(-(comb(n, size) - lost) // comb(most, size)))


def _classic(n: int) -> int:
    """The fewest rows that cover all four pairs of values, without a limit on the ones per row."""
    rows = 4
    while comb(rows - 1, -(-rows // 2)) < n:
        rows += 1
    return rows
