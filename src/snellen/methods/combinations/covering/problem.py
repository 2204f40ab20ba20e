"""The requirements of a covering array: labels, strength, limits and constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from snellen.errors import UserError, nearest
from snellen.methods.combinations.covering.constraints import (
    closures_of,
    minimal_sets,
    sets_with_implications,
    sets_without_room,
)
from snellen.methods.combinations.covering.search_size import check_size
from snellen.methods.combinations.covering.singles import SINGLES
from snellen.vision.arrays import Bools, Ints

MAX_STRENGTH = 6
Label = str | int


@dataclass(frozen=True)
class Problem:
    """The requirements: columns are `names`, and each of `demands` is (labels, strength).

    `forbidden`: the minimal sets of labels that cannot be present together, those that follow from
    implications included. `implied`: by label, all labels that must be present with it, for labels
    that have any. A row has at most `most` labels, contains no forbidden set, and contains what its
    labels imply. The least such row with some labels present has these and what they imply, so that
    a combination of values can be covered if and only if that row is allowed and has none of the
    labels that must be absent. `stated`: forbidden sets and implications as the user gave them.
    """

    names: tuple[str, ...]
    strength: int
    most: int
    forbidden: tuple[frozenset[int], ...] = ()
    demands: tuple[tuple[tuple[int, ...], int], ...] = ()
    implied: tuple[tuple[int, frozenset[int]], ...] = ()
    stated: tuple[tuple[frozenset[int], ...], tuple[tuple[int, int], ...]] = ((), ())

    @cached_property
    def _forbidden_with(self) -> dict[int, list[frozenset[int]]]:
        """The forbidden sets by their least label."""
        found: dict[int, list[frozenset[int]]] = {}
        for one in self.forbidden:
            found.setdefault(min(one), []).append(one)
        return found

    def closed(self, present: Iterable[int]) -> frozenset[int]:
        """These labels and all that they imply."""
        labels = frozenset(present)
        return labels.union(*(more for one, more in self.implied if one in labels))

    def allows(self, present: Iterable[int]) -> bool:
        """Whether a row may have exactly these labels present."""
        labels = frozenset(present)
        if len(labels) > self.most or self.closed(labels) != labels:
            return False
        return not any(self.broken(labels))

    def broken(self, present: frozenset[int]) -> Iterator[frozenset[int]]:
        """The forbidden sets that these labels contain."""
        known = self._forbidden_with
        return (one for label in present for one in known.get(label, ()) if one <= present)

    def feasible(self, ones: frozenset[int], zeros: frozenset[int]) -> bool:
        """Whether some allowed row has these labels present and those absent."""
        closed = self.closed(ones)
        return not (closed & zeros) and self.allows(closed)

    def restricted(self, labels: tuple[int, ...], strength: int) -> tuple[Problem, Ints]:
        """The demand on some labels as a problem of these and what they imply; their columns."""
        columns = sorted(self.closed(labels))
        place = {label: at for at, label in enumerate(columns)}
        inside = set(columns)
        few = Problem(
            tuple(self.names[label] for label in columns),
            strength,
            self.most,
            tuple(
                frozenset(place[i] for i in one) for one in self.forbidden if one <= inside
            ),
            ((tuple(place[label] for label in labels), strength),),
            tuple(
                (place[one], frozenset(place[i] for i in more))
                for one, more in self.implied
                if one in inside
            ),
        )  # fmt: skip
        return few, np.array(columns, np.int64)

    def implications(self) -> tuple[tuple[int, int], ...]:
        """(a, b) for every label b that must be present with a, in required combinations."""
        return tuple(
            (one, other)
            for one, more in self.implied
            for other in sorted(more)
            if any(one in labels and other in labels for labels, _ in self.demands)
            and frozenset((one,)) not in self.forbidden
        )

    def infeasible(self) -> tuple[frozenset[int], ...]:
        """The forbidden sets that occur in some required combination."""
        return tuple(one for one in self.forbidden if self._in_demand(one))

    def _in_demand(self, one: frozenset[int]) -> bool:
        return any(len(one) <= t and one <= set(labels) for labels, t in self.demands)

    def combinations(self) -> int:
        """The number of required combinations of values, counted separately for each demand."""
        return sum(self._count(labels, strength) for labels, strength in self.demands)

    def _count(self, labels: tuple[int, ...], strength: int) -> int:
        n, total = len(labels), 0
        implying = {one for one, _ in self.implied}
        plain = tuple(one for one in labels if one not in implying)
        inside = [one for one in self.forbidden if one <= set(plain)]
        for size in range(min(strength, self.most) + 1):
            lost = _sets_over(inside, plain, size)
            total += (comb(len(plain), size) - lost) * comb(n - size, strength - size)
        return total + self._count_implying(labels, plain, strength)

    def _count_implying(
        self, labels: tuple[int, ...], plain: tuple[int, ...], strength: int
    ) -> int:
        """The combinations with a present label that implies others."""
        inside, total = frozenset(labels), 0
        implying = [one for one in labels if one not in set(plain)]
        for size in range(1, min(strength, self.most) + 1):
            for few in range(1, min(size, len(implying)) + 1):
                for some in combinations(implying, few):
                    for others in combinations(plain, size - few):
                        closed = self.closed((*some, *others))
                        if self.allows(closed):
                            absent = len(inside) - len(closed & inside)
                            total += comb(absent, strength - size)
        return total


def _sets_over(forbidden: list[frozenset[int]], labels: tuple[int, ...], size: int) -> int:
    lost: set[frozenset[int]] = set()
    for one in forbidden:
        if len(one) <= size:
            rest = [label for label in labels if label not in one]
            lost.update(one.union(more) for more in combinations(rest, size - len(one)))
    return len(lost)


def problem_of(
    labels: int | Sequence[str],
    strength: int,
    most: int,
    forbid: Iterable[Iterable[Label]] = (),
    exclusive: Iterable[Iterable[Label]] = (),
    strength_on: Mapping[tuple[Label, ...], int] | None = None,
    implies: Mapping[Label, Iterable[Label]] | None = None,
) -> Problem:
    """The problem given by the arguments of `cover`, or a `UserError`."""
    names = _names(labels)
    if strength == 1:
        raise UserError(f"strength: found 1, expected 2 to {MAX_STRENGTH}. {SINGLES}")
    if not 2 <= strength <= MAX_STRENGTH:
        raise UserError(f"strength: found {strength}, expected 2 to {MAX_STRENGTH}.")
    if len(names) < strength:
        raise UserError(
            f"labels: found {len(names)}, expected at least {strength}, the strength. "
            "Add labels or lower the strength."
        )
    if most < 1:
        raise UserError(f"max_present: found {most}, expected 1 or more labels per row.")
    most = min(most, len(names))
    sets = [_indices(names, one, "forbid") for one in forbid]
    for group in exclusive:
        sets += [
            frozenset(pair) for pair in combinations(sorted(_indices(names, group, "exclusive")), 2)
        ]
    demands = [(tuple(range(len(names))), strength)]
    for given, higher in (strength_on or {}).items():
        demands.append(_stronger(names, given, higher, strength))
    rules = _rules(names, implies or {})
    closures = closures_of(rules)
    for some, t in demands:
        check_size(len(set(some).union(*(closures.get(one, ()) for one in some))), t, most)
    forbidden = sets_with_implications(minimal_sets(sets), closures)
    deepest = min(most, max(t for _, t in demands))
    forbidden += sets_without_room(len(names), most, deepest, closures)
    return Problem(
        names,
        strength,
        most,
        tuple(minimal_sets(forbidden)),
        tuple(demands),
        tuple(sorted(closures.items())),
        (tuple(minimal_sets(sets)), tuple(rules)),
    )


def _rules(
    names: tuple[str, ...], implies: Mapping[Label, Iterable[Label]]
) -> list[tuple[int, int]]:
    """(a, b) for each implication: if a is present, so is b."""
    found = set()
    for one, others in implies.items():
        if isinstance(others, str):
            raise UserError(
                f"implies: found '{others}' for '{one}', expected a list of labels: [{others}]."
            )
        first = index_of(names, one, "implies")
        found |= {(first, other) for other in _indices(names, others, "implies") if other != first}
    return sorted(found)


def _stronger(
    names: tuple[str, ...], given: tuple[Label, ...], higher: int, strength: int
) -> tuple[tuple[int, ...], int]:
    some = tuple(sorted(_indices(names, given, "strength_on")))
    if not strength < higher <= MAX_STRENGTH:
        raise UserError(
            f"strength_on: found {higher}, expected more than the strength {strength} of all "
            f"labels, and at most {MAX_STRENGTH}."
        )
    if len(some) < higher:
        raise UserError(
            f"strength_on: found {len(some)} labels at strength {higher}, expected {higher} or "
            "more labels."
        )
    return some, higher


def _names(labels: int | Sequence[str]) -> tuple[str, ...]:
    if isinstance(labels, int):
        if labels < 1:
            raise UserError(f"labels: found {labels}, expected a number of labels above 0.")
        return tuple(str(i) for i in range(labels))
    names = tuple(str(one) for one in labels)
    twice = (
        sorted({one for one in names if names.count(one) > 1})
        if len(set(names)) < len(names)
        else []
    )
    if twice:
        raise UserError(f"labels: '{twice[0]}' occurs twice. Give each label a unique name.")
    return names


def index_of(names: Sequence[str], label: Label, where: str) -> int:
    """The column of a label, given by name or index."""
    if isinstance(label, int) and 0 <= label < len(names):
        return label
    if isinstance(label, int) and str(label) not in names:
        raise UserError(
            f"{where}: found label {label}, expected a name or a column from 0 to {len(names) - 1}."
        )
    if str(label) in names:
        return list(names).index(str(label))
    raise UserError(f"{where}: unknown label '{label}'{nearest(str(label), names[:20])}")


def _indices(names: tuple[str, ...], labels: Iterable[Label], where: str) -> frozenset[int]:
    found = frozenset(index_of(names, one, where) for one in labels)
    if not found:
        raise UserError(f"{where}: found an empty combination, expected at least one label.")
    return found


def rows_of(problem: Problem, given: object, where: str) -> Bools:
    """(rows, labels) given rows, checked against the constraints."""
    n = len(problem.names)
    rows = np.asarray(given)
    if rows.size == 0:
        return np.zeros((0, n), bool)
    if rows.ndim != 2 or rows.shape[1] != n or not np.isin(rows, (0, 1)).all():
        raise UserError(
            f"{where}: found shape {rows.shape}, expected rows of {n} values, each 0 or 1."
        )
    for at, row in enumerate(rows):
        present = frozenset(np.flatnonzero(row).tolist())
        if not problem.allows(present):
            shown = ", ".join(problem.names[i] for i in sorted(present))
            raise UserError(
                f"{where}: row {at + 1} has {shown}, which max_present, forbid, exclusive or "
                "implies does not allow. Remove the row or the constraint."
            )
    return rows.astype(bool)
