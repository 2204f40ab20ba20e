"""`snellen gate`: whether the subject meets its requirements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.cli.run import Set, SkipInvalid, overrides
from snellen.errors import INTERRUPTED
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.report.gate import Gate


def gate(
    target: Annotated[
        Path, typer.Argument(help="A run folder, or a configuration to run.", show_default=False)
    ],
    resume: Annotated[
        bool, typer.Option("--resume", help="With a configuration: resume an interrupted run.")
    ] = False,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="With --resume: retry scenes with errors.")
    ] = False,
    settings: Set = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With a configuration: the run folder.")
    ] = None,
    skip_invalid: SkipInvalid = False,
    as_json: Json = False,
) -> None:
    """Exit with 0 if every requirement is met, 1 if one is violated, 3 without a verdict.

    Writes the run's summary and junit.xml, with one test case per requirement, and with a
    configuration the report as well.
    """
    from snellen.report.gate import gated

    if target.is_dir():
        found = gated(target)
    else:
        chosen = overrides(settings, skip_invalid=skip_invalid, out=out)
        found = _run(target, chosen, resume=resume, retry_errors=retry_errors)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=2))
    else:
        typer.echo("\n".join(found.lines()))
    raise typer.Exit(found.code)


def _run(config: Path, chosen: list[str], *, resume: bool, retry_errors: bool) -> Gate:
    """The gate of a run of a configuration."""
    from snellen.cli.run_progress import display_run
    from snellen.engine.campaign import load_campaign
    from snellen.engine.run import run_campaign
    from snellen.report.gate import gate_of
    from snellen.report.report import write_report

    campaign = load_campaign(config, chosen)
    try:
        with display_run(campaign) as watcher:
            run_campaign(campaign, resume=resume, retry_errors=retry_errors, watcher=watcher)
    except KeyboardInterrupt:
        options = [word for one in chosen for word in ("--set", one)]
        resume_command = " ".join(["snellen gate", str(config), *options, "--resume"])
        typer.echo(f"interrupted; finished scenes are saved. Resume: {resume_command}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    return gate_of(write_report(campaign.out_folder), campaign.out_folder)
