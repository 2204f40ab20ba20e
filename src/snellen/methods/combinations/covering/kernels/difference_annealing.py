"""Compiled annealing of base blocks whose shifts cover every pair."""

from __future__ import annotations

from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST
from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Ints, UInts64
from snellen.vision.compilation import compiled


@compiled
def _shown(one: int, other: int, n: int, seen: Ints, sign: int) -> int:
    """The change in uncovered differences when that of two labels is added (1) or removed (-1)."""
    d = abs(one - other)
    d = min(d, n - d)
    was: int = seen[d]
    seen[d] = was + sign
    return int(was + sign == 0) - int(was == 0)


@compiled
def _count(block: Ints, n: int, seen: Ints, sign: int) -> int:
    """The change in uncovered differences when a block is added (1) or removed (-1)."""
    change = 0
    for i in range(block.size):
        for j in range(i + 1, block.size):
            change += _shown(block[i], block[j], n, seen, sign)
    return change


@compiled
def _count_of(block: Ints, first: int, second: int, n: int, seen: Ints, sign: int) -> int:
    """The same for the differences of two positions of a block, or of one given twice."""
    change = 0
    for j in range(block.size):
        if j != first:
            change += _shown(block[first], block[j], n, seen, sign)
            if j != second and first != second:
                change += _shown(block[second], block[j], n, seen, sign)
    return change


@compiled
def anneal_differences(
    blocks: Ints,
    halves: int,
    n: int,
    seen: Ints,
    limits: Ints,
    steps: int,
    state: UInts64,
) -> int:
    """The uncovered differences of 1..n/2 after annealing base blocks (blocks, most) in place.

    The first `halves` blocks stay invariant under a shift by n/2: their second half is their first
    half, shifted. `seen`: how often others cover each difference; overwritten.
    """
    most = blocks.shape[1]
    # Literals have their own types, for each of which numba would compile again.
    comes, goes = 1 + 0 * n, -1 + 0 * n
    cost = 0
    for d in range(1, n // 2 + 1):
        if seen[d] == 0:
            cost += 1
    seen[0] = 1
    for b in range(blocks.shape[0]):
        cost += _count(blocks[b], n, seen, comes)
    for at in range(limits.shape[0]):
        for _ in range(steps):
            if cost == 0:
                return 0
            b = below(state, blocks.shape[0])
            block = blocks[b]
            half = b < halves
            i = below(state, most // 2 if half else most)
            old, label = block[i], below(state, n)
            k = i + most // 2 if half else i
            delta = _count_of(block, i, k, n, seen, goes)
            block[i] = label
            if half:
                block[k] = (label + n // 2) % n
            delta += _count_of(block, i, k, n, seen, comes)
            if delta > 0 and (delta >= STEEPEST or below(state, 4294967295) >= limits[at, delta]):
                _count_of(block, i, k, n, seen, goes)
                block[i] = old
                if half:
                    block[k] = (old + n // 2) % n
                _count_of(block, i, k, n, seen, comes)
                continue
            cost += delta
    return cost
