"""A comparison in words, for the terminal."""

from __future__ import annotations

from snellen.report.comparison.cases import RatePair
from snellen.report.comparison.comparison import ComparedSubject, Comparison
from snellen.store.estimate import Estimate, percent, points


def lines(found: Comparison) -> list[str]:
    """The lines of the comparison, warnings first."""
    a, b = found.subjects
    lines = [f"warning: {one}." for one in found.warnings]
    lines += [f"A: {_subject(a)}", f"B: {_subject(b)}", ""]
    lines += _rates("failing cases", found.tests)
    if found.controls.a.cases or found.controls.b.cases:
        lines += _rates("failing controls", found.controls)
    lines += [_same(found), verdict(found)]
    return [*lines, *found.own.lines()]


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
    if not same.cases:
        return "the runs have no case in common, so they are compared by scene only"
    return (
        f"{same.cases} cases in common: {same.both} fail for both, {same.only_a} for A "
        f"only, {same.only_b} for B only (p = {same.p_value:.3g} by McNemar's test on cases, "
        f"{same.p_by_scene:.3g} by scenes)"
    )


def verdict(found: Comparison) -> str:
    """Which subject fails less often, if the difference is significant."""
    gap = found.tests.difference
    if gap.low > 0:
        return "B fails more often than A."
    if gap.high < 0:
        return "B fails less often than A."
    return "No significant difference in failure rates."
