"""`snellen repair`: test a detector, train it on its failures, and test it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.interruption import resumable
from snellen.cli.run import Set, overrides
from snellen.terminal.options import Trusts


def repair(
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG|FOLDER",
            help="A repair's configuration (YAML), or its folder.",
            show_default=False,
        ),
    ],
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Only evaluate earlier repaired subjects.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume or extend a repair.")] = False,
    grid: Annotated[
        bool,
        typer.Option("--grid", help="Compare numbers of failing and random places per picture."),
    ] = False,
    iterate: Annotated[
        int | None,
        typer.Option(
            "--iterate",
            metavar="N",
            help="Repeat test and repair for at most N rounds while the failure rate falls.",
        ),
    ] = None,
    settings: Set = None,
    out: Annotated[Path | None, typer.Option("--out", help="The repair folder.")] = None,
    ids_may_repeat: Annotated[
        bool, typer.Option("--ids-may-repeat", help="Do not treat equal scene ids as leakage.")
    ] = False,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Train a torch detector on its failures and test it again.

    The second test uses held-out scenes.
    """
    del trust  # decided when it was read
    from snellen.cli.repair_progress import display_repair
    from snellen.repair.repair_plan import load_plan
    from snellen.repair.words import lines
    from snellen.repair.workflow import RepairRequest, run_repair

    chosen = overrides(settings, skip_invalid=False, out=out)
    chosen += ["ids_may_repeat=true"] if ids_may_repeat else []
    request = RepairRequest(resume, evaluate, grid, iterate)
    plan = load_plan(config, chosen)
    with resumable("stages"), display_repair() as watcher:
        outcome = run_repair(plan, request, watcher)
    text = json.dumps(outcome.to_json(), indent=1) if as_json else "\n".join(lines(outcome))
    typer.echo(text)
