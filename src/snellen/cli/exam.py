"""`snellen exam`: the whole check-up, without a configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from snellen.cli.interruption import resumable
from snellen.cli.run import Set, SkipInvalid
from snellen.terminal.options import Trusts


def exam(
    model: Annotated[
        str, typer.Argument(help="A model file, module:attribute, or a .yaml with `subject`.")
    ],
    data: Annotated[
        str, typer.Argument(help="A data set or folder of images, or a .yaml with `scenes`.")
    ],
    objects: Annotated[
        str | None,
        typer.Option("--objects", help="Where objects to insert come from; default: the data."),
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.01, help="Time for all methods together.")
    ] = 10.0,
    out: Annotated[Path, typer.Option("--out", help="The exam's folder.")] = Path("exam"),
    questions: Annotated[
        int | None,
        typer.Option("--questions", min=1, help="Questions per method, instead of a time."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of all randomness.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an exam.")] = False,
    settings: Set = None,
    skip_invalid: SkipInvalid = False,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the scorecard as JSON.")] = False,
) -> None:
    """Examine a model on a data set and write a scorecard."""
    del trust  # decided when it was read
    from snellen.exam.exam import exam as hold
    from snellen.exam.terminal import print_scorecard

    with resumable():
        card = hold(
            model,
            data,
            objects=objects,
            out=out,
            minutes=minutes,
            questions=questions,
            seed=seed,
            resume=resume,
            skip_invalid=skip_invalid,
            options=_sections(settings or []),
            say=print_line,
            shown=True,
        )
    if as_json:
        typer.echo(card.to_text(), nl=False)
    else:
        print_scorecard(card, out)
    if card.exit_code:
        raise typer.Exit(card.exit_code)


def print_line(line: str) -> None:
    """Print a line on standard error."""
    typer.echo(line, err=True)


def _sections(settings: list[str]) -> dict[str, Any]:
    from snellen.configuration import set_key

    values: dict[str, Any] = {}
    for one in settings:
        set_key(values, one)
    return values
