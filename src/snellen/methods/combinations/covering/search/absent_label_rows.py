"""Rows for combinations with absent labels that an array does not cover yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from snellen.methods.combinations.covering.members import padded, stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.vision.arrays import Ints

Combination = tuple[frozenset[int], frozenset[int]]
"""Labels that must be present, and labels that must be absent."""


def complete_rows(problem: Problem, members: Ints) -> Ints:
    """The array with rows added until every allowed combination of values is covered."""
    wanted = [one for one in _unseen(problem, members) if problem.feasible(*one)]
    wanted.sort(key=lambda one: (-len(one[0]), sorted(one[0]), sorted(one[1])))
    return stacked([members, padded(_merge(problem, wanted), problem.most)], problem.most)


def _unseen(problem: Problem, members: Ints) -> list[Combination]:
    if [strength for _, strength in problem.demands] == [2]:
        return list(_unseen_pairs(len(problem.names), members))
    from snellen.methods.combinations.covering.kernels.unseen_combinations import unseen

    words = max(1, -(-len(members) // 64))
    columns = np.zeros((len(problem.names), words), np.uint64)
    row, column = np.nonzero(members >= 0)
    bit = np.uint64(1) << (row % 64).astype(np.uint64)
    np.bitwise_or.at(columns, (members[row, column], row // 64), bit)
    last = np.uint64((1 << (len(members) - 64 * (words - 1))) - 1)
    found: list[Combination] = []
    for labels, strength in problem.demands:
        table = unseen(columns, last, np.asarray(labels, np.int64), strength, problem.most)
        for *some, code in table.tolist():
            ones = frozenset(label for i, label in enumerate(some) if code >> i & 1)
            found.append((ones, frozenset(some) - ones))
    return found


def _unseen_pairs(n: int, members: Ints) -> Iterator[Combination]:
    """The same for pairs, by counting: bits of all rows would take n / 8 bytes for each row."""
    together = np.zeros(n * n, np.int32)
    for i, j in combinations(range(members.shape[1]), 2):
        both = members[:, j] >= 0
        together += np.bincount(members[both, i] * n + members[both, j], minlength=n * n).astype(
            np.int32
        )
    alone = np.bincount(members[members >= 0], minlength=n)
    for i in range(n):
        shown, others = together[i * n + i + 1 : (i + 1) * n], alone[i + 1 :]
        none = shown + len(members) == others + alone[i]
        for j in np.flatnonzero(none | (shown == alone[i]) | (shown == others)).tolist():
            pair = frozenset((i, i + 1 + j))
            for code, unseen in ((0, none), (1, shown == alone[i]), (2, shown == others)):
                if unseen[j]:
                    ones = frozenset((i,) if code == 1 else (i + 1 + j,) if code else ())
                    yield ones, pair - ones


def _merge(problem: Problem, wanted: list[Combination]) -> list[frozenset[int]]:
    """The present labels of rows that cover all combinations, each row as many as compatible."""
    rows: list[frozenset[int]] = []
    while wanted:
        ones, zeros = problem.closed(wanted[0][0]), wanted[0][1]
        for more, fewer in wanted[1:]:
            joined = problem.closed(ones | more)
            if not (joined & (zeros | fewer)) and problem.allows(joined):
                ones, zeros = joined, zeros | fewer
        rows.append(ones)
        wanted = [one for one in wanted if not (one[0] <= ones and not (one[1] & ones))]
    return rows
