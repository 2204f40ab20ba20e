"""The summary on a terminal: what was found, how surely, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table


def print_summary(summary: dict[str, Any], folder: Path, *, as_json: bool = False) -> None:
    """Print a run's summary for a person, or as JSON for a machine."""
    if as_json:
        print(json.dumps(summary, indent=2))
        return
    console = Console(highlight=False)
    console.print(_headline(summary))
    console.print(_table(summary))
    for error in summary["errors"]:
        console.print(
            f"[red]{error['count']} scenes failed[/] in {error['stage']}: "
            f"{escape(error['message'])} (such as {escape(error['example'])})"
        )
    console.print(f"Everything is in [bold]{escape(str(folder))}[/]")
    for line in next_steps(summary, folder):
        console.print(f"Next: {escape(line)}")


def percent(rate: dict[str, Any]) -> str:
    """A rate with its interval.

    >>> percent({"value": 0.25, "low": 0.1, "high": 0.5, "confidence": 0.95})
    '25.0% (95% interval 10.0% to 50.0%)'
    """
    if rate["value"] is None:
        return "no cases"
    value, low, high = (f"{100 * rate[key]:.1f}%" for key in ("value", "low", "high"))
    return f"{value} ({100 * rate['confidence']:.0f}% interval {low} to {high})"


def _headline(summary: dict[str, Any]) -> str:
    name = escape(summary["subject"]["name"])
    tests = summary["cases"] - summary["control"]["cases"]
    return (
        f"[bold]{name}[/] failed in [bold]{summary['failing_cases']} of {tests} cases[/], "
        f"{percent(summary['failure_rate'])}"
    )


def _table(summary: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    units, seconds = summary["units"], summary["seconds"]
    rows = {
        "method": f"{summary['method']}, seed {summary['seed']}",
        "scenes": f"{units['done']} examined of {units['total']}"
        + "".join(
            f", {count} {what}"
            for what, count in (
                ("failed", units["errors"]),
                ("left out", units["left_out"]),
                ("skipped as invalid", summary["skipped"]),
            )
            if count
        ),
        "controls": percent(summary["control"]["rate"])
        if summary["control"]["cases"]
        else "none in this method",
        "events": ", ".join(f"{count} {kind}" for kind, count in summary["events"].items())
        or "none",
        "borderline": f"{summary['borderline_cases']} cases, not counted",
        "flaky": f"{summary['flaky_cases']} cases, not counted",
        "questions": f"{summary['questions']}, {summary['cache_hits']} of them answered before",
        "time": f"{seconds['total']:.1f} s, the subject at work {seconds['subject']:.1f} s",
    }
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/]", escape(value))
    return table


def next_steps(summary: dict[str, Any], folder: Path) -> list[str]:
    """What a person would want to do now."""
    steps = []
    if summary["units"]["left_out"] or summary["units"]["errors"]:
        config = folder / "config.yaml"
        retry = " --retry-errors" if summary["units"]["errors"] else ""
        steps.append(f"examine the rest with: snellen run {config} --resume{retry}")
    if summary["method"] == "identity" and summary["failing_cases"]:
        steps.append(
            "the subject gives different answers to the same question"
            + (
                "; set `deterministic: false` for it, so that findings are asked again before "
                "they are counted"
                if summary["subject"]["deterministic"]
                else "; its findings are asked again before they are counted"
            )
        )
    elif summary["failing_cases"]:
        steps.append(
            f"look at the findings: sqlite3 {folder / 'journal.sqlite'} 'SELECT * FROM findings'"
        )
    return steps
