"""`snellen explain`: why one finding fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.report import Run
from snellen.terminal.options import Json, Trusts


def explain(
    run: Run,
    id: Annotated[
        str,
        typer.Argument(
            metavar="FINDING", help="The finding's id, or a prefix.", show_default=False
        ),
    ],
    again: Annotated[
        bool, typer.Option("--again", help="Ask even if the run has the explanation.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder for the page; default: the finding's.")
    ] = None,
    trust: Trusts = False,
    as_json: Json = False,
) -> None:
    """Explain one finding by counterfactual questions.

    Writes a page with their pictures.
    """
    del trust  # decided when it was read
    from snellen.report.finding_explanation import explain as explained
    from snellen.report.finding_terminal import print_explanation

    found = explained(run, id, again=again, out=out)
    if as_json:
        typer.echo(json.dumps(found.explanation.to_json(), indent=2))
    else:
        print_explanation(found)
