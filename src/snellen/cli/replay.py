"""`snellen replay`: put one case to the subject again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.report import Run
from snellen.cli.run import Set
from snellen.errors import FINE, VIOLATED
from snellen.terminal.options import Trusts


def replay(
    run: Run,
    id: Annotated[
        str,
        typer.Argument(metavar="CASE", help="The case's id, or a prefix.", show_default=False),
    ],
    times: Annotated[int, typer.Option("--times", min=1, help="Number of repetitions.")] = 1,
    settings: Set = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder for pictures.")] = None,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Rebuild one case and test it again; exit 1 if it fails.

    The case is rebuilt bit for bit from its recipe.
    """
    del trust  # decided when it was read
    from snellen.report.finding_terminal import print_replay
    from snellen.report.replay import replay as replay_case

    outcome = replay_case(run, id, times=times, overrides=settings or (), out=out)
    print_replay(outcome, as_json=as_json)
    raise typer.Exit(VIOLATED if outcome.failing else FINE)
