"""`snellen requirements`: generate and show requirement files."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from snellen.methods.requirements.commands.thresholds import HumanTask
from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.methods.human.subtasks import Kind as KindName
    from snellen.methods.requirements.specification.generation import KnownThresholds
    from snellen.methods.requirements.specification.requirement import Requirement

app = typer.Typer(
    help="Requirement files: write and show them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
listed_under(HelpGroup.DATA)(app)


class Kinds(StrEnum):
    """What must be preserved: correctness, the answer to the unchanged image, or both."""

    correctness = "correctness"
    preservation = "preservation"
    both = "both"


@app.command()
def generate(
    out: Annotated[Path, typer.Option("--out", help="The YAML file to write.")],
    task: Annotated[list[HumanTask], typer.Option("--task", help="The task; repeatable.")],
    source: Annotated[
        str | None, typer.Option("--source", help="Published: decompovision-voc or icraf-imagenet.")
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="With --source: a class; repeatable.")
    ] = None,
    transformation: Annotated[
        list[str] | None,
        typer.Option("--transformation", help="With --source: a transformation; repeatable."),
    ] = None,
    thresholds: Annotated[
        list[Path] | None,
        typer.Option("--thresholds", help="Output of `snellen thresholds --json`; repeatable."),
    ] = None,
    kind: Annotated[Kinds, typer.Option("--kind", help="What must be preserved.")] = Kinds.both,
    margin: Annotated[
        str,
        typer.Option(
            "--margin",
            metavar="LOSS",
            help="Tolerated loss of a whole task, shared by its subtasks; or 'human'.",
        ),
    ] = "0.02",
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.5, max=1, help="Confidence of each verdict.")
    ] = 0.95,
    as_json: Json = False,
) -> None:
    """Write the requirements that follow from human thresholds."""
    from snellen.errors import UserError
    from snellen.methods.requirements.specification.estimate_file import read_estimates
    from snellen.methods.requirements.specification.generation import generate_requirements
    from snellen.methods.requirements.specification.margin_composition import check_human_margins
    from snellen.methods.requirements.specification.requirement_file import write_requirements

    kinds = _kinds(kind)
    known = [one for path in thresholds or () for one in read_estimates(path) if one.kind in kinds]
    if source is not None:
        known += _published(source, label, transformation, kinds)
    elif not known:
        raise UserError(
            "requirements generate: no thresholds. Pass --source decompovision-voc (or "
            "icraf-imagenet) with --label and --transformation, or --thresholds FILE.json of that "
            "kind."
        )
    tolerated = _margin(margin)
    found = generate_requirements(known, [one.value for one in task], tolerated, confidence)
    check_human_margins(found, "requirements generate")
    write_requirements(out, found)
    _print(found, as_json)
    if not as_json:
        typer.echo(f"requirements: {out}")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A requirement file.")], as_json: Json = False
) -> None:
    """Check a requirement file and list its requirements."""
    from snellen.methods.requirements.specification.requirement_file import read_requirements

    _print(read_requirements(file), as_json)


def _margin(text: str) -> float | Literal["human"]:
    from snellen.errors import UserError

    if text == "human":
        return "human"
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise UserError(
            f"--margin: found '{text}', expected a loss from 0 to 1, such as 0.02, or 'human'."
        )
    return value


def _kinds(kind: Kinds) -> list[KindName]:
    if kind is Kinds.both:
        return ["correctness", "preservation"]
    return ["correctness"] if kind is Kinds.correctness else ["preservation"]


def _published(
    source: str, labels: list[str] | None, transformations: list[str] | None, kinds: list[KindName]
) -> list[KnownThresholds]:
    from snellen.errors import UserError
    from snellen.methods.requirements.specification.published_thresholds import published_thresholds

    if not labels or not transformations:
        raise UserError("--source: needs --label and --transformation.")
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
    loss = "no more loss than people" if one.margin == "human" else f"loss at most {one.margin:g}"
    return f"; {one.measure}; {loss}{shared}{naive}{limited}"
