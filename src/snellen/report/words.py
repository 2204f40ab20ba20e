"""What the numbers of a summary mean, in words, for the terminal and the page."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.kind import view_of
from snellen.report.fault_words import counted, fault_facts, fault_title
from snellen.report.finding_folder import replay_command
from snellen.report.verdict_status import (
    RELEVANT,
    REPEATED,
    exceeds,
    flaky,
    repetitions,
    verdict_status,
)
from snellen.store.estimate import Estimate, percent, points
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus, VerdictSummary

REPORT = "report.html"
WIDE = 0.1
"""The interval width of a rate above which more cases are advised."""


def verdict(summary: Summary) -> str:
    """The verdict of a run in words: facts first, then the rate, then what more scenes would show."""
    return verdict_of(summary).sentence


def verdict_of(summary: Summary) -> VerdictSummary:
    """The verdict of a run from its numbers, `verdict` of the summary."""
    status, more = verdict_status(summary), summary.verdict.more_scenes
    own = view_of(summary.method).verdict(summary)
    parts = {
        "warning": " ".join(filter(None, (_flaky_words(summary), _check_words(summary)))),
        "facts": fault_facts(summary) if own is None else own,
        "rate": _rate_words(summary, status) if own is None else "",
        "outlook": _outlook(status, more) if own is None else "",
    }
    return VerdictSummary(
        status=status,
        sentence=" ".join(filter(None, parts.values())),
        proven=summary.faults.proven,
        more_scenes=more,
        **parts,
    )


def title(summary: Summary) -> tuple[str, str]:
    """What follows the subject's name in a headline: the part to stress, and the rest."""
    faults = fault_title(summary)
    if verdict_status(summary) == VerdictStatus.FLAKY:
        return "gives different answers", "to the same question"
    if faults is not None:
        return faults
    if summary.failure_rate.value is None:
        return "no verdict", ""
    cases = f"{summary.test_cases} {view_of(summary.method).words.cases}"
    if summary.failing_cases:
        return f"{summary.failing_cases}", f"of {cases} fail"
    return "no failure", f"in {cases}"


def _flaky_words(summary: Summary) -> str:
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


def _check_words(summary: Summary) -> str:
    """That checks of the tool fail, besides repeated questions."""
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


def _rate_words(summary: Summary, status: VerdictStatus) -> str:
    rate, cases = summary.failure_rate, view_of(summary.method).words.cases
    if rate.value is None:
        return "No case was judged, so there is no verdict."
    if not summary.failing_cases:
        sure = " repeatedly" if summary.flaky_cases else ""
        return (
            f"No failure{sure} in {summary.test_cases} {cases}. With {100 * rate.confidence:.0f}% "
            f"confidence the true rate is below {100 * rate.high:.1f}%."
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
    if (difference.value or 0) <= 0 or difference.high < RELEVANT:
        return f"Cases fail no more often than controls: the difference is {points(difference)}."
    return (
        f"Whether cases fail more often than controls is undecided: the difference is "
        f"{points(difference)}."
    )


def _outlook(status: VerdictStatus, more: int | None) -> str:
    if status != VerdictStatus.UNDECIDED or more is None:
        return ""
    return f"About {counted(more, 'more scene')} like these would decide it."


def next_steps(summary: Summary, folder: Path, worst: str | None = None) -> list[str]:
    """What to do next. worst: the id of the worst finding, if any."""
    view, steps = view_of(summary.method), []
    if summary.units.left_out or summary.units.errors:
        retry = " --retry-errors" if summary.units.errors else ""
        steps.append(f"examine the rest with: snellen run {folder / 'config.yaml'} --resume{retry}")
    if (folder / REPORT).exists():
        steps.append(f"open {folder / REPORT} in a browser{view.words.page}")
    elif summary.failing_cases or summary.requirements:
        steps.append(f"write the report with: snellen report {folder}")
    if worst is not None:
        steps.append(view.worst_step(summary, replay_command(folder, worst)))
    steps += view.steps(summary, folder)
    return [*steps, view.words.wide] if view.words.wide and _wide(summary) else steps


def _wide(summary: Summary) -> bool:
    rate = summary.failure_rate
    return rate.value is not None and rate.high - rate.low > WIDE
