"""File locks that the operating system releases when the process ends, however it ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """True while this process holds the lock file `path`; False if another process holds it."""
    with path.open("ab") as file:
        yield _take(file)


@contextmanager
def locked(path: Path, on_wait: Callable[[], None], pause: float = 0.1) -> Iterator[None]:
    """Hold the lock file `path`; calls `on_wait` once if another process holds it.

    pause: seconds between attempts.
    """
    with path.open("ab") as file:
        if not _take(file):
            on_wait()
            while not _take(file):
                time.sleep(pause)
        yield
