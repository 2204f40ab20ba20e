"""The file that a command writes: refused with a message where it cannot or should not be."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.disk.free_folder import free_folder
from snellen.errors import UserError


def refuse_overwriting(out: Path, *inputs: Path) -> None:
    """Raise if the output file is one of the command's input files."""
    for path in inputs:
        if out.resolve() == path.resolve():
            raise UserError(f"--out: {out} is an input file of this command. Choose another name.")


def refuse_full(out: Path) -> None:
    """Raise if the output folder has files; the next step is the same command with a free one."""
    free = free_folder(out)
    if free == out:
        return
    command = [word if word != str(out) else str(free) for word in sys.argv[1:]]
    raise UserError(
        f"--out: {out} already exists and is not empty. Choose a new folder.",
        next=shlex.join(["snellen", *command]),
    )


@contextmanager
def output_file(out: Path) -> Iterator[None]:
    """Report an error of the operating system as one of the user's choice of `out`."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error}. Choose another place.") from error
