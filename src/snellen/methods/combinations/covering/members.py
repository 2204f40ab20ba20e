"""Rows as members (ascending labels padded with -1) and as 0/1 values; the table of needed sets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from snellen.vision.arrays import Bools, Bytes, Ints


def padded(sets: Iterable[Iterable[int]], width: int) -> Ints:
    """Sets of labels as rows of members, (sets, width)."""
    ordered = [sorted(one) for one in sets]
    rows = np.full((len(ordered), width), -1, np.int64)
    for at, one in enumerate(ordered):
        rows[at, : len(one)] = one
    return rows


def members_of(rows: Bools, width: int) -> Ints:
    """0/1 rows as members."""
    members = np.full((len(rows), width), -1, np.int64)
    at, label = np.nonzero(rows)
    members[at, np.arange(at.size) - np.searchsorted(at, at)] = label
    return members


def values_of(members: Ints, n: int) -> Bools:
    """Members as 0/1 rows, (rows, n)."""
    rows = np.zeros((len(members), n), bool)
    at, column = np.nonzero(members >= 0)
    rows[at, members[at, column]] = True
    return rows


def widened(members: Ints, width: int) -> Ints:
    """The same rows with more padding."""
    wide = np.full((len(members), width), -1, np.int64)
    wide[:, : members.shape[1]] = members
    return wide


def stacked(parts: Iterable[Ints], width: int) -> Ints:
    """The rows of several arrays in one array."""
    return np.concatenate([np.zeros((0, width), np.int64), *(widened(one, width) for one in parts)])


def need_all(n: int, size: int) -> Bytes:
    """(n ** size,) the table of needed sets in which every set of `size` labels is needed."""
    need = np.ones((n,) * size, np.uint8)
    for i in range(size):
        for j in range(i + 1, size):
            view = np.moveaxis(need, (i, j), (0, 1))
            view[np.arange(n), np.arange(n)] = 0
    return need.reshape(-1)
