"""The lines of a pipe, read ahead within a bound."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import IO


class LineQueue:
    """Lines that one thread reads from a pipe and another takes.

    longest: bytes of the longest line. The reader waits while that many bytes are not yet taken, so
    that a program that never stops writing fills no memory.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._changed = threading.Condition()
        self._closed = False
        self.ended = False
        self.overlong = False

    def read(self, pipe: IO[bytes]) -> None:
        """Read lines to the end of the pipe, or to a line that is too long."""
        while not self._closed and (line := pipe.readline(self._longest + 1)):
            if len(line) > self._longest:
                self.overlong = True
                break
            self._put(line)
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def take(self, deadline: float) -> bytes | None:
        """The next line, or None if there is none by `deadline` (of `time.monotonic`).

        Raises `EOFError` if all lines are taken and no more will come.
        """
        with self._changed:
            while not self._lines:
                if self.ended:
                    raise EOFError
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(min(left, threading.TIMEOUT_MAX)):
                    if self._lines or self.ended:
                        continue
                    return None
            line = self._lines.popleft()
            self._size -= len(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Let the reader end; lines that are not yet taken stay."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _put(self, line: bytes) -> None:
        with self._changed:
            while self._size >= self._longest and not self._closed:
                self._changed.wait()
            self._lines.append(line)
            self._size += len(line)
            self._changed.notify_all()
