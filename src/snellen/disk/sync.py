"""Files and names that are on the disk, not only in the memory of the operating system."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

UNSUPPORTED = (errno.EINVAL, errno.EBADF, errno.EACCES, errno.ENOTSUP)
"""Errors of file systems on which a folder can't be synced."""


def sync_file(path: Path) -> None:
    """Return when the data of a file is on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, where the system can say so."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Return when a folder is on the disk with all that is in it."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            sync_file(Path(place, name))
        sync_folder(Path(place))


def make_folder(folder: Path) -> None:
    """Create a folder and those above it that are missing; their names are on the disk."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in new:
        sync_folder(place.parent)
