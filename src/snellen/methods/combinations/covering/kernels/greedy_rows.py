"""Compiled greedy construction of rows, each covering as many needed sets of labels as it can.

`need` is a flat array of n ** size bytes: 1 where the labels of an index are still to be covered
together. All permutations of a set have the same value, so that the partners of any members are
adjacent. Rows are ascending members padded with -1.
"""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bytes, Ints, Ints32, UInts64
from snellen.vision.compilation import compiled


@compiled
def next_choice(choice: Ints, count: int, total: int) -> bool:
    """Advance to the next ascending choice of `count` out of range(total); False after the last."""
    i = count - 1
    while i >= 0 and choice[i] == total - count + i:
        i -= 1
    if i < 0:
        return False
    choice[i] += 1
    for j in range(i + 1, count):
        choice[j] = choice[j - 1] + 1
    return True


@compiled
def put(need: Bytes, labels: Ints, size: int, n: int, value: int) -> None:
    """Write a value at every permutation of a set of labels."""
    if size == 2:
        need[labels[0] * n + labels[1]] = value
        need[labels[1] * n + labels[0]] = value
        return
    order = np.arange(size)
    while True:
        at = 0
        for i in range(size):
            at = at * n + labels[order[i]]
        need[at] = value
        i = size - 2
        while i >= 0 and order[i] > order[i + 1]:
            i -= 1
        if i < 0:
            return
        j = size - 1
        while order[j] < order[i]:
            j -= 1
        order[i], order[j] = order[j], order[i]
        left, right = i + 1, size - 1
        while left < right:
            order[left], order[right] = order[right], order[left]
            left += 1
            right -= 1


@compiled
def mark(need: Bytes, members: Ints, count: int, size: int, n: int) -> int:
    """Clear the needed sets that a row covers; returns their number."""
    if count < size:
        return 0
    choice = np.arange(size)
    labels = np.empty(size, np.int64)
    fresh = 0
    while True:
        at = 0
        for i in range(size):
            labels[i] = members[choice[i]]
            at = at * n + labels[i]
        if need[at]:
            fresh += 1
            put(need, labels, size, n, 0 * n)
        if not next_choice(choice, size, count):
            return fresh


@compiled
def mark_rows(need: Bytes, rows: Ints, size: int, n: int) -> None:
    """Clear the needed sets that the rows cover."""
    for r in range(rows.shape[0]):
        count = 0
        while count < rows.shape[1] and rows[r, count] >= 0:
            count += 1
        mark(need, rows[r], count, size, n)


@compiled
def needed_sets(need: Bytes, size: int, n: int) -> Ints:
    """The sorted indices of the needed sets, each with ascending labels."""
    choice = np.arange(size)
    found = np.empty(1024, np.int64)
    total = 0
    while True:
        at = 0
        for i in range(size):
            at = at * n + choice[i]
        if need[at]:
            if total == found.size:
                short, found = found, np.empty(2 * total, np.int64)
                for i in range(total):
                    found[i] = short[i]
            found[total] = at
            total += 1
        if not next_choice(choice, size, n):
            return found[:total]


@compiled
def _add(
    label: int,
    members: Ints,
    count: int,
    size: int,
    n: int,
    need: Bytes,
    gain: Ints32,
    blocked: Bytes,
    sets: Ints,
    first: Ints,
    of_label: Ints,
    hit: Ints,
) -> None:
    """Add a label to the current row and update gains and blocked labels."""
    members[count] = label
    blocked[label] = 1
    for at in range(first[label], first[label + 1]):
        f = of_label[at]
        hit[f] += 1
        length = 0
        while length < sets.shape[1] and sets[f, length] >= 0:
            length += 1
        if hit[f] == length - 1:
            for i in range(length):
                blocked[sets[f, i]] = 1
    if count < size - 2:
        return
    choice = np.arange(size - 2)
    while True:
        base = 0
        for i in range(size - 2):
            base = base * n + members[choice[i]]
        base = (base * n + label) * n
        for x in range(n):
            gain[x] += need[base + x]
        if not next_choice(choice, size - 2, count):
            return


@compiled
def _inside(label: int, members: Ints, count: int) -> bool:
    found = False
    for i in range(count):
        found |= members[i] == label
    return found


@compiled
def _extra(label: int, first_implied: Ints, implied: Ints, members: Ints, count: int) -> int:
    """How many labels that must be present with this one the row lacks."""
    lacking = 0
    for at in range(first_implied[label], first_implied[label + 1]):
        if not _inside(implied[at], members, count):
            lacking += 1
    return lacking


@compiled
def _add_closed(
    label: int,
    first_implied: Ints,
    implied: Ints,
    members: Ints,
    count: int,
    size: int,
    n: int,
    need: Bytes,
    gain: Ints32,
    blocked: Bytes,
    sets: Ints,
    first: Ints,
    of_label: Ints,
    hit: Ints,
) -> int:
    """Add a label and those that must be present with it, if the row lacks them; the new count."""
    if not _inside(label, members, count):
        _add(label, members, count, size, n, need, gain, blocked, sets, first, of_label, hit)
        count += 1
    for at in range(first_implied[label], first_implied[label + 1]):
        if not _inside(implied[at], members, count):
            _add(
                implied[at], members, count, size, n, need, gain, blocked, sets, first, of_label,
                hit,
            )  # fmt: skip
            count += 1
    return count


@compiled
def _blank(count: int, most: int) -> Ints:
    """(count, most) rows without labels."""
    rows = np.empty((count, most), np.int64)
    for r in range(count):
        for i in range(most):
            rows[r, i] = -1
    return rows


@compiled
def _insert(row: Ints, count: int, label: int) -> None:
    """Insert a label into the first `count` labels of a row, which are ascending."""
    while count > 0 and row[count - 1] > label:
        row[count] = row[count - 1]
        count -= 1
    row[count] = label


@compiled
def greedy(
    n: int,
    size: int,
    most: int,
    need: Bytes,
    sets: Ints,
    first: Ints,
    of_label: Ints,
    never: Bytes,
    first_implied: Ints,
    implied: Ints,
    starts: int,
    limit: int,
    state: UInts64,
) -> Ints:
    """(rows, most) rows that cover every needed set, at most `limit` of them.

    `sets`: sets of labels that must not be present together, padded with -1. `first`, `of_label`:
    these sets by label. `never`: marks labels that must not be present at all. `first_implied`,
    `implied`: the labels that must be present with each label; needed sets have room for these.
    """
    none = 0 * n  # a literal 0 has its own type, for which numba would compile again
    todo = needed_sets(need, size, n)
    left = todo.size
    rows = _blank(64, most)
    total = 0
    members, best = np.empty(most, np.int64), np.empty(most, np.int64)
    gain, blocked = np.empty(n, np.int32), np.empty(n, np.uint8)
    hit = np.empty(sets.shape[0], np.int64)
    while total < limit:
        best_gain, best_count = -1, none
        for _ in range(starts):
            at = -1
            while left > 0:
                i = below(state, left)
                at = todo[i]
                if need[at]:
                    break
                left -= 1
                todo[i] = todo[left]
                at = -1
            if at < 0:
                break
            for x in range(n):
                gain[x], blocked[x] = 0, never[x]
            for f in range(hit.size):
                hit[f] = 0
            sum_gain, count = 1, none
            power = n ** (size - 1)
            for _ in range(size):
                label = at // power
                at -= label * power
                power //= n
                count = _add_closed(
                    label, first_implied, implied, members, count, size, n, need, gain, blocked,
                    sets, first, of_label, hit,
                )  # fmt: skip
            while count < most:
                top, ties, chosen = 0, none, -1
                if implied.size:
                    for x in range(n):
                        if gain[x] > 0 and not blocked[x]:
                            extra = _extra(x, first_implied, implied, members, count)
                            blocked[x] = count + extra >= most
                for x in range(n):
                    if gain[x] >= top and gain[x] > 0 and not blocked[x]:
                        if gain[x] > top:
                            top, ties = gain[x], none
                        ties += 1
                if ties == 0:
                    break
                skip = below(state, ties)
                for x in range(n):
                    if gain[x] == top and not blocked[x]:
                        if skip == 0:
                            chosen = x
                            break
                        skip -= 1
                sum_gain += top
                count = _add_closed(
                    chosen, first_implied, implied, members, count, size, n, need, gain, blocked,
                    sets, first, of_label, hit,
                )  # fmt: skip
            if sum_gain > best_gain:
                best_gain, best_count = sum_gain, count
                for i in range(count):
                    best[i] = members[i]
        if best_gain < 0:
            break
        if total == rows.shape[0]:
            few, rows = rows, _blank(2 * total, most)
            for r in range(total):
                for i in range(most):
                    rows[r, i] = few[r, i]
        for i in range(best_count):
            _insert(rows[total], i, best[i])
        mark(need, rows[total], best_count, size, n)
        total += 1
    return rows[:total]
