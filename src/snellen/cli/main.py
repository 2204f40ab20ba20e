"""The entry point of the command line."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated, NoReturn

import typer

from snellen import __version__
from snellen.cli.command_group import CommandGroup
from snellen.errors import SnellenError

app = typer.Typer(
    name="snellen",
    cls=CommandGroup,
    help="An eye exam for machine vision: finds, explains and helps repair its failures.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"snellen {__version__}")
        raise typer.Exit


@app.callback()
def snellen(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print debug messages.")] = False,
) -> None:
    """An eye exam for machine vision: finds, explains and helps repair its failures."""
    del version
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.WARNING,
        format="%(levelname)s: %(message)s",
        stream=sys.stderr,
    )


def main() -> None:
    """Run the command line; a user error ends with a message and exit code, no traceback."""
    try:
        app(prog_name="snellen")
        code = 0
    except SnellenError as error:
        typer.echo(f"error: {error}", err=True)
        code = error.exit_code
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Exit, also while a call to a subject hangs in native code."""
    threads = sys.modules.get("snellen.engine.subject_thread")  # imported only if it was used
    if threads is not None and threads.calls_left_behind():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
