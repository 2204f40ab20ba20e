"""Log messages that repeat themselves, as where one command opens the same scenes many times."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class FirstOnly(logging.Filter):
    """Passes each message once."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[tuple[int, str]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message is new at its level."""
        message = record.levelno, record.getMessage()
        new = message not in self._seen
        self._seen.add(message)
        return new


@contextmanager
def repetitions_dropped() -> Iterator[None]:
    """While this is open, each handler of the root logger passes a message once."""
    filters = [(handler, FirstOnly()) for handler in logging.getLogger().handlers]
    for handler, one in filters:
        handler.addFilter(one)
    try:
        yield
    finally:
        for handler, one in filters:
            handler.removeFilter(one)
