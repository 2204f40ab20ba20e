"""What the numbers of a summary mean, in words, for the terminal and the page."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from snellen.contract.explanation import UNEXPLAINED
from snellen.methods.kind import view_of
from snellen.report.finding_folder import explain_command, replay_command
from snellen.report.verdict.fault_words import fault_facts, fault_title
from snellen.report.verdict.verdict_status import verdict_status
from snellen.report.verdict.verdict_words import (
    check_words,
    flaky_words,
    outlook_words,
    rate_words,
    unconfirmed_words,
)
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus, VerdictSummary

REPORT = "report.html"
WIDE = 0.1
"""The interval width of a rate above which more cases are advised."""


def verdict(summary: Summary) -> str:
    """The verdict of a run in words: facts, then the rate, then what more scenes would show."""
    return verdict_of(summary).sentence


def verdict_of(summary: Summary, more_scenes: int | None = None) -> VerdictSummary:
    """The verdict of a run from its numbers, `verdict` of the summary.

    more_scenes: how many more scenes would decide it; what the summary says by default.
    """
    status, more = verdict_status(summary), more_scenes or summary.verdict.more_scenes
    own = view_of(summary.method).verdict(summary)
    parts = {
        "warning": " ".join(
            filter(None, (flaky_words(summary), unconfirmed_words(summary), check_words(summary)))
        ),
        "facts": fault_facts(summary) if counts_faults(summary) else "",
        "rate": rate_words(summary) if own is None else own,
        "outlook": outlook_words(status, more) if own is None else "",
    }
    return VerdictSummary(
        status=status,
        sentence=" ".join(filter(None, parts.values())),
        proven=summary.faults.proven,
        more_scenes=more,
        **parts,
    )


def counts_faults(summary: Summary) -> bool:
    """Whether the verdict leads with the faults.

    Not if a method speaks of its requirements instead, nor if all that it found is noise.
    """
    view = view_of(summary.method)
    judged = bool(summary.requirements) and view.verdict(summary) is not None
    return not judged and view.status(summary) != VerdictStatus.FLAKY


class Title(NamedTuple):
    """A headline: what links it to the subject's name, the part to stress, and the rest.

    counts: whether it has the number of faults.
    """

    link: str
    stressed: str
    rest: str
    counts: bool = False


def title(summary: Summary) -> Title:
    """What follows the subject's name in a headline."""
    if verdict_status(summary) == VerdictStatus.FLAKY:
        return Title(" ", "gives different answers", " to the same question")
    faults = fault_title(summary) if counts_faults(summary) else None
    if faults is not None:
        return Title(": ", faults[0], f" {faults[1]}", counts=True)
    if summary.failure_rate.value is None:
        return Title(": ", "no verdict", "")
    cases = f"{summary.test_cases} {view_of(summary.method).words.cases}"
    if summary.failing_cases:
        return Title(" failed in ", f"{summary.failing_cases}", f" of {cases}")
    return Title(": ", "no failure", f" in {cases}")


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
    fault = summary.faults.worst
    if fault is not None and fault.cause != UNEXPLAINED:
        steps.append(f"see why it fails: {explain_command(folder, fault.finding)}")
    first = worst if fault is None else fault.finding
    if first is not None:
        steps.append(view.worst_step(summary, replay_command(folder, first)))
    steps += view.steps(summary, folder)
    return [*steps, view.words.wide] if view.words.wide and _wide(summary) else steps


def _wide(summary: Summary) -> bool:
    rate = summary.failure_rate
    return rate.value is not None and rate.high - rate.low > WIDE
