"""Files and folders that are written atomically: completely or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.errors import UserError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = _draft_path(path)
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if the block succeeds, and is removed if it fails.

    `out` must be missing or empty, so that none of the user's files is overwritten.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out}: already exists and is not empty. Choose a new folder.")
    draft = _draft_path(out)
    try:
        draft.mkdir(parents=True)
        yield draft
        if out.exists():
            out.rmdir()
        draft.replace(out)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UserError(
            f"{out}: cannot be written: {error}. Free some space or choose another folder."
        ) from error
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _draft_path(path: Path) -> Path:
    return path.absolute().with_name(f".{path.name}.{secrets.token_hex(6)}")
