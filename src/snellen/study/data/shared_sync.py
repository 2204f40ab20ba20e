"""Waits until commits are on the disk; commits that wait at the same time share one sync."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Condition


class SharedSync:
    """Syncs the log of a database whose commits do not (`synchronous = NORMAL`).

    A sync takes milliseconds, in which others can go on. path: of the log, which SQLite keeps for
    as long as a connection is open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._state = Condition()
        self._committed = self._synced = 0
        self._syncing = False

    def ticket(self) -> int:
        """Count a commit; called one at a time, after the commit."""
        with self._state:
            self._committed += 1
            return self._committed

    def wait(self, ticket: int) -> None:
        """Return when the commit of a ticket is on the disk."""
        with self._state:
            while self._synced < ticket:
                if self._syncing:
                    self._state.wait()
                    continue
                self._syncing, committed = True, self._committed
                self._state.release()
                try:
                    self._sync()
                except BaseException:
                    committed = self._synced
                    raise
                finally:
                    self._state.acquire()
                    self._syncing, self._synced = False, max(self._synced, committed)
                    self._state.notify_all()

    def close(self) -> None:
        """Close the file."""
        with self._state:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _sync(self) -> None:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR)
        os.fsync(self._file)
