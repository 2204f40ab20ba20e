"""`snellen report`: rewrite the report of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
) -> None:
    """Rewrite a run's summary, findings, report and junit.xml.

    All of it is read from the run's journal.
    """
    del trust  # decided when it was read
    from snellen.report.report import write_report
    from snellen.report.terminal import print_summary
    from snellen.report.words import REPORT

    summary = write_report(run, pictures=pictures)
    print_summary(summary, run, as_json=as_json)
    if show:
        typer.launch((run / REPORT).resolve().as_uri())
