"""Leaves no byte of a deleted participant in the file or its log."""

from __future__ import annotations

import logging
import sqlite3

log = logging.getLogger(__name__)


def unscrubbed(db: sqlite3.Connection) -> bool:
    """Whether a deletion was cut short before the file was scrubbed."""
    [count] = db.execute("SELECT count(*) FROM deletion WHERE scrubbed = 0").fetchone()
    return bool(count)


def scrub(db: sqlite3.Connection) -> bool:
    """Rewrite the file without free space and empty its log; whether that was possible.

    SQLite zeroes what is deleted, but pages that were copied before the deletion stay in its log,
    and cells that moved may stay in a page. If another process is reading the log, it stays until
    the study is opened again.
    """
    try:
        db.execute("VACUUM")
        [busy, _, _] = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        log.warning("What was deleted will be overwritten when the study is next opened: %s", error)
        return False
    if busy:
        log.warning("What was deleted will be overwritten when the study is next opened.")
        return False
    db.execute("UPDATE deletion SET scrubbed = 1 WHERE scrubbed = 0")
    return True
