"""The end of an interrupted command: how to resume it, and its exit code."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from snellen.engine.interrupts import interruption_code, interruption_word
from snellen.errors.redaction import redacted_command

RESUME = "--resume"


@contextmanager
def resumable(saved: str = "scenes") -> Iterator[None]:
    """Turn an interrupt into the command that resumes, and exit code 130 or 143.

    saved: what of the interrupted command is kept.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        how = interruption_word(interrupt)
        typer.echo(f"{how}; finished {saved} are saved. Resume: {_resume_command()}", err=True)
        raise typer.Exit(interruption_code(interrupt)) from None


def _resume_command() -> str:
    """The command of this process with `--resume`, for a shell."""
    given = [word for word in sys.argv[1:] if word != RESUME]
    return redacted_command(shlex.join(["snellen", *given, RESUME]))
