"""The parts of a verdict in words: warnings, the rate beside controls, and the outlook."""

from __future__ import annotations

from snellen.methods.kind import view_of
from snellen.report.verdict.fault_words import counted
from snellen.report.verdict.verdict_status import (
    REPEATED,
    exceeds,
    flaky,
    repetitions,
    unsettled,
)
from snellen.store.estimate import Estimate, percent, points
from snellen.store.summary import Summary
from snellen.store.verdict_summary import RELEVANT_EXCESS, VerdictStatus


def flaky_words(summary: Summary) -> str:
    """That the subject's answers differ; empty if it answers steadily."""
    if not flaky(summary):
        return ""
    again = repetitions(summary)
    lead = "The subject gives different answers to the same question: "
    if summary.subject.deterministic:
        return (
            f"{lead}it is declared deterministic, but {again.failing} of "
            f"{counted(again.cases, 'repeated question')} got another answer. Set `deterministic: "
            "false` for it, so that findings are confirmed before they are counted."
        )
    if summary.flaky_cases:
        failed = counted(summary.flaky_cases + summary.failing_cases, "failure")
        return f"{lead}{summary.flaky_cases} of {failed} did not repeat and are not counted."
    return f"{lead}{again.failing} of {counted(again.cases, 'repeated question')} got another one."


def unconfirmed_words(summary: Summary) -> str:
    """That failures were not asked again; empty if all were."""
    count = summary.unconfirmed_cases
    if not count:
        return ""
    failed = counted(count + summary.flaky_cases + summary.failing_cases, "failure")
    return (
        f"{count} of {failed} could not be confirmed within the budget and "
        f"{'is' if count == 1 else 'are'} not counted: a subject that is not declared "
        "`deterministic` is asked again before a failure counts. Run with a larger budget, or set "
        "`deterministic: true` if the same input always gets the same answer."
    )


def check_words(summary: Summary) -> str:
    """That checks of the tool fail, besides repeated questions; empty if all hold."""
    failing = {
        name: one.failing
        for name, one in summary.checks.items()
        if one.failing and name != REPEATED
    }
    if not failing:
        return ""
    cases = sum(one.cases for name, one in summary.checks.items() if name in failing)
    count = sum(failing.values())
    return (
        f"{count} of {counted(cases, 'check')} of the tool {'fails' if count == 1 else 'fail'} "
        f"({', '.join(failing)}): the subject is not deterministic, or the tool is wrong. Don't "
        "rely on this run until you know which."
    )


def rate_words(summary: Summary) -> str:
    """How often cases fail, beside comparable controls."""
    rate, cases = summary.failure_rate, view_of(summary.method).words.cases
    if rate.value is None:
        return "No case was judged, so there is no verdict."
    if not summary.failing_cases:
        none = f"No failure in {summary.test_cases} {cases}"
        if summary.flaky_cases:
            none = f"None of {summary.test_cases} {cases} fails repeatedly"
        if unsettled(summary):
            return f"No failure in {summary.test_cases} {cases} is confirmed, so there is no rate."
        return (
            f"{none}. With {100 * rate.confidence:.0f}% confidence the true rate is below "
            f"{100 * rate.high:.1f}%."
        )
    lead = f"{summary.failing_cases} of {summary.test_cases} {cases} fail, {percent(rate)}"
    difference = summary.difference
    if difference is None or difference.value is None:
        return (
            f"{lead}; this run has no comparable controls, so that rate can't be separated from "
            "the subject's noise."
        )
    beside = (
        f"{lead}, and {100 * (summary.control.rate.value or 0):.1f}% of "
        f"{counted(summary.control.cases, 'comparable control')}"
    )
    return f"{beside}. {_compared(difference)}"


def _compared(difference: Estimate) -> str:
    if exceeds(difference):
        return f"The failures are not noise: cases fail more often, by {points(difference)}."
    if (difference.value or 0) <= 0 or difference.high < RELEVANT_EXCESS:
        return f"Cases fail no more often than controls: the difference is {points(difference)}."
    return (
        f"Whether cases fail more often than controls is undecided: the difference is "
        f"{points(difference)}."
    )


def outlook_words(status: VerdictStatus, more: int | None) -> str:
    """How many more scenes would decide an undecided rate; empty if that is not known."""
    if status != VerdictStatus.UNDECIDED or more is None:
        return ""
    return f"About {counted(more, 'more scene')} like these would decide it."
