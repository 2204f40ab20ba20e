"""The faults of a run: its findings grouped by what they strike and by cause."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from snellen.contract.explanation import UNEXPLAINED, NamedCause
from snellen.contract.fault_target import FaultTarget
from snellen.store.explanations import causes
from snellen.store.findings import Finding, findings
from snellen.store.journal import Journal
from snellen.store.struck_targets import ScenePlace, struck_targets, things

Key = tuple[int, int]
"""A finding by its unit and its number in it."""


@dataclass(frozen=True, eq=False)
class FaultFinding:
    """A finding as a part of a fault: what it strikes there, and why, if that was explained."""

    finding: Finding
    place: ScenePlace
    cause: NamedCause


@dataclass(frozen=True, eq=False)
class Fault:
    """Findings that strike the same thing for the same cause.

    parts: the findings, the representative first, then worst first. deterministic: whether the
    subject is. A finding that strikes several things belongs to several faults, and may explain
    only some of them.
    """

    parts: tuple[FaultFinding, ...]
    cause: str
    deterministic: bool = True

    @property
    def representative(self) -> Finding:
        """The finding to show: proven or explained if there is one, with the largest margin."""
        return self.parts[0].finding

    @property
    def target(self) -> FaultTarget:
        """The thing that the representative strikes."""
        return self.parts[0].place.target

    @property
    def says(self) -> str:
        """The evidence for its cause in one sentence; empty if unexplained."""
        return self.parts[0].cause.says

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All its findings, the representative first."""
        return tuple(one.finding for one in self.parts)

    @property
    def scenes(self) -> tuple[str, ...]:
        """The scenes where it was found, sorted; several only for a shared target."""
        return tuple(sorted({one.finding.scene for one in self.parts}))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its hard events, sorted."""
        return tuple(sorted({kind for one in self.findings for kind in one.kinds}))

    @property
    def shown(self) -> bool:
        """Whether counterfactual questions rule out any other cause of one of its findings."""
        return any(one.cause.proven for one in self.parts)

    @property
    def proven(self) -> bool:
        """Whether it is a fact about its scene: shown, and the subject is deterministic."""
        return self.shown and self.deterministic

    @property
    def confirmed(self) -> bool:
        """Whether it is shown, of a subject that may answer differently next time."""
        return self.shown and not self.deterministic

    @cached_property
    def id(self) -> str:
        """A short name: the same in every run that finds the same thing for the same cause."""
        target = self.target
        scene = "" if target.shared else self.representative.scene
        place = [round(value) for value in (target.solid or target.box or ())]
        text = "\0".join([scene, target.key, str(place), self.cause])
        return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def faults(journal: Journal, found: Sequence[Finding] | None = None) -> list[Fault]:
    """The faults of a run: proven ones first, then explained ones, each worst first.

    found: its findings in order of rank, read from the journal by default; those that are not
    counted or strike nothing are left out.
    """
    sure = [one for one in (findings(journal) if found is None else found) if one.counted]
    targets, known = struck_targets(journal, sure), causes(journal)
    rank = {(one.unit, one.number): place for place, one in enumerate(sure)}
    parts = [
        FaultFinding(one, ScenePlace(one.scene, target), cause)
        for one in sure
        for target, cause in _with_causes(targets.get(_key(one), ()), known.get(_key(one)))
    ]
    steady = bool(journal.get("subject")["deterministic"])
    made = [
        Fault(tuple(sorted(members, key=lambda part: _order(part, rank))), cause, steady)
        for members, cause in _grouped(parts, rank)
    ]
    return sorted(made, key=lambda one: (*_order(one.parts[0], rank), one.id))


def _with_causes(
    targets: Sequence[FaultTarget], known: Sequence[NamedCause] | None
) -> Iterable[tuple[FaultTarget, NamedCause]]:
    """Each target with its cause; known: None if the finding was not explained."""
    return zip(targets, known or [NamedCause()] * len(targets), strict=True)


def _key(finding: Finding) -> Key:
    return finding.unit, finding.number


def _order(part: FaultFinding, rank: Mapping[Key, int]) -> tuple[bool, bool, int]:
    """Proven findings first, then explained ones, then by rank."""
    return not part.cause.proven, not part.cause.known, rank[_key(part.finding)]


def _grouped(
    parts: Sequence[FaultFinding], rank: Mapping[Key, int]
) -> list[tuple[list[FaultFinding], str]]:
    """The findings of each thing and cause; unexplained ones join the thing's first cause."""
    numbers = things(part.place for part in parts)
    groups: dict[int, list[FaultFinding]] = defaultdict(list)
    for part in parts:
        groups[numbers[part.place]].append(part)
    grouped = []
    for _, members in sorted(groups.items()):
        first = min(members, key=lambda part: _order(part, rank)).cause.cause
        by_cause: dict[str, dict[Key, FaultFinding]] = defaultdict(dict)
        for part in members:
            cause = part.cause.cause if part.cause.known else first
            by_cause[cause].setdefault(_key(part.finding), part)
        grouped += [(list(one.values()), cause) for cause, one in by_cause.items()]
    return grouped


def causes_of(found: Sequence[Fault]) -> dict[str, int]:
    """How many faults each cause has, most frequent first; unexplained ones last."""
    counts = Counter(one.cause for one in found)
    ordered = sorted(counts.items(), key=lambda one: (one[0] == UNEXPLAINED, -one[1], one[0]))
    return dict(ordered)
