"""The summary on a terminal: what was found, how surely, and what to do next."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from snellen.methods.fusion.words import fusion_rows
from snellen.methods.requirements.terminal_table import requirement_table
from snellen.methods.robustness.words import robustness_rows
from snellen.pages.solids.solid_words import happened
from snellen.report.words import next_steps, percent, unit_word, verdict
from snellen.store.findings import EventRow, findings
from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL, OVERLAY

if TYPE_CHECKING:
    from snellen.report.replay import Replay


def print_summary(summary: dict[str, Any], folder: Path, *, as_json: bool = False) -> None:
    """Print a run's summary for a person, or as JSON for a machine."""
    if as_json:
        print(json.dumps(summary, indent=2))
        return
    console = Console(highlight=False)
    console.print(_headline(summary))
    console.print(escape(verdict(summary)))
    if summary.get("requirements"):
        console.print(requirement_table(summary["requirements"]))
    console.print(_table(summary))
    for error in summary["errors"]:
        console.print(
            f"[red]{error['count']} {unit_word(summary)} failed[/] in {error['stage']}: "
            f"{escape(error['message'])} (such as {escape(error['example'])})"
        )
    console.print(f"Everything is in [bold]{escape(str(folder))}[/]")
    for line in next_steps(summary, folder, _worst(folder)):
        console.print(f"Next: {escape(line)}", soft_wrap=True)


def _headline(summary: dict[str, Any]) -> str:
    name = escape(summary["subject"]["name"])
    if summary.get("requirements"):
        count = len(summary["requirements"])
        return f"[bold]{name}[/], checked on [bold]{count} requirement{'s' if count > 1 else ''}[/]"
    tests = summary["test_cases"]
    what = "compositions" if "combinations" in summary else "cases"
    return (
        f"[bold]{name}[/] failed in [bold]{summary['failing_cases']} of {tests} {what}[/], "
        f"{percent(summary['failure_rate'])}"
    )


def _control_rows(summary: dict[str, Any]) -> dict[str, str]:
    if not summary["control"]["cases"]:
        return {"controls": "none in this run"}
    rows = {"controls": summary["control"], **summary["controls"]}
    return {
        name if name == "controls" else f"  {name}": (
            f"{one['failing']} of {one['cases']}, {percent(one['rate'])}"
        )
        for name, one in rows.items()
    }


def _insertion_rows(summary: dict[str, Any]) -> dict[str, str]:
    rows = {}
    if "inserted" in summary:
        found = summary["inserted"]
        told = f"{found['missed']} of {found['cases']} not found themselves"
        rows["inserted"] = f"{told}, {percent(found['rate'])}"
    if "relocation" in summary:
        moves = summary["relocation"]
        rows["relocation"] = (
            f"{moves['moved']} of {moves['started']} still fail nearer to the target, "
            f"{moves['reached_target']} at it; {moves['unique']} new cases"
        )
    return rows


def _combination_rows(summary: dict[str, Any]) -> dict[str, str]:
    if "combinations" not in summary:
        return {}
    found = summary["combinations"]
    covered, accuracy = found["coverage"], found["interaction_accuracy"]
    rows = {
        "causes": ", ".join(
            f"{one['images']} {cause}" for cause, one in found["causes"].items() if one["images"]
        )
        or "none"
    }
    for kind, pairs in found["top"].items():
        rows[f"  {kind}"] = _named_pairs(pairs)
    if accuracy["mean"] is not None:
        rows["accuracy"] = f"{100 * accuracy['mean']:.1f}% of pairs" + (
            f", {100 * accuracy['restricted']:.1f}% of those with a label present"
            if accuracy["restricted"] is not None
            else ""
        )
    rows["coverage"] = (
        f"{covered['covered']} of {covered['combinations']} combinations, "
        f"{covered['usable']} of {covered['labels']} labels"
    )
    return rows


def _named_pairs(pairs: list[dict[str, Any]]) -> str:
    """The worst pairs: those that smallest failing parts show, or if none does, all."""
    count = "attributed" if any(one["attributed"] for one in pairs) else "errors"
    told = [f"{' + '.join(one['labels'])} ({one[count]})" for one in pairs if one[count]]
    return ", ".join(told[:TOLD]) or "none"


TOLD = 3
"""Combinations of each kind that the terminal names."""


def _worst(folder: Path) -> str | None:
    """The id of the worst finding of a run folder, or None."""
    if not (folder / JOURNAL).exists():
        return None
    with closing(Journal(folder / JOURNAL)) as journal:
        found = findings(journal)
    return found[0].id if found else None


def _table(summary: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    units, seconds = summary["units"], summary["seconds"]
    rows = {
        "method": f"{summary['method']}, seed {summary['seed']}",
        unit_word(summary): f"{units['done']} examined of {units['total']}"
        + "".join(
            f", {count} {what}"
            for what, count in (
                ("failed", units["errors"]),
                ("left out", units["left_out"]),
                ("skipped as invalid", summary["skipped"]),
            )
            if count
        ),
        **_control_rows(summary),
        "events": ", ".join(f"{count} {kind}" for kind, count in summary["events"].items())
        or "none",
        **_insertion_rows(summary),
        **_combination_rows(summary),
        **fusion_rows(summary),
        **robustness_rows(summary),
        "borderline": f"{summary['borderline_cases']} cases, not counted",
        "flaky": f"{summary['flaky_cases']} cases, not counted",
        "questions": f"{summary['questions']}, {summary['cache_hits']} of them answered before",
        "time": f"{seconds['total']:.1f} s, the subject at work {seconds['subject']:.1f} s",
    }
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/]", escape(value))
    return table


def print_replay(outcome: Replay, *, as_json: bool = False) -> None:
    """Print what came of asking about a case again."""
    asked, failing, last = len(outcome.again), outcome.failing, outcome.again[-1]
    if as_json:
        facts = {
            "id": last.id,
            "asked": asked,
            "failing": failing,
            "status": [one.status for one in outcome.again],
            "events": [_plain(event) for event in last.events],
            "same_pixels": outcome.same_pixels,
            "same_subject": outcome.same_subject,
            "folder": str(outcome.folder),
        }
        print(json.dumps(facts, indent=2))
        return
    console = Console(highlight=False)
    times = "" if asked == 1 else f" {failing} of {asked} times"
    verdict = "[red]still fails[/]" if failing else f"[green]does not fail[/] ({last.status})"
    console.print(f"[bold]{last.id}[/] in {escape(last.scene)} {verdict}{times}")
    for line in happened(last):
        console.print(f"  {escape(line)}")
    for warning in _doubts(outcome):
        console.print(f"[yellow]look[/] {escape(warning)}")
    console.print(f"Pictures: [bold]{escape(str(outcome.folder / OVERLAY))}[/]")


def _plain(event: EventRow) -> dict[str, Any]:
    """The event as plain values; only events in 3D have a box there."""
    told = asdict(event)
    return told if event.solid is not None else {k: v for k, v in told.items() if k != "solid"}


def _doubts(outcome: Replay) -> list[str]:
    found = []
    if outcome.same_pixels is False:
        found.append("the case is not the one that was kept: its scene or object was changed")
    if not outcome.same_subject:
        found.append("the subject is not the one of the run")
    return found
