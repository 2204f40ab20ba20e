"""`snellen report`: rewrite the report of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.errors import FINE, VIOLATED
from snellen.terminal.options import Trusts

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.", show_default=False)]


def report(
    run: Run,
    pictures: Annotated[
        int, typer.Option("--pictures", min=0, help="Number of findings with pictures.")
    ] = 24,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")
    ] = False,
) -> None:
    """Rewrite a run's summary, findings, report and junit.xml.

    All of it is read from the run's journal.
    """
    del trust  # decided when it was read
    if check:
        from snellen.report.verification.report_check import changed_files

        changed = changed_files(run, pictures=pictures)
        typer.echo(json.dumps({"changed": changed}, indent=2) if as_json else _checked(changed))
        raise typer.Exit(VIOLATED if changed else FINE)
    from snellen.report.report import write_report
    from snellen.report.terminal import print_summary
    from snellen.report.words import REPORT

    summary = write_report(run, pictures=pictures)
    print_summary(summary, run, as_json=as_json)
    if show:
        typer.launch((run / REPORT).resolve().as_uri())


def _checked(changed: list[str]) -> str:
    if not changed:
        return "The report says what the journal says."
    return "\n".join([*changed, f"{len(changed)} files do not say what the journal says."])
