"""Files and folders that are written atomically: completely or not at all.

What was written survives a power cut: data is on the disk before its name is changed, and the name
before the call returns.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.disk.storage_error import unwritable
from snellen.disk.sync import make_folder, sync_file, sync_folder, sync_tree
from snellen.errors import UserError

_drafts: set[Path] = set()
"""The folders that are being made; each is synced as a whole in the end."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in the same folder, sync it, then rename it."""
    with atomic_draft(path) as draft:
        draft.write_bytes(data)


@contextmanager
def atomic_draft(path: Path) -> Iterator[Path]:
    """A temporary file to write, which becomes `path` if the block succeeds, else is removed."""
    draft = _draft_path(path)
    alone = _drafts.isdisjoint(draft.parents)
    try:
        make_folder(draft.parent)
        yield draft
        if alone:
            sync_file(draft)
        draft.replace(path)
        if alone:
            sync_folder(draft.parent)
    except OSError as error:
        _remove_file(draft)
        raise unwritable(path, error) from error
    except BaseException:
        _remove_file(draft)
        raise


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if the block succeeds, and is removed if it fails.

    `out` must be missing or empty, so that none of the user's files is overwritten.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out}: already exists and is not empty. Choose a new folder.")
    draft = _draft_path(out)
    _drafts.add(draft)
    try:
        make_folder(draft.parent)
        draft.mkdir()
        yield draft
        sync_tree(draft)
        if out.exists():
            out.rmdir()
        draft.replace(out)
        sync_folder(draft.parent)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UserError(
            f"{out}: cannot be written: {error.strerror or error}. "
            "Free some space or choose another folder."
        ) from error
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    finally:
        _drafts.discard(draft)


def _remove_file(draft: Path) -> None:
    try:
        draft.unlink(missing_ok=True)
    except OSError:
        return  # the disk that failed once fails again; its first error says why


def _draft_path(path: Path) -> Path:
    return path.absolute().with_name(f".{path.name}.{secrets.token_hex(6)}")
