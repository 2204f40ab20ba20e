"""The summary on the terminal: results, confidence, and what to do next."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from snellen.methods.kind import view_of
from snellen.methods.view import View
from snellen.pages.requirement_table import worst_first
from snellen.report.words import next_steps, title, verdict_of
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.estimate import percent
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from snellen.store.run_folder import JOURNAL
from snellen.store.summary import Summary


def print_summary(summary: Summary, folder: Path, *, as_json: bool = False) -> None:
    """Print a run's summary as text or JSON."""
    if as_json:
        print(summary.to_text(), end="")
        return
    view, console = view_of(summary.method), Console(highlight=False)
    for line in _headline(summary, view):
        console.print(line)
    if summary.requirements:
        console.print(_tests(summary, view))
    console.print(_table(summary, view))
    for error in summary.errors:
        console.print(
            f"[red]{error.count} {view.words.units} failed[/] in {error.stage}: "
            f"{escape(error.message)} (such as {escape(error.example)})"
        )
    console.print(f"Results are in [bold]{escape(str(folder))}[/]")
    for line in next_steps(summary, folder, _worst(folder, view)):
        console.print(f"Next: {escape(line)}", soft_wrap=True)


def _headline(summary: Summary, view: View) -> list[str]:
    """The subject with the facts, the warning and the rate, a paragraph each."""
    found, name = verdict_of(summary), f"[bold]{escape(summary.subject.name)}[/]"
    own, (link, stressed, rest, counts) = view.terminal_title(summary), title(summary)
    warning = f"[yellow]{escape(found.warning)}[/]" if found.warning else ""
    rate = escape(" ".join(filter(None, (found.rate, found.outlook))))
    if own is None and counts:
        lines = [f"{name}: {escape(found.facts)}", warning, rate]
    else:
        first = f"{link}[bold]{escape(stressed)}[/]{escape(rest)}" if own is None else own
        lines = [f"{name}{first}", warning, escape(found.facts), rate]
    return [line for line in lines if line]


def _tests(summary: Summary, view: View) -> Table:
    """The requirements with their verdicts, violated ones first."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("verdict", no_wrap=True)
    table.add_column("requirement", overflow="fold")
    for one in worst_first(summary.requirements):
        measured = view.test_words(one)
        lines = [f"[bold]{escape(one.name)}[/]", *([] if measured is None else [escape(measured)])]
        lines.append(f"[dim]{escape(one.says)}[/]")
        table.add_row(f"[{COLOURS[one.status]}]{one.status}[/]", "\n".join(lines))
    return table


COLOURS = {
    LossStatus.VIOLATED: "red",
    LossStatus.UNDECIDED: "yellow",
    LossStatus.SATISFIED: "green",
}


def _control_rows(summary: Summary) -> dict[str, str]:
    if not summary.control.cases:
        return {"controls": "none in this run"}
    rows = {"controls": summary.control}
    if len(summary.controls) > 1:
        rows |= {f"  {name}": one for name, one in summary.controls.items()}
    return {
        name: f"{one.failing} of {one.cases}, {percent(one.rate)}" for name, one in rows.items()
    }


def _check_rows(summary: Summary) -> dict[str, str]:
    """The checks of the tool; none if the run has none."""
    found = summary.checks
    failing = [f"{one.failing} {name}" for name, one in found.items() if one.failing]
    cases = sum(one.cases for one in found.values())
    said = f"{', '.join(failing)} of {cases} fail" if failing else f"all {cases} hold"
    return {"checks": f"{said} ({', '.join(found)})"} if found else {}


def _fault_rows(summary: Summary, view: View) -> dict[str, str]:
    """The faults and their causes."""
    found = summary.faults
    causes = ", ".join(f"{count} {cause}" for cause, count in found.by_cause.items())
    words = f"{found.count} in {found.scenes} {view.words.units}, {found.proven} of them proven"
    return {"faults": f"{words}; causes: {causes}"} if found.explained else {}


def _unconfirmed_rows(summary: Summary) -> dict[str, str]:
    """How many failures were not asked again; no row if all were."""
    count = summary.unconfirmed_cases
    return {"unconfirmed": f"{count} failures, not counted"} if count else {}


def _worst(folder: Path, view: View) -> str | None:
    """The id of the worst finding of a run folder, or None."""
    if not (folder / JOURNAL).exists():
        return None
    with closing(journal_of(folder)) as journal:
        found = findings(journal, view.rank)
    return found[0].id if found else None


def _table(summary: Summary, view: View) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    units, seconds = summary.units, summary.seconds
    lacking = {
        "failed": units.errors,
        "not reached": units.left_out,
        "skipped as invalid": summary.skipped,
    }
    rows = {
        "method": f"{summary.method}, seed {summary.seed}",
        view.words.units: f"{units.tested} examined of {units.total}"
        + units.untested_words
        + "".join(f", {count} {what}" for what, count in lacking.items() if count)
        + (
            f"; stopped at {units.done + units.errors} of {units.total}: decided"
            if units.not_needed
            else ""
        ),
        **_fault_rows(summary, view),
        **_control_rows(summary),
        **_check_rows(summary),
        "events": ", ".join(f"{count} {kind}" for kind, count in summary.events.items()) or "none",
        **view.rows(summary),
        "borderline": f"{summary.borderline_cases} cases, not counted",
        "flaky": f"{summary.flaky_cases} cases, not counted",
        **_unconfirmed_rows(summary),
        "questions": f"{summary.questions}, {summary.cache_hits} of them from the cache",
        "time": f"{seconds.total:.1f} s, {seconds.subject:.1f} s of it in the subject",
    }
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/]", escape(value))
    return table
