"""A comparison in plain words, for a terminal."""

from __future__ import annotations

from snellen.report.comparison.cases import RatePair
from snellen.report.comparison.comparison import ComparedSubject, Comparison
from snellen.store.estimate import Estimate, percent, points


def lines(found: Comparison) -> list[str]:
    """What there is to say, warnings first."""
    a, b = found.subjects
    told = [f"warning: {one}." for one in found.warnings]
    told += [f"A: {_subject(a)}", f"B: {_subject(b)}", ""]
    told += _rates("cases that fail", found.tests)
    if found.controls.a.cases or found.controls.b.cases:
        told += _rates("controls that fail", found.controls)
    told += [_same(found), verdict(found)]
    return [*told, *found.own.lines()]


def _subject(one: ComparedSubject) -> str:
    told = f"{one.name}, {one.folder}, judged at score {one.score:g}"
    if one.score != one.run_score:
        told += f" (run at {one.run_score:g})"
    if one.point is not None:
        told += f", precision {one.point.precision:.3f} and recall {one.point.recall:.3f} unchanged"
    return told


def _rates(what: str, pair: RatePair) -> list[str]:
    return [
        f"{what}, A: {pair.a.failing:.0f} of {pair.a.cases:.0f}, {percent(Estimate.of(pair.a))}",
        f"{what}, B: {pair.b.failing:.0f} of {pair.b.cases:.0f}, {percent(Estimate.of(pair.b))}",
        f"  B less A: {points(Estimate.of(pair.difference))}",
    ]


def _same(found: Comparison) -> str:
    same = found.same
    if not same.cases:
        return "no case was put to both, so they are compared by scene only"
    return (
        f"{same.cases} cases were put to both: {same.both} fail for both, {same.only_a} for A "
        f"only, {same.only_b} for B only (p = {same.p_value:.3g} by McNemar's test on cases, "
        f"{same.p_by_scene:.3g} by scenes)"
    )


def verdict(found: Comparison) -> str:
    """Who fails less often, if either is shown to."""
    gap = found.tests.difference
    if gap.low > 0:
        return "B fails more often than A."
    if gap.high < 0:
        return "B fails less often than A."
    return "Neither is shown to fail more often than the other."
