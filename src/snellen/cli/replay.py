"""`snellen replay`: ask the subject about one case again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.report import Run
from snellen.cli.run import Set
from snellen.errors import FINE, VIOLATED


def replay(
    run: Run,
    id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The case's id, or its beginning.", show_default=False),
    ],
    times: Annotated[int, typer.Option("--times", min=1, help="How often to ask.")] = 1,
    settings: Set = None,
    out: Annotated[Path | None, typer.Option("--out", help="Where pictures go.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Rebuild one case bit for bit and ask again; exit code 1 if it still fails."""
    from snellen.report.replay import replay as ask_again
    from snellen.report.terminal import print_replay

    outcome = ask_again(run, id, times=times, overrides=settings or (), out=out)
    print_replay(outcome, as_json=as_json)
    raise typer.Exit(VIOLATED if outcome.failing else FINE)
