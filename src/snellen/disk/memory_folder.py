"""Temporary folders in memory that a later process removes if their own was killed.

Each is locked by its process while it lives; the system releases the lock however the process ends.
A folder whose lock can be taken has no owner any more. The lock holds across containers that share
the memory file system, where process ids do not.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import ExitStack, suppress
from pathlib import Path

from snellen.disk.lock import try_lock

MEMORY = Path("/dev/shm")
PREFIX = "snellen-images-"
LOCK = ".lock"


class MemoryFolder:
    """A temporary folder, on a memory file system if there is one, removed at the end."""

    def __init__(self) -> None:
        parent = MEMORY if os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
        remove_abandoned(parent)
        self._held = ExitStack()
        self.path = _locked_folder(parent, self._held)
        self._end = weakref.finalize(self, _remove, self.path, self._held)

    def close(self) -> None:
        """Remove the folder."""
        self._end()


def _locked_folder(parent: Path, held: ExitStack) -> Path:
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        # Another process may take the lock first, as of one that is abandoned: then it removes it.
        with suppress(FileNotFoundError), ExitStack() as attempt:
            if attempt.enter_context(try_lock(path / LOCK)) and (path / LOCK).exists():
                held.push(attempt.pop_all())
                return path


def remove_abandoned(parent: Path) -> list[Path]:
    """Remove the user's own folders in `parent` whose process has ended; their paths."""
    return [path for path in sorted(parent.glob(f"{PREFIX}*")) if _removed(path)]


def _removed(path: Path) -> bool:
    try:
        if not (_own(path) and (path / LOCK).is_file()):
            return False
        with try_lock(path / LOCK) as abandoned:
            if abandoned:
                shutil.rmtree(path, ignore_errors=True)
            return abandoned
    except OSError:  # removed by another process meanwhile
        return False


def _own(path: Path) -> bool:
    return not path.is_symlink() and (
        not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()
    )


def _remove(path: Path, held: ExitStack) -> None:
    shutil.rmtree(path, ignore_errors=True)
    held.close()
