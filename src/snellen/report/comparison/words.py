"""A comparison in words, for the terminal."""

from __future__ import annotations

from snellen.contract.explanation import UNEXPLAINED
from snellen.report.comparison.cases import RatePair
from snellen.report.comparison.comparison import ComparedSubject, Comparison
from snellen.store.estimate import Estimate, percent, points
from snellen.store.faults import Fault
from snellen.store.findings import Finding

NAMED = 5
"""Fixed and new faults that are listed."""


def lines(found: Comparison) -> list[str]:
    """The lines of the comparison, warnings first."""
    a, b = found.subjects
    lines = [f"warning: {one}." for one in found.warnings]
    lines += [f"A: {_subject(a)}", f"B: {_subject(b)}", ""]
    lines += _rates("failing cases", found.tests)
    if found.controls.a.cases or found.controls.b.cases:
        lines += _rates("failing controls", found.controls)
    lines += [_same(found), verdict(found), *_faults(found)]
    return [*lines, *found.own.lines()]


def _faults(found: Comparison) -> list[str]:
    """How many faults are fixed, new and still there, with the worst of each."""
    changes, b = found.faults, found.subjects[1]
    kinds = {"fixed in B": changes.fixed, "new in B": changes.new, "in both": changes.still}
    if not any(kinds.values()) and not changes.not_comparable:
        return []
    lines = [f"faults: {', '.join(f'{len(those)} {kind}' for kind, those in kinds.items())}"]
    if changes.not_comparable:
        lines[0] += f"; {len(changes.not_comparable)} in scenes that only one run examined"
    if b.score != b.run_score:
        lines[0] += f" (B as it was run, at score {b.run_score:g})"
    for kind, those in list(kinds.items())[:2]:
        lines += [f"  {kind}: {fault_words(one)}" for one in those[:NAMED]]
        lines += [f"  and {len(those) - NAMED} more {kind}"] if len(those) > NAMED else []
    return lines


def fault_words(one: Fault, finding: Finding | None = None) -> str:
    """What a fault strikes, where, and why; finding: the one to name, by default the first."""
    cause = "" if one.cause == UNEXPLAINED else f", cause {one.cause}"
    some = f" and {len(one.scenes) - 1} more" if len(one.scenes) > 1 else ""
    kinds = ", ".join(one.kinds)
    shown = (finding or one.representative).id
    return f"{one.target.words} ({kinds}) in {one.scenes[0]}{some}{cause}, {shown}"


def _subject(one: ComparedSubject) -> str:
    text = f"{one.name}, {one.folder}, judged at score {one.score:g}"
    if one.score != one.run_score:
        text += f" (run at {one.run_score:g})"
    if one.point is not None:
        text += f", precision {one.point.precision:.3f} and recall {one.point.recall:.3f}"
        text += " on unchanged scenes"
    return text


def _rates(what: str, pair: RatePair) -> list[str]:
    return [
        f"{what}, A: {pair.a.failing:.0f} of {pair.a.cases:.0f}, {percent(Estimate.of(pair.a))}",
        f"{what}, B: {pair.b.failing:.0f} of {pair.b.cases:.0f}, {percent(Estimate.of(pair.b))}",
        f"  B minus A: {points(Estimate.of(pair.difference))}",
    ]


def _same(found: Comparison) -> str:
    same = found.same
    if same.difference is None:
        return "the runs have no case in common, so they are compared by scene only"
    return (
        f"{same.cases} cases in common: {same.both} fail for both, {same.only_a} for A "
        f"only, {same.only_b} for B only (p = {same.difference.p:.3g}, scenes as units)"
    )


def verdict(found: Comparison) -> str:
    """Which subject fails less often, if the difference is significant."""
    gap = found.tests.difference
    if gap.low > 0:
        return "B fails more often than A."
    if gap.high < 0:
        return "B fails less often than A."
    return "No significant difference in failure rates."
