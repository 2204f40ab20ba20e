"""What was measured, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from experiments.metaod.tables import table
from experiments.repair.pooled_evaluation import Pooled
from experiments.repair.settings import Setting
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.page.words import short
from snellen.repair.repair_outcome import Outcome, RepairedSubject
from snellen.statistics.intervals import Interval

HEADS = ("trained", "failing", "change, points", "clean AP", "change, points", "objects a scene",
         "as given, at as many", "change from there", "word")  # fmt: skip


Measured = Evaluation | Pooled
SINGLES = ("trained", "pictures", "repaired of 100", "new of 100", "gone", "Pr1", "Pr2", "Pr3")


def share(one: Interval) -> str:
    """A rate with its interval, in percent."""
    return f"{100 * one.value:.1f}% ({100 * one.low:.1f} to {100 * one.high:.1f})"


def points(one: Interval) -> str:
    """A difference with its interval, in points.

    >>> points(Interval(-0.021, -0.03, -0.01, "x"))
    '-2.1 (-3.0 to -1.0)'
    """
    if math.isnan(one.value):
        return "not known"
    return f"{100 * one.value:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f})"


def row(name: str, one: Measured) -> list[str]:
    """The cells of one repaired subject."""
    clean = one.precision.change if one.precision else None
    equal = one.equal
    return [
        name,
        share(one.failures.after),
        points(one.failures.difference),
        "not known" if clean is None else f"{100 * clean.after.value:.1f}",
        "not known" if clean is None else points(clean.difference),
        "" if equal is None else f"{equal.reported.after.value:.2f}",
        ""
        if equal is None
        else f"{100 * equal.failures.before.value:.1f}% at {equal.threshold:.2f}",
        "" if equal is None else points(equal.failures.difference),
        short(one.verdict),
    ]


def baseline(one: Measured) -> list[str]:
    """The cells of the subject as given."""
    clean = one.precision.change if one.precision else None
    return [
        "as given",
        share(one.failures.before),
        "",
        "not known" if clean is None else f"{100 * clean.before.value:.1f}",
        "",
        "" if one.equal is None else f"{one.equal.reported.before.value:.2f}",
        "",
        "",
        "",
    ]


def compared(outcome: Outcome) -> str:
    """The ways of one repair, with what they were tested on."""
    rows = [one.named for one in outcome.rows]
    first = rows[0].evaluation
    cells = [baseline(first), *(row(one.name, one.evaluation) for one in rows)]
    return "\n\n".join([_tested(outcome), table(HEADS, cells), _singles(outcome)])


def across(outcomes: Sequence[Outcome], found: Mapping[str, Pooled]) -> str:
    """The ways of several repairs, each photograph held out in one of them."""
    first = next(iter(found.values()))
    repair, evaluate = (
        ", ".join(str(len(one.workspace.split.sets[use])) for one in outcomes)
        for use in ("repair", "evaluate")
    )
    told = (
        f"{len(outcomes)} repairs with {repair} photographs, evaluated on {evaluate} others: "
        f"{first.scenes} in all, with {first.tests} tests."
    )
    cells = [baseline(first), *(row(name, one) for name, one in found.items())]
    singles = [
        [
            name,
            ", ".join(str(_row(one, name).facts["pictures"]) for one in outcomes),
            *_single(one),
            *(points(_row(o, name).named.evaluation.failures.difference) for o in outcomes),
        ]
        for name, one in found.items()
    ]
    heads = [*SINGLES, *(f"change, repair {number + 1}" for number in range(len(outcomes)))]
    return "\n\n".join([told, table(HEADS, cells), table(heads, singles)])


def few(found: Mapping[str, Pooled]) -> str:
    """The same of some of the photographs."""
    first = next(iter(found.values()))
    cells = [baseline(first), *(row(name, one) for name, one in found.items())]
    return f"{first.scenes} photographs, {first.tests} tests.\n\n{table(HEADS, cells)}"


def _row(outcome: Outcome, name: str) -> RepairedSubject:
    return next(one for one in outcome.rows if one.named.name == name)


def tried(outcomes: Mapping[str, Outcome], settings: Mapping[str, Setting]) -> str:
    """One row a try: the way `failing`, trained as each setting says."""
    found = {name: one.rows[0].named.evaluation for name, one in outcomes.items()}
    first = next(iter(outcomes.values()))
    cells = [baseline(next(iter(found.values())))]
    cells += [row(f"{name}: {settings[name].told}", one) for name, one in found.items()]
    return "\n\n".join([_tested(first), table(HEADS, cells)])


def _tested(outcome: Outcome) -> str:
    sets = outcome.workspace.split.sets
    told = "; ".join(f"{use} {len(sets[use])}" for use in ("train", "repair", "evaluate"))
    return (
        f"Photographs: {told}. As given, {outcome.test.failing} of {outcome.test.cases} tests fail "
        f"on those of repair, {outcome.tests.failing} of {outcome.tests.cases} on those held out."
    )


def _singles(outcome: Outcome) -> str:
    rows = []
    for one in outcome.rows:
        told = one.named.evaluation
        rows.append([
            one.named.name,
            str(one.facts["pictures"]),
            *_single(told),
            "" if told.fresh is None else share(told.fresh.rate),
            "" if told.controls is None else share(told.controls.after),
        ])  # fmt: skip
    return table([*SINGLES, "own run, new places", "controls failing"], rows)


def _single(one: Measured) -> list[str]:
    """Repaired, new and gone, and Pr1 to Pr3."""
    shares = one.shares
    return [
        f"{100 * one.repaired.value:.1f}",
        f"{100 * one.new.value:.1f}",
        f"{100 * one.undetected.after.value:.1f}%",
        *(f"{100 * x.value:.0f}%" for x in (shares.almost_none, shares.fewer, shares.more)),
    ]
