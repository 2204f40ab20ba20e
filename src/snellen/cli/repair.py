"""`snellen repair`: test a detector, train it on what it fails in, and test it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.run import Set, overrides
from snellen.errors import INTERRUPTED


def repair(
    config: Annotated[
        Path,
        typer.Argument(help="A repair's configuration (YAML), or its folder.", show_default=False),
    ],
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Only evaluate what was repaired before.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a repair that was cut, or add to it.")
    ] = False,
    grid: Annotated[
        bool,
        typer.Option("--grid", help="Compare numbers of failing and random places a picture."),
    ] = False,
    iterate: Annotated[
        int | None,
        typer.Option(
            "--iterate",
            metavar="N",
            help="Test, repair and test again, N rounds at most, while failures become fewer.",
        ),
    ] = None,
    settings: Set = None,
    out: Annotated[Path | None, typer.Option("--out", help="The repair folder.")] = None,
    ids_may_repeat: Annotated[
        bool, typer.Option("--ids-may-repeat", help="Equal scene ids are no leak by themselves.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Test a torch detector, train it on what it fails in, and test it again on held-out scenes."""
    from snellen.cli.repair_progress import display_repair
    from snellen.repair.repair_plan import load_plan
    from snellen.repair.words import lines
    from snellen.repair.workflow import RepairRequest, run_repair

    chosen = overrides(settings, skip_invalid=False, out=out)
    chosen += ["ids_may_repeat=true"] if ids_may_repeat else []
    asked = RepairRequest(resume, evaluate, grid, iterate)
    plan = load_plan(config, chosen)
    try:
        with display_repair() as watcher:
            outcome = run_repair(plan, asked, watcher)
    except KeyboardInterrupt:
        typer.echo(
            "interrupted; what was finished is kept. Go on with the same command and --resume",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    told = json.dumps(outcome.to_json(), indent=1) if as_json else "\n".join(lines(outcome))
    typer.echo(told)
