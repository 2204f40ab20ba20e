"""`snellen compare`: the paired difference of two subjects."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from snellen.terminal.options import Json


class OperatingPointMatch(StrEnum):
    """How B's operating point is matched with A's."""

    THRESHOLD = "threshold"
    PRECISION = "precision"


def compare(
    run_a: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    run_b: Annotated[Path, typer.Argument(help="A run of another subject on the same scenes.")],
    match: Annotated[
        OperatingPointMatch | None,
        typer.Option(
            "--match",
            help="Judge B at A's score threshold, or at A's precision on unchanged scenes.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare two runs scene by scene; differences are B minus A."""
    from snellen.report.comparison.comparison import compared
    from snellen.report.comparison.words import lines

    found = compared(run_a, run_b, None if match is None else match.value)
    typer.echo(json.dumps(found.to_json(), indent=2) if as_json else "\n".join(lines(found)))
