"""Which cases are shown: repaired, new and still failing ones, spread over scenes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snellen.methods.verdict import TEST
from snellen.repair.evaluation.pairing import Paired, paired
from snellen.repair.evaluation.sides import Side
from snellen.report.findings import Finding, finding_of, findings, spread

REPAIRED, NEW, STILL = "repaired", "new", "still failing"


@dataclass(frozen=True)
class Shown:
    """One case of both sides. kind: repaired, new or still failing."""

    kind: str
    before: Finding
    after: Finding


def shown_cases(before: Side, after: Side, each: int) -> list[Shown]:
    """At most `each` cases of each kind, the worst of them, from as many scenes as can be."""
    both = paired(before, after)
    kinds = _kinds(both)
    old = _ranked(before, {case for case, kind in kinds.items() if kind[0] != NEW})
    new = _ranked(after, {kind[1] for kind in kinds.values() if kind[0] == NEW})
    back = {kind[1]: case for case, kind in kinds.items()}
    told = {
        wanted: [
            Shown(wanted, one, finding_of(after.journal, kinds[one.id][1]))
            for one in spread([one for one in old if kinds[one.id][0] == wanted], each)
        ]
        for wanted in (REPAIRED, STILL)
    }
    fresh = [
        Shown(NEW, finding_of(before.journal, back[one.id]), one) for one in spread(new, each)
    ]  # fmt: skip
    return [*told[REPAIRED], *fresh, *told[STILL]]


def _ranked(side: Side, wanted: set[str]) -> list[Finding]:
    """Failing tests with these ids, the worst first."""
    return [one for one in findings(side.journal) if one.role == TEST and one.id in wanted]


def _kinds(both: Paired) -> dict[str, tuple[str, str]]:
    """By the id of a case before: what became of it, and its id after."""
    pairs: Iterable[tuple[str, str, bool, bool]] = (
        (old.case, new.case, old.broken, new.broken)
        for old, new in zip(both.before, both.after, strict=True)
    )
    words = {(True, False): REPAIRED, (False, True): NEW, (True, True): STILL}
    return {
        first: (words[was, now], second) for first, second, was, now in pairs if was or now
    }  # fmt: skip
