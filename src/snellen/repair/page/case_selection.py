"""The cases shown on the page: repaired, new and still failing, spread over scenes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snellen.contract.verdict import TEST
from snellen.repair.evaluation.evaluation_sides import EvaluationSide
from snellen.repair.evaluation.paired_cases import PairedCases, pair_cases
from snellen.store.findings import Finding, finding_of, findings, spread

REPAIRED, NEW, STILL = "repaired", "new", "still failing"


@dataclass(frozen=True)
class ComparedCase:
    """One case of both sides. kind: repaired, new or still failing."""

    kind: str
    before: Finding
    after: Finding


def select_cases(before: EvaluationSide, after: EvaluationSide, each: int) -> list[ComparedCase]:
    """At most `each` cases of each kind, the worst first, spread over scenes."""
    both = pair_cases(before, after)
    kinds = _kinds(both)
    old = _ranked(before, {case for case, kind in kinds.items() if kind[0] != NEW})
    new = _ranked(after, {kind[1] for kind in kinds.values() if kind[0] == NEW})
    back = {kind[1]: case for case, kind in kinds.items()}
    shown = {
        wanted: [
            ComparedCase(wanted, one, finding_of(after.journal, kinds[one.id][1]))
            for one in spread([one for one in old if kinds[one.id][0] == wanted], each)
        ]
        for wanted in (REPAIRED, STILL)
    }
    fresh = [
        ComparedCase(NEW, finding_of(before.journal, back[one.id]), one)
        for one in spread(new, each)
    ]
    return [*shown[REPAIRED], *fresh, *shown[STILL]]


def _ranked(side: EvaluationSide, wanted: set[str]) -> list[Finding]:
    """The failing tests with these ids, the worst first."""
    return [one for one in findings(side.journal) if one.role == TEST and one.id in wanted]


def _kinds(both: PairedCases) -> dict[str, tuple[str, str]]:
    """The kind of each case that failed on either side and its id after, by its id before."""
    pairs: Iterable[tuple[str, str, bool, bool]] = (
        (old.case, new.case, old.failed, new.failed)
        for old, new in zip(both.before, both.after, strict=True)
    )
    words = {(True, False): REPAIRED, (False, True): NEW, (True, True): STILL}
    return {
        first: (words[was, now], second) for first, second, was, now in pairs if was or now
    }  # fmt: skip
