"""What the findings of a run strike, and which of it is the same thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from snellen.contract.fault_target import SAME_IOU, FaultTarget, event_target
from snellen.store.findings import Finding, solid_box
from snellen.store.journal import Journal
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou

BOX, SOLID, NOWHERE = "box", "solid", "nowhere"
"""Kinds of places: in the image, in space, or none, as of a label."""


@dataclass(frozen=True)
class ScenePlace:
    """A target in the scene where it was struck."""

    scene: str
    target: FaultTarget

    @property
    def kind(self) -> str:
        """By what it is located."""
        return SOLID if self.target.solid is not None else BOX if self.target.box else NOWHERE

    @property
    def group(self) -> tuple[str, str | None, str]:
        """What places of one thing have in common, besides boxes that overlap."""
        return self.target.key, None if self.target.shared else self.scene, self.kind

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

    They have the same key and, unless shared, the same scene. Boxes overlap with IoU 0.5 or more;
    the centres of solids are no further from each other than half their shortest side.
    """
    same = np.zeros((len(places), len(others)), dtype=bool)
    columns = _by_group(others)
    for group, rows in _by_group(places).items():
        if group in columns:
            one, other = [places[n] for n in rows], [others[n] for n in columns[group]]
            same[np.ix_(rows, columns[group])] = _same_places(one, other)
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
        count, linked = connected_components(_same_places(members, members), directed=False)
        numbers |= {one: start + int(n) for one, n in zip(members, linked, strict=True)}
        start += int(count)
    return numbers


def _by_group(places: Sequence[ScenePlace]) -> dict[Hashable, list[int]]:
    """The numbers of the places of each group."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, place in enumerate(places):
        groups[place.group].append(number)
    return groups


def _same_places(places: Sequence[ScenePlace], others: Sequence[ScenePlace]) -> Bools:
    """(N, M): whether places of one group are of one thing."""
    targets, rest = ([place.target for place in side] for side in (places, others))
    if places[0].kind == BOX:
        return _overlapping(targets, rest)
    if places[0].kind == SOLID:
        return _near(targets, rest)
    return np.ones((len(places), len(others)), dtype=bool)


def _overlapping(targets: Sequence[FaultTarget], others: Sequence[FaultTarget]) -> Bools:
    one, other = (np.array([t.box for t in side], np.float64) for side in (targets, others))
    return np.asarray(iou(one, other) >= SAME_IOU)


def _near(targets: Sequence[FaultTarget], others: Sequence[FaultTarget]) -> Bools:
    one, other = (np.array([t.solid for t in side], np.float64) for side in (targets, others))
    reach = np.minimum(one[:, 3:5].min(axis=1)[:, None], other[:, 3:5].min(axis=1)) / 2
    return np.asarray(cdist(one[:, :3], other[:, :3]) <= reach)
