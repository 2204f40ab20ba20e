"""`snellen requirements`: generate requirement files from thresholds, and list them."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.methods.requirements.commands.thresholds import HumanTask
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.methods.requirements.specification.generation import KnownThresholds
    from snellen.methods.requirements.specification.requirement import Kind as KindName
    from snellen.methods.requirements.specification.requirement import Requirement

app = typer.Typer(
    help="Generate and list reliability requirements.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class Kinds(StrEnum):
    """What must hold: the truth, the answer to the unchanged image, or both."""

    correctness = "correctness"
    preservation = "preservation"
    both = "both"


@app.command()
def generate(
    out: Annotated[Path, typer.Option("--out", help="The YAML file to write.")],
    task: Annotated[list[HumanTask], typer.Option("--task", help="Task; repeatable.")],
    source: Annotated[
        str | None, typer.Option("--source", help="Published thresholds: decompovision-voc.")
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="With --source: class; repeatable.")
    ] = None,
    transformation: Annotated[
        list[str] | None, typer.Option("--transformation", help="With --source; repeatable.")
    ] = None,
    thresholds: Annotated[
        list[Path] | None,
        typer.Option("--thresholds", help="Output of `snellen thresholds --json`."),
    ] = None,
    kind: Annotated[Kinds, typer.Option("--kind", help="What must hold.")] = Kinds.both,
    margin: Annotated[float, typer.Option("--margin", min=0, max=1, help="Tolerated loss.")] = 0.02,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.5, max=1, help="Confidence level.")
    ] = 0.95,
    as_json: Json = False,
) -> None:
    """Write the requirements that follow from human thresholds."""
    from snellen.errors import UserError
    from snellen.methods.requirements.human.estimate_file import read_estimates
    from snellen.methods.requirements.specification.generation import generate_requirements
    from snellen.methods.requirements.specification.requirement_file import write_requirements

    kinds = _kinds(kind)
    human = [one for path in thresholds or () for one in read_estimates(path) if one.kind in kinds]
    if source is not None:
        human += _published(source, label, transformation, kinds)
    elif not human:
        raise UserError(
            "requirements generate: no thresholds. Give --source decompovision-voc with --label "
            "and --transformation, or --thresholds FILE.json of that kind."
        )
    found = generate_requirements(human, [one.value for one in task], margin, confidence)
    write_requirements(out, found)
    _print(found, as_json)
    if not as_json:
        typer.echo(f"requirements: {out}")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A requirement file.")], as_json: Json = False
) -> None:
    """List the requirements of a file, and report errors in it."""
    from snellen.methods.requirements.specification.requirement_file import read_requirements

    _print(read_requirements(file), as_json)


def _kinds(kind: Kinds) -> list[KindName]:
    if kind is Kinds.both:
        return ["correctness", "preservation"]
    return ["correctness"] if kind is Kinds.correctness else ["preservation"]


def _published(
    source: str, labels: list[str] | None, transformations: list[str] | None, kinds: list[KindName]
) -> list[KnownThresholds]:
    from snellen.errors import UserError
    from snellen.methods.requirements.human.published_thresholds import published_thresholds

    if not labels or not transformations:
        raise UserError("--source: needs --label and --transformation. Give both.")
    return [
        published_thresholds(source, label, transformation, kind)
        for label in labels
        for transformation in transformations
        for kind in kinds
    ]


def _print(found: tuple[Requirement, ...], as_json: bool) -> None:
    if as_json:
        items = [one.model_dump(mode="json", exclude_none=True) for one in found]
        typer.echo(json.dumps(items, indent=1))
        return
    for one in found:
        thresholds = " and ".join(f"{value:g}" for value in one.thresholds)
        typer.echo(f"{one.name}: up to a visual change of {thresholds}{_more(one)}")


def _more(one: Requirement) -> str:
    shared = f"; shared by {' and '.join(one.tasks)}" if one.shared_with else ""
    naive = f"; estimated directly {one.naive:g}" if one.naive is not None else ""
    limited = "; limited by the data" if one.source.limited_by_data else ""
    return f"; {one.measure}; loss at most {one.margin:g}{shared}{naive}{limited}"
