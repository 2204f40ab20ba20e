"""The tables of the page: one row per arm, every figure with its interval."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import figure, table
from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.page.named_evaluation import NamedEvaluation
from snellen.repair.page.words import short
from snellen.statistics.intervals import Interval

SHARE, POINTS, PLAIN = "{:.1f}%", "{:+.1f}", "{:.1f}"
NONE = "–"
SIGNED_ZERO = re.compile(r"[+-]0\.0(?!\d)")


def main_table(named: Sequence[NamedEvaluation]) -> Markup:
    """Failure rate and clean AP of each arm and their change; the first row is before repair."""
    graded = any(one.failing is not None for one in named)
    unsure = any(one.evaluation.uncertainty is not None for one in named)
    heads = ["configuration", *(["f + r"] if graded else []), "verdict", "failure rate",
             "change, points", "clean AP", "AP change, points",
             *(["uncertainty, nats", "change"] if unsure else [])]  # fmt: skip
    rows = [_baseline(named[0].evaluation)] if _one_baseline(named) else []
    rows += [_main_row(one) for one in named]
    shown = [True, graded, True, True, True, True, True, unsure, unsure]
    kept = [[one for one, keep in zip(row, shown, strict=True) if keep] for row in rows]
    caption = "Failure rate and clean AP, with 95% intervals by scene"
    if graded:
        caption += "; f + r: insertions at failing and at random places per repair picture"
    return table(heads, kept, caption, stacked=True)


def _one_baseline(named: Sequence[NamedEvaluation]) -> bool:
    return len({one.evaluation.before.fingerprint for one in named}) == 1


def _baseline(one: Evaluation) -> list[Child]:
    return [
        tag("span", "before repair", tag("small", one.before.name)),
        "",
        "",
        cell(one.failures.before, SHARE),
        "",
        _precision(one, "before"),
        "",
        _mean(one.uncertainty, "before"),
        "",
    ]


def _main_row(named: NamedEvaluation) -> list[Child]:
    one = named.evaluation
    return [
        tag("span", named.name, tag("small", named.description) if named.description else None),
        NONE if named.failing is None else f"{named.failing} + {named.random or 0}",
        tag("span", short(one.verdict), class_=f"earned {_look(one)}"),
        cell(one.failures.after, SHARE),
        cell(one.failures.difference, POINTS),
        _precision(one, "after"),
        NONE if one.precision is None else cell(one.precision.change.difference, POINTS),
        _mean(one.uncertainty, "after"),
        _mean(one.uncertainty, "difference", "{:+.3f}"),
    ]


def _look(one: Evaluation) -> str:
    return one.verdict.name.lower().replace("_", "-")


def cell(one: Interval, form: str) -> Markup:
    """A share with its interval below it; zero has no sign.

    >>> cell(Interval(-0.0001, -0.02, 0.0, "wilson"), POINTS)
    '0.0<small>-2.0 to 0.0</small>'
    """
    return Markup(SIGNED_ZERO.sub("0.0", figure(one.to_json(), form) or NONE))


def cell_of(one: Interval, form: str) -> Markup:
    """A mean with its interval below it."""
    if math.isnan(one.value):
        return joined(NONE)
    ends = f"{form.format(one.low)} to {form.format(one.high)}"
    return joined(form.format(one.value), tag("small", ends))


def _precision(one: Evaluation, side: str) -> Markup:
    if one.precision is None:
        return joined(NONE)
    return cell(getattr(one.precision.change, side), PLAIN)


def _mean(change: Change | None, side: str, form: str = "{:.3f}") -> Markup:
    if change is None:
        return joined(NONE)
    return cell_of(getattr(change, side), form)


def instance_table(named: Sequence[NamedEvaluation]) -> Markup:
    """Pr1, Pr2, Pr3 and unchanged, among instances that failed before and among all."""
    heads = ["configuration", "instances", "Pr1: almost none left", "Pr2: fewer", "Pr3: more",
             "unchanged"]  # fmt: skip
    rows: list[list[Child]] = []
    for one in named:
        evaluation = one.evaluation
        for shares, which in ((evaluation.shares, "failed before"), (evaluation.all_shares, "all")):
            kinds = (shares.almost_none, shares.fewer, shares.more, shares.unchanged)
            name = tag("span", one.name, tag("small", which))
            rows.append([name, shares.instances, *(cell(kind, SHARE) for kind in kinds)])
    caption = "How the failures of single instances changed, with 95% intervals by scene"
    return table(heads, rows, caption, stacked=True)


def single_tests(named: Sequence[NamedEvaluation]) -> Markup:
    """Repaired and new failures, undetected instances, and the repaired subject's new run."""
    heads = ["configuration", "repaired per 100 tests", "new per 100 tests",
             "instances not detected", "failure rate if detected", "in a new run",
             "controls failing"]  # fmt: skip
    rows = [_test_row(one.name, one.evaluation) for one in named]
    return table(heads, rows, "Single tests, with 95% intervals by scene", stacked=True)


def _test_row(name: str, one: Evaluation) -> list[Child]:
    return [
        name,
        cell(one.repaired, PLAIN),
        cell(one.new, PLAIN),
        cell(one.undetected.after, SHARE),
        cell(one.failures_detected.after, SHARE),
        NONE if one.fresh is None else cell(one.fresh.rate, SHARE),
        NONE if one.controls is None else cell(one.controls.after, SHARE),
    ]


def equal_table(named: Sequence[NamedEvaluation]) -> Markup | None:
    """Reported objects, and the original subject at the threshold where it reports as many."""
    rows: list[list[Child]] = []
    for one in named:
        equal = one.evaluation.equal
        if equal is None:
            continue
        rows.append([
            one.name,
            cell_of(equal.reported.before, PLAIN),
            cell_of(equal.reported.after, PLAIN),
            f"{equal.threshold:.2f}",
            cell(equal.failures.before, SHARE),
            cell(equal.failures.after, SHARE),
            cell(equal.failures.difference, POINTS),
        ])  # fmt: skip
    if not rows:
        return None
    heads = ["configuration", "objects per scene", "repaired", "original at threshold",
             "failure rate, original", "repaired", "change, points"]  # fmt: skip
    caption = "At equally many reported objects, with 95% intervals by scene"
    return table(heads, rows, caption, stacked=True)


def class_table(one: Evaluation) -> Markup | None:
    """The failure rate by class of the instance, most tests first."""
    if not one.by_class:
        return None
    ordered = sorted(one.by_class.items(), key=lambda item: (-_cases(item[1]), item[0]))
    rows: list[list[Child]] = [
        [name, _cases(change), cell(change.before, SHARE), cell(change.after, SHARE),
         cell(change.difference, POINTS)]
        for name, change in ordered
    ]  # fmt: skip
    heads = ["class", "tests", "before", "after", "change, points"]
    return table(heads, rows, "Failure rate by class, with 95% intervals by scene", stacked=True)


def _cases(change: Change) -> int:
    return int(change.to_json()["before"]["cases"])
