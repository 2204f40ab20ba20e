"""The run folder: one run's configuration, journal and results, used by one process at a time."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from snellen.disk.lock import try_lock
from snellen.errors import UserError

CONFIG = "config.yaml"
JOURNAL = "journal.sqlite"
LOCK = ".lock"
SUMMARY = "summary.json"
FINDINGS = "findings"
OVERLAY = "overlay.png"
"""In the folder of a finding: before and after side by side, with events marked."""


@contextmanager
def claim_run_folder(folder: Path) -> Iterator[Path]:
    """The run folder, created if missing, and locked against other processes."""
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            got = stack.enter_context(try_lock(folder / LOCK))
        except OSError as error:
            raise UserError(_unusable(folder, error)) from None
        if not got:
            raise UserError(
                f"{folder}: another run is using this folder. "
                "Wait for it to end, or choose another `out`."
            )
        yield folder


def _unusable(folder: Path, error: OSError) -> str:
    why = error.strerror or str(error)
    if error.errno == errno.EROFS:
        why = "the file system is read-only"
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        why = "a file of that name exists"
    return f"{folder}: cannot be used as a run folder: {why}. Choose another `out`."
