"""What follows from constraints: closures of implications, and minimal impossible sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations, product

LOOKED_UP = 6
"""Size of a set up to which its subsets are looked up one by one."""


def closures_of(rules: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """By label that implies others: all labels that must be present with it, itself left out.

    >>> closures_of([(0, 1), (1, 2), (2, 1)])[0] == {1, 2}
    True
    """
    direct: dict[int, set[int]] = {}
    for one, other in rules:
        direct.setdefault(one, set()).add(other)
    found = {}
    for one in direct:
        reached, open_ = {one}, [one]
        while open_:
            more = direct.get(open_.pop(), set()) - reached
            reached |= more
            open_ += more
        if len(reached) > 1:
            found[one] = frozenset(reached - {one})
    return found


def minimal_sets(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """The sets that contain no other one, by size.

    >>> [sorted(one) for one in minimal_sets([frozenset({1, 2, 3}), frozenset({2, 1})])]
    [[1, 2]]
    """
    kept: list[frozenset[int]] = []
    known: set[frozenset[int]] = set()
    for one in sorted(set(sets), key=lambda s: (len(s), sorted(s))):
        if not _contains_one(one, known):
            kept.append(one)
            known.add(one)
    return kept


def _contains_one(one: frozenset[int], known: Collection[frozenset[int]]) -> bool:
    if len(one) > LOOKED_UP:
        return any(other < one for other in known)
    parts = (part for size in range(1, len(one)) for part in combinations(one, size))
    return any(frozenset(part) in known for part in parts)


def sets_with_implications(
    forbidden: list[frozenset[int]], closures: Mapping[int, frozenset[int]]
) -> list[frozenset[int]]:
    """The sets of labels that imply all labels of a forbidden set, the set itself included."""
    if not closures:
        return list(forbidden)
    causes: dict[int, list[int]] = {}
    for one, more in closures.items():
        for other in more:
            causes.setdefault(other, []).append(one)
    return [
        frozenset(some)
        for one in forbidden
        for some in product(*([label, *causes.get(label, [])] for label in sorted(one)))
    ]


def sets_without_room(
    n: int, most: int, deepest: int, closures: Mapping[int, frozenset[int]]
) -> list[frozenset[int]]:
    """The sets of at most `deepest` labels that, with what they imply, are more than `most`."""
    sizes = sorted((len(more) for more in closures.values()), reverse=True)
    if deepest + sum(sizes[:deepest]) <= most:
        return []
    plain = [label for label in range(n) if label not in closures]
    found = []
    for size in range(1, deepest + 1):
        for few in range(1, size + 1):
            for some in combinations(sorted(closures), few):
                implied = frozenset(some).union(*(closures[one] for one in some))
                if len(implied) + size - few <= most:
                    continue
                found += [
                    frozenset((*some, *others))
                    for others in combinations(plain, size - few)
                    if len(implied.union(others)) > most
                ]
    return found
