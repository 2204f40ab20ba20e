"""`snellen gate`: does the subject meet its requirements?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.run import Set


def gate(
    target: Annotated[
        Path, typer.Argument(help="A run folder, or a configuration to run.", show_default=False)
    ],
    resume: Annotated[
        bool, typer.Option("--resume", help="With a configuration: go on with a run that was cut.")
    ] = False,
    settings: Set = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With a configuration: the run folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Exit with 0 if every requirement is met, 1 if one is violated, 3 if there is no verdict.

    Writes the run's summary, report and junit.xml, with one test case for each requirement.
    """
    from snellen.report.gating import gate_of
    from snellen.report.report import write_report

    folder = target if target.is_dir() else _run(target, resume, settings, out)
    found = gate_of(write_report(folder))
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=2))
    else:
        typer.echo("\n".join(found.lines()))
    raise typer.Exit(found.code)


def _run(config: Path, resume: bool, settings: list[str] | None, out: Path | None) -> Path:
    from snellen.cli.run import overrides
    from snellen.cli.watching import watching
    from snellen.engine.campaign import load_campaign
    from snellen.engine.run import run_campaign

    campaign = load_campaign(config, overrides(settings, skip_invalid=False, out=out))
    with watching(campaign) as watcher:
        run_campaign(campaign, resume=resume, watcher=watcher)
    return campaign.out_folder
