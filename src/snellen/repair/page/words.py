"""What an evaluation says, in plain words."""

from __future__ import annotations

import math

from snellen.pages.markup import Markup, joined, tag
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.repair_verdict import RepairVerdict, in_points
from snellen.statistics.intervals import Interval
from snellen.store.estimate import points

SHORT = {RepairVerdict.SEEN_BEFORE: "says nothing: measured on what it was repaired with"}


def headline(name: str, one: Evaluation) -> Markup:
    """The first line of the page."""
    before, after = (share(x) for x in (one.failures.before, one.failures.after))
    change = joined(tag("em", after), f" of the same tests, {before} before")
    if one.word == RepairVerdict.SEEN_BEFORE:
        return joined(tag("em", "Says nothing about robustness:"), f" {name} is measured on "
                      "what it was repaired with")  # fmt: skip
    word = {
        RepairVerdict.ROBUSTER: "Robuster:",
        RepairVerdict.BOLDER: "Bolder, not shown to be robuster:",
        RepairVerdict.WORSE: "Worse:",
        RepairVerdict.NOT_SHOWN: "Not shown to be robuster:",
    }[one.word]
    return joined(tag("em", word), f" repaired ({name}), it fails in ", change)


def verdict_sentence(one: Evaluation) -> str:
    """What changed, with intervals, and why the word is what it is."""
    parts = [f"The failure rate changes by {_points(one.failures.difference)}"]
    if one.precision is not None:
        parts.append(f"clean AP changes by {_points(one.precision.change.difference)}")
    told = ", ".join(parts) + "."
    return f"{told} {reasons(one)}".strip()


def _points(difference: Interval) -> str:
    unknown = math.isnan(difference.value)
    return "an unknown amount" if unknown else points(difference.to_json())


def reasons(one: Evaluation) -> str:
    """Why a repair has not earned a better word; or that it was held out, if it has."""
    if one.word == RepairVerdict.ROBUSTER:
        return (
            "Scenes and objects were held out from repair, the interval of the failure rate "
            f"excludes zero, and no more than {in_points(one.margin)} of clean AP is lost."
        )
    if one.word == RepairVerdict.SEEN_BEFORE:
        return f"{str(one.word)[0].upper()}{str(one.word)[1:]}. {_sentence(one.reasons[0])}"
    return " ".join(map(_sentence, one.reasons))


def _sentence(text: str) -> str:
    whole = f"{text[0].upper()}{text[1:]}"
    return whole if whole.endswith(".") else f"{whole}."


def short(word: RepairVerdict) -> str:
    """The word as a table shows it."""
    return SHORT.get(word, str(word))


def share(one: Interval) -> str:
    """A rate without its interval.

    >>> share(Interval(0.125, 0.1, 0.2, "wilson")), share(Interval(float("nan"), 0, 1, "wilson"))
    ('12.5%', 'no cases')
    """
    return "no cases" if math.isnan(one.value) else f"{100 * one.value:.1f}%"
