"""`snellen study create`: design a study and render its pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.study.design.study_cost import StudyCost


def create(
    config: Annotated[Path, typer.Argument(help="The study's configuration, a YAML file.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The study's folder; default: named as the file."),
    ] = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Skip invalid scenes.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Design a study and render its pictures.

    Prints what it takes: answers, participants, minutes and pay.
    """
    from snellen.study.design.creation import create_study
    from snellen.study.options import read_study_options
    from snellen.terminal.output_file import refuse_full
    from snellen.terminal.progress import progress_counter

    options = read_study_options(config)
    folder = out or config.with_suffix("")
    refuse_full(folder)
    with progress_counter("rendering pictures") as progress:
        cost = create_study(options, config.parent, folder, progress, skip_invalid=skip_invalid)
    if as_json:
        typer.echo(json.dumps({"out": str(folder), **cost.to_json()}, indent=1))
        return
    print_cost(cost)
    typer.echo(f"study: {folder}\nserve it: snellen study serve {folder}")


def print_cost(cost: StudyCost) -> None:
    """Print what a study takes."""
    for task, answers in cost.answers.items():
        typer.echo(f"{task}: {cost.pictures[task]} trials, {answers} answers")
    typer.echo(
        f"{cost.participants} participants, about {cost.minutes:.0f} minutes each"
        + (f", {cost.pay:.2f} {cost.currency} in all" if cost.pay else "")
    )
