"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.errors import UserError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name beside it, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = _beside(path)
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` when the block ends well, and vanishes if it does not.

    `out` must not be there yet, or be empty: nothing of the user's is overwritten.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out}: is there already and is not empty. Choose a new folder.")
    draft = _beside(out)
    try:
        draft.mkdir(parents=True)
        yield draft
        if out.exists():
            out.rmdir()
        draft.replace(out)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UserError(
            f"{out}: cannot be written: {error}. Free space or choose a place."
        ) from error
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _beside(path: Path) -> Path:
    return path.absolute().with_name(f".{path.name}.{secrets.token_hex(6)}")
