"""`snellen run`: run a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.interruption import resumable
from snellen.errors import VIOLATED
from snellen.terminal.options import Trusts

Config = Annotated[
    Path,
    typer.Argument(metavar="CONFIG", help="The configuration file (YAML).", show_default=False),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a key, such as engine.batch=4."),
]
SkipInvalid = Annotated[
    bool, typer.Option("--skip-invalid", help="Skip invalid scenes and count them.")
]


def overrides(given: list[str] | None, *, skip_invalid: bool, out: Path | None = None) -> list[str]:
    """The `--set` options, with those that have their own flag."""
    extra = ["skip_invalid=true"] if skip_invalid else []
    extra += [f"out={out.resolve()}"] if out else []
    return [*(given or []), *extra]


def run(
    config: Config,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="With --resume: retry scenes with errors.")
    ] = False,
    settings: Set = None,
    out: Annotated[Path | None, typer.Option("--out", help="The run folder.")] = None,
    skip_invalid: SkipInvalid = False,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Run the method as published.")
    ] = False,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Run a campaign and write its results to the run folder."""
    del trust  # decided when it was read
    from snellen.engine.campaign import load_campaign
    from snellen.engine.progress import display_run
    from snellen.engine.run import check_resumable, run_campaign
    from snellen.report.report import write_report
    from snellen.report.terminal import print_summary

    chosen = overrides(settings, skip_invalid=skip_invalid, out=out)
    campaign = load_campaign(config, chosen, as_published=as_published)
    if resume:
        check_resumable(campaign)
    with resumable(), display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=resume, retry_errors=retry_errors, watcher=watcher)
    summary = write_report(campaign.out_folder)
    print_summary(summary, campaign.out_folder, as_json=as_json)
    if any(one.status == "violated" for one in summary.requirements):
        raise typer.Exit(VIOLATED)
