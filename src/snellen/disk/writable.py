"""Whether a folder can be written to, for commands that work on read-only media, too."""

from __future__ import annotations

import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


def is_writable(folder: Path, files: str) -> bool:
    """Whether files may be created in a folder; if not, a warning says which were not written."""
    allowed = os.access(folder, os.W_OK | os.X_OK)
    if not allowed:
        log.warning("%s cannot be written to, so these were not written: %s", folder, files)
    return allowed
