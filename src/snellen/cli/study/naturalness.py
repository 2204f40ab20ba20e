"""`snellen study naturalness`: which pipeline's pictures people find more natural."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from snellen.terminal.options import Json


def naturalness(
    study: Annotated[Path, typer.Argument(help="The folder of a study with the task rank.")],
    as_json: Json = False,
) -> None:
    """Compare pipelines by how natural people find them.

    Wilcoxon's signed-rank test of each pair, adjusted by Holm.
    """
    from snellen.errors import UserError
    from snellen.study.data.record_reader import read_record
    from snellen.study.estimates.naturalness import naturalness_ranking

    found = naturalness_ranking(read_record(study))
    if found is None:
        raise UserError(
            f"{study}: has no orders of pictures by two pipelines or more. Collect answers to the "
            "task rank."
        )
    lines = [json.dumps(found.to_json(), indent=1)] if as_json else found.lines()
    for line in lines:
        typer.echo(line)
