"""What the numbers of a summary mean, in words, for the terminal and the page."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.kind import view_of
from snellen.report.finding_folder import replay_command
from snellen.store.estimate import Estimate, points
from snellen.store.summary import Summary

REPORT = "report.html"
WIDE = 0.1
"""The interval width of a rate above which more cases are advised."""


def verdict(summary: Summary) -> str:
    """The method's verdict, else that by failure rate and controls."""
    rate = summary.failure_rate
    own = view_of(summary.method).verdict(summary)
    if own is not None:
        return own
    if rate.value is None:
        return "No case was judged, so there is no verdict."
    if not summary.failing_cases:
        return (
            f"No failure in {summary.test_cases} cases. With {100 * rate.confidence:.0f}% "
            f"confidence the true rate is below {100 * rate.high:.1f}%."
        )
    return _beside_controls(summary.difference)


def _beside_controls(difference: Estimate | None) -> str:
    if difference is None or difference.value is None:
        return "This run has no controls, so failures can't be separated from the subject's noise."
    if difference.low > 0:
        return (
            "The failures are real: cases fail more often than controls, where nothing may change, "
            f"by {points(difference)}."
        )
    return (
        "Not proven: cases don't fail clearly more often than controls, where nothing may change; "
        f"the difference is {points(difference)}. More scenes or more controls would decide."
    )


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
