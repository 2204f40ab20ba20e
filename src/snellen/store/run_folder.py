"""The run folder: one run's configuration, journal and results, used by one process at a time."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from snellen.configuration import stored_configuration
from snellen.disk.lock import try_lock
from snellen.disk.sync import make_folder
from snellen.errors import UserError

CONFIG, JOURNAL = stored_configuration.CONFIG, stored_configuration.JOURNAL
LOCK = ".lock"
SUMMARY = "summary.json"
FINDINGS = "findings"
OVERLAY = "overlay.png"
"""In the folder of a finding: before and after side by side, with events marked."""


@contextmanager
def claim_run_folder(folder: Path) -> Iterator[Path]:
    """The run folder, created if missing, and locked against other processes.

    An error before anything is in its journal leaves no trace of the run.
    """
    with ExitStack() as stack:
        stack.enter_context(_removed_if_empty(folder))
        try:
            make_folder(folder)
            got = stack.enter_context(try_lock(folder / LOCK))
        except OSError as error:
            raise UserError(_unusable(folder, error)) from None
        if not got:
            raise UserError(
                f"{folder}: another run is using this folder. "
                "Wait for it to end, or choose another `out`."
            )
        yield folder


@contextmanager
def _removed_if_empty(folder: Path) -> Iterator[None]:
    """Remove what is new in and above a folder if the block fails before it has a journal."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    files = [folder / name for name in (LOCK, CONFIG) if not (folder / name).exists()]
    try:
        yield
    except Exception:
        if not (folder / JOURNAL).exists():
            with suppress(OSError):
                for file in files:
                    file.unlink(missing_ok=True)
                for place in new:
                    place.rmdir()
        raise


def _unusable(folder: Path, error: OSError) -> str:
    why = error.strerror or str(error)
    if error.errno == errno.EROFS:
        why = "the file system is read-only"
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        why = "a file of that name exists"
    return f"{folder}: cannot be used as a run folder: {why}. Choose another `out`."
