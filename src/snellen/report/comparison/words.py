"""A comparison in plain words, for a terminal."""

from __future__ import annotations

from snellen.methods.requirements.comparison.clean_metrics import MetricPair
from snellen.methods.requirements.comparison.loss_pairs import ComparedRequirement, LossPair
from snellen.report.comparison.cases import RatePair
from snellen.report.comparison.comparison import ComparedSubject, Comparison
from snellen.report.words import percent, points


def lines(found: Comparison) -> list[str]:
    """What there is to say, warnings first."""
    a, b = found.subjects
    told = [f"warning: {one}." for one in found.warnings]
    told += [f"A: {_subject(a)}", f"B: {_subject(b)}", ""]
    told += _rates("cases that fail", found.tests)
    if found.controls.a.cases or found.controls.b.cases:
        told += _rates("controls that fail", found.controls)
    told += [_same(found), verdict(found)]
    if found.clean:
        told += ["", f"on {found.scenes} scenes as they are:"]
        told += [f"  {_metric(name, one)}" for name, one in found.clean.items()]
    if found.requirements:
        told += ["", "requirements (A, B; loss of B less that of A):"]
        told += [line for one in found.requirements for line in _requirement(one)]
    return told


def _subject(one: ComparedSubject) -> str:
    told = f"{one.name}, {one.folder}, judged at score {one.score:g}"
    if one.score != one.run_score:
        told += f" (run at {one.run_score:g})"
    if one.point is not None:
        told += f", precision {one.point.precision:.3f} and recall {one.point.recall:.3f} unchanged"
    return told


def _rates(what: str, pair: RatePair) -> list[str]:
    return [
        f"{what}, A: {pair.a.failing:.0f} of {pair.a.cases:.0f}, {percent(pair.a.to_json())}",
        f"{what}, B: {pair.b.failing:.0f} of {pair.b.cases:.0f}, {percent(pair.b.to_json())}",
        f"  B less A: {_points(pair)}",
    ]


def _points(pair: RatePair | MetricPair | LossPair) -> str:
    values = pair.difference.to_json()
    return "not known" if values["value"] is None else points(values)


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
    """Who fails less often, if that can be told."""
    gap = found.tests.difference
    if gap.low > 0:
        return "B fails more often than A."
    if gap.high < 0:
        return "B fails less often than A."
    return "Neither is shown to fail more often than the other."


def _metric(name: str, pair: MetricPair) -> str:
    values = [one.to_json()["value"] for one in (pair.a, pair.b)]
    shown = ["not known" if one is None else f"{float(one):.3f}" for one in values]
    return f"{name}: A {shown[0]}, B {shown[1]}, {_points(pair)}"


def _requirement(one: ComparedRequirement) -> list[str]:
    """Its status for both, and a line for each metric up to its own threshold, the largest."""
    a, b = one.status
    if not one.losses:
        return [f"  {one.name}: {a.value}, {b.value}; it demands nothing"]
    own = max(pair.threshold for pair in one.losses)
    told = [
        f"    loss of {pair.metric} up to visual change {pair.threshold:g}: {_points(pair)}"
        for pair in one.losses
        if pair.threshold == own
    ]
    return [f"  {one.name}: {a.value}, {b.value}", *told]
