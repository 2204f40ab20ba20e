"""An evaluation in words."""

from __future__ import annotations

import math

from snellen.pages.markup import Markup, joined, tag
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.repair_verdict import RepairVerdict, in_points
from snellen.statistics.intervals import Interval
from snellen.store.estimate import points

SHORT = {RepairVerdict.SEEN_BEFORE: "no evidence: measured on the repair data"}
LONG = {
    RepairVerdict.MORE_ROBUST: "more robust",
    RepairVerdict.BOLDER: "bolder, no improvement shown",
    RepairVerdict.NOT_SHOWN: "no improvement shown",
    RepairVerdict.WORSE: "worse",
    RepairVerdict.SEEN_BEFORE: "no evidence of robustness",
}


def headline(name: str, one: Evaluation) -> Markup:
    """The first line of the page."""
    before, after = (share(x) for x in (one.failures.before, one.failures.after))
    change = joined(tag("em", after), f" of the same tests, {before} before")
    verdict = tag("em", f"{LONG[one.verdict].capitalize()}:")
    if one.verdict == RepairVerdict.SEEN_BEFORE:
        return joined(verdict, f" {name} is measured on the data it was repaired with")
    return joined(verdict, f" repaired ({name}), it fails in ", change)


def verdict_sentence(one: Evaluation) -> str:
    """The changes with their intervals, and the reasons for the verdict."""
    parts = [f"The failure rate changes by {_points(one.failures.difference)}"]
    if one.precision is not None:
        parts.append(f"clean AP changes by {_points(one.precision.change.difference)}")
    change = ", ".join(parts) + "."
    return f"{change} {reasons(one)}".strip()


def _points(difference: Interval) -> str:
    unknown = math.isnan(difference.value)
    return "an unknown amount" if unknown else points(difference.to_json())


def reasons(one: Evaluation) -> str:
    """The reasons for the verdict, in sentences."""
    if one.verdict == RepairVerdict.MORE_ROBUST:
        return (
            "Scenes and objects were held out from repair, the interval of the change excludes "
            f"zero, and clean AP falls by no more than {in_points(one.margin)}."
        )
    if one.verdict == RepairVerdict.SEEN_BEFORE:
        return f"{str(one.verdict)[0].upper()}{str(one.verdict)[1:]}. {_sentence(one.reasons[0])}"
    return " ".join(map(_sentence, one.reasons))


def _sentence(text: str) -> str:
    whole = f"{text[0].upper()}{text[1:]}"
    return whole if whole.endswith(".") else f"{whole}."


def short(verdict: RepairVerdict) -> str:
    """The verdict in a cell of a table."""
    return SHORT.get(verdict, str(verdict))


def share(one: Interval) -> str:
    """A rate without its interval.

    >>> share(Interval(0.125, 0.1, 0.2, "wilson")), share(Interval(float("nan"), 0, 1, "wilson"))
    ('12.5%', 'no cases')
    """
    return "no cases" if math.isnan(one.value) else f"{100 * one.value:.1f}%"
