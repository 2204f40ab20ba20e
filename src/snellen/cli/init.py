"""`snellen init`: a commented configuration."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.cli.run import SkipInvalid
from snellen.errors import UserError, next_step
from snellen.methods.defaults import INIT_METHOD
from snellen.terminal.options import Trusts

if TYPE_CHECKING:
    from snellen.engine.new_configuration.starting_point import Given, StartingPoint


def init(
    path: Annotated[Path, typer.Argument(metavar="[CONFIG]", help="The file to write.")] = Path(
        "snellen.yaml"
    ),
    subject: Annotated[
        str | None,
        typer.Option("--subject", help="A model file, module:attribute, or a .yaml with one."),
    ] = None,
    scenes: Annotated[
        str | None, typer.Option("--scenes", help="A folder of images or an annotation file.")
    ] = None,
    objects: Annotated[
        str | None,
        typer.Option("--objects", help="The source of objects; default: the scenes."),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="The method.")] = INIT_METHOD,
    skip_invalid: SkipInvalid = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    trust: Trusts = False,
) -> None:
    """Write a commented configuration for your model and data."""
    del trust  # decided when it was read
    from snellen.engine.new_configuration.starting_point import Given, starting_point

    _check_path(path, force)
    with next_step("snellen init --help"):
        given = Given(method, subject, scenes, objects, skip_invalid)
        start = starting_point(given, path.parent)
    _write(path, given, start, force)
    for line in start.took:
        typer.echo(f"took {line}")
    typer.echo(f"wrote {path}")
    typer.echo("\n".join(_next(path, start)))


def _check_path(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise UserError(
            f"{path}: already exists. Choose another name, or pass --force to overwrite it.",
            next=f"snellen check {shlex.quote(str(path))}",
        )
    if not path.parent.is_dir():
        raise UserError(
            f"{path}: there is no folder {path.parent} to write it to. Create it first.",
            next=f"mkdir -p {shlex.quote(str(path.parent))}",
        )


def _write(path: Path, given: Given, start: StartingPoint, force: bool) -> None:
    from snellen.disk.atomic_file import write_atomically
    from snellen.disk.free_folder import free_folder
    from snellen.engine.new_configuration.template import starter_options, template

    options = None
    if start.opened is not None:
        options = starter_options(given.method, path, start.opened, force=force)
    out = free_folder(path.parent / "runs" / given.method).relative_to(path.parent)
    text = template(given.method, start, out.as_posix(), options, skip_invalid=given.skip_invalid)
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}. Choose another place.",
            next="snellen init --help",
        ) from None


def _next(path: Path, start: StartingPoint) -> list[str]:
    """The commands that lead from the file to a verdict."""
    from snellen.disk.free_folder import shown_path
    from snellen.engine.campaign import load_campaign
    from snellen.report.gate import check_gate

    out = shown_path(load_campaign(path).out_folder)
    try:
        check_gate(path)
        limit = ""
    except UserError:
        limit = " --at-most 0.05"
    config, run = shlex.quote(str(path)), shlex.quote(str(out))
    steps = [
        (f"snellen check {config}", "try it on a few scenes and measure AP"),
        (f"snellen run {config}", "test, and write a report"),
        (f"snellen gate {run}{limit}", "pass or fail, for CI"),
    ]
    widest = max(len(command) for command, _ in steps)
    fill = [f"Fill in first: {', '.join(f'`{one}`' for one in start.missing)}"]
    lines = [f"  {command.ljust(widest)}  # {what}" for command, what in steps]
    return [*(fill if start.missing else []), "Next:", *lines]
