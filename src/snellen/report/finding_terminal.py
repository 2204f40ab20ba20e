"""One finding on the terminal: replayed, or explained."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from snellen.pages.solids.solid_words import happened
from snellen.store.findings import EventRow
from snellen.store.run_folder import OVERLAY

if TYPE_CHECKING:
    from snellen.report.finding_explanation import ExplainedFinding
    from snellen.report.replay import Replay


def print_replay(outcome: Replay, *, as_json: bool = False) -> None:
    """Print the result of a replay."""
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
        console.print(f"[yellow]warning[/] {escape(warning)}")
    console.print(f"Pictures: [bold]{escape(str(outcome.folder / OVERLAY))}[/]")


def print_explanation(found: ExplainedFinding) -> None:
    """Print the cause of a finding, and each counterfactual question with its answer."""
    one, console = found.explanation, Console(highlight=False)
    cause = one.cause
    known = ", ".join(filter(None, (f"[bold]{escape(cause.cause)}[/]", one.sure)))
    said = f"cause: {known}" if cause.known else "no cause was found"
    console.print(f"[bold]{one.finding.id}[/] in {escape(one.finding.scene)}: {said}")
    for line in (*happened(one.finding), cause.says):
        console.print(f"  {escape(line)}") if line else None
    table = Table("question", "failure", box=None, padding=(0, 2, 0, 0))
    least = None if one.smallest is None else one.smallest.number
    for rung in one.rungs:
        answer = "[red]persists[/]" if rung.persists else "[green]gone[/]"
        mark = " (smallest case that still fails)" if rung.case.number == least else ""
        table.add_row(escape(rung.name), f"{answer}{mark}")
    if one.rungs:
        console.print(table)
    console.print("from the run" if found.recorded else "asked now")
    place = found.folder if found.page is None else found.page
    if place.exists():
        console.print(f"Page: [bold]{escape(str(place))}[/]", soft_wrap=True)


def _plain(event: EventRow) -> dict[str, Any]:
    """The event as plain values; only 3D events have a 3D box."""
    values = asdict(event)
    return values if event.solid is not None else {k: v for k, v in values.items() if k != "solid"}


def _doubts(outcome: Replay) -> list[str]:
    found = []
    if outcome.same_pixels is False:
        found.append("the case differs from the stored one: its scene or object has changed")
    if not outcome.same_subject:
        found.append("the subject is not the one of the run")
    return found
