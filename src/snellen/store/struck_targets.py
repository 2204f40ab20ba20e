"""What the findings of a run strike, and which of it is the same thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.contract.fault_target import FaultTarget, event_target, same_places
from snellen.store.findings import Finding, solid_box
from snellen.store.journal import Journal
from snellen.vision.arrays import Bools


@dataclass(frozen=True)
class ScenePlace:
    """A target in the scene where it was struck."""

    scene: str
    target: FaultTarget

    @property
    def group(self) -> tuple[tuple[str, str], str | None]:
        """What places of one thing have in common, besides boxes that overlap."""
        return self.target.kind, None if self.target.shared else self.scene

    @property
    def order(self) -> tuple[str, str, tuple[float, ...]]:
        """Sort key."""
        return self.target.key, self.scene, (*(self.target.solid or ()), *(self.target.box or ()))


def struck_targets(
    journal: Journal, found: Sequence[Finding]
) -> Mapping[tuple[int, int], tuple[FaultTarget, ...]]:
    """What each finding strikes, by its unit and its number in it.

    A journal older than targets has none; then they follow from the hard events.
    """
    rows = journal.rows(
        'SELECT unit, "case", key, words, x1, y1, x2, y2, solid, shared FROM struck '
        'ORDER BY unit, "case", number'
    )
    targets: dict[tuple[int, int], list[FaultTarget]] = defaultdict(list)
    for unit, case, key, words, x1, y1, x2, y2, solid, shared in rows:
        box = None if x1 is None else (x1, y1, x2, y2)
        target = FaultTarget(key, words, box, solid_box(solid), bool(shared))
        targets[unit, case].append(target)
    if not targets:
        return {(one.unit, one.number): targets_of_rows(one) for one in found}
    return {place: tuple(things) for place, things in targets.items()}


def targets_of_rows(finding: Finding) -> tuple[FaultTarget, ...]:
    """What the hard events of a recorded finding strike."""
    return tuple(
        dict.fromkeys(
            event_target(one.kind, one.name, one.new_name, one.box, one.solid)
            for one in finding.events
            if one.hard
        )
    )


def same_things(places: Sequence[ScenePlace], others: Sequence[ScenePlace]) -> Bools:
    """(N, M): whether two places, perhaps of two runs, are of one thing.

    They have the same kind and, unless shared, the same scene; and see `same_places`.
    """
    same = np.zeros((len(places), len(others)), dtype=bool)
    columns = _by_group(others)
    for group, rows in _by_group(places).items():
        if group in columns:
            one = [places[n].target for n in rows]
            other = [others[n].target for n in columns[group]]
            same[np.ix_(rows, columns[group])] = same_places(one, other)
    return same


def things(places: Iterable[ScenePlace]) -> dict[ScenePlace, int]:
    """The number of the thing that each place is of; places of one thing are linked.

    Numbers do not depend on the order of the places.
    """
    known = sorted(set(places), key=lambda one: one.order)
    numbers: dict[ScenePlace, int] = {}
    start = 0
    for rows in _by_group(known).values():
        members = [known[n] for n in rows]
        count, linked = _linked([one.target for one in members])
        numbers |= {one: start + n for one, n in zip(members, linked, strict=True)}
        start += count
    return numbers


def _linked(targets: Sequence[FaultTarget]) -> tuple[int, Sequence[int]]:
    """How many things targets of one kind and scene are, and which thing each is."""
    if len(targets) == 1:
        return 1, [0]
    from scipy.sparse.csgraph import connected_components  # takes 30 MB

    count, linked = connected_components(same_places(targets, targets), directed=False)
    return int(count), linked.tolist()


def _by_group(places: Sequence[ScenePlace]) -> dict[Hashable, list[int]]:
    """The numbers of the places of each group."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, place in enumerate(places):
        groups[place.group].append(number)
    return groups
