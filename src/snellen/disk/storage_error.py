"""The error of a file that can't be written, with a sentence that fits the reason."""

from __future__ import annotations

import errno
from pathlib import Path

from snellen.errors import SnellenError

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class StorageError(SnellenError, OSError):
    """A file can't be written: the disk is full, broken or read-only."""

    def __str__(self) -> str:
        return str(self.args[0])  # an OSError with a number would show that and its short reason


def unwritable(path: Path, error: OSError) -> StorageError:
    """The error of a file, or a folder, whose writing ended in an error of the system.

    >>> str(unwritable(Path("run/summary.json"), OSError(errno.ENOSPC, "No space left on device")))
    'run/summary.json: cannot be written: No space left on device. Free some space, then try again.'
    """
    if error.errno in FULL:
        step = "Free some space, then try again."
    elif error.errno in FORBIDDEN:
        step = "Choose a folder that you may write to."
    else:
        step = "Check the disk, then try again."
    found = StorageError(f"{path}: cannot be written: {error.strerror or error}. {step}")
    found.errno, found.strerror = error.errno, error.strerror
    return found
