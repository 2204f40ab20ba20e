"""The file that a command writes: refused with a message where it cannot or should not be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.errors import UserError


def refuse_overwriting(out: Path, *inputs: Path) -> None:
    """Raise if the output file is one of the command's input files."""
    for path in inputs:
        if out.resolve() == path.resolve():
            raise UserError(f"--out: {out} is an input file of this command. Choose another name.")


@contextmanager
def output_file(out: Path) -> Iterator[None]:
    """Report an error of the operating system as one of the user's choice of `out`."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error}. Choose another place.") from error
