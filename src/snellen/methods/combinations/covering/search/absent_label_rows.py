"""Rows for combinations with absent labels that an array does not cover yet."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import padded, stacked, values_of
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
    from snellen.methods.combinations.covering.kernels.unseen_combinations import unseen

    values = values_of(members, len(problem.names))
    words = max(1, -(-len(values) // 64))
    bits = np.zeros((values.shape[1], words * 64), bool)
    bits[:, : len(values)] = values.T
    columns = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    last = np.uint64((1 << (len(values) - 64 * (words - 1))) - 1)
    found: list[Combination] = []
    for labels, strength in problem.demands:
        table = unseen(columns, last, np.asarray(labels, np.int64), strength, problem.most)
        for *some, code in table.tolist():
            ones = frozenset(label for i, label in enumerate(some) if code >> i & 1)
            found.append((ones, frozenset(some) - ones))
    return found


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
