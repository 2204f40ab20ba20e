"""The entry point of the command line."""

from __future__ import annotations

import io
import logging
import os
import shlex
import sys
import traceback
from typing import Annotated, Any, NoReturn

import typer

from snellen import __version__
from snellen.cli.command_group import CommandGroup
from snellen.disk.trust import TRUST
from snellen.engine.interrupts import termination
from snellen.errors import (
    FINE,
    INTERRUPTED,
    MISTAKE,
    TERMINATED,
    VIOLATED,
    SnellenError,
    UntrustedError,
)
from snellen.errors.redaction import redacted

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
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(_RedactedFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.DEBUG if verbose else logging.WARNING, handlers=[shown])
    TRUST.ask = _ask if sys.stdin.isatty() and sys.stderr.isatty() else None


class _RedactedFormatter(logging.Formatter):
    """Log messages and their tracebacks, without hidden values."""

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return redacted(super().format(record))


def _ask(question: str) -> bool:
    return typer.confirm(f"{question}\nRun it?", default=False, err=True)


UsageError: Any = typer.BadParameter.__base__
"""Raised by typer for a command line that it cannot read."""


def main() -> None:
    """Run the command line; a user error ends with a message and exit code, no traceback.

    What the terminal cannot show, such as the name of a file that is not UTF-8, is escaped.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with termination():
            ended = app(prog_name="snellen", standalone_mode=False)
        code = ended if isinstance(ended, int) else FINE
    except UntrustedError as error:
        error.add_note(f"Next: {shlex.join(['snellen', *sys.argv[1:], '--trust'])}")
        typer.echo("error: " + "\n".join(error.lines), err=True)
        code = error.exit_code
    except SnellenError as error:
        typer.echo("error: " + "\n".join(error.lines), err=True)
        code = error.exit_code
    except UsageError as error:
        code = _misused(error)
    except typer.Abort:
        typer.echo("aborted", err=True)
        code = VIOLATED
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:  # a bug, with its traceback
        typer.echo(redacted(traceback.format_exc()), err=True, nl=False)
        code = VIOLATED
    _leave(code)


def _misused(error: Any) -> int:
    """Print what is wrong with the command line; the exit code.

    A group without a command prints its help, which is all that the error has to say.
    """
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return MISTAKE
    usage, path = ("", "snellen")
    if error.ctx is not None:
        usage, path = f"{error.ctx.get_usage()}\n", error.ctx.command_path
    typer.echo(
        f"{usage}error: {error.format_message().replace('Value error, ', '')}\nNext: {path} --help",
        err=True,
    )
    return MISTAKE


def _free_semaphores() -> None:
    """Free what the pool of builders shares; else its tracker does, with a warning."""
    util = sys.modules.get("multiprocessing.util")
    free = getattr(util, "_run_finalizers", None)
    if free is not None:
        free(0)  # those that never wait


def _leave(code: int) -> NoReturn:
    """Exit, also while a call to a subject hangs in native code.

    An interrupted command waits for nobody: a pool of builders that is cut short may never end, and
    its workers end with this process.
    """
    threads = sys.modules.get("snellen.engine.subject_thread")  # imported only if it was used
    if threads is not None and (code in (INTERRUPTED, TERMINATED) or threads.calls_left_behind()):
        _free_semaphores()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
