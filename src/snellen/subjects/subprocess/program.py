"""A program connected by pipes: lines in, lines out, with timeouts.

Three threads serve the pipes, so that neither side blocks on a full pipe.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from snellen.errors import SubjectError
from snellen.subjects.subprocess.child_process import ChildProcess, pipe_thread
from snellen.subjects.subprocess.line_queue import LineQueue

LONGEST_LINE = 64.0
"""MB of the longest line that a program may write."""


class Program:
    """A running program that reads and writes lines of UTF-8 text.

    Bytes that are not UTF-8 are read as surrogates. longest: MB of the longest line. memory: GB
    that each of its processes may have. output: whether its stdout is read at all.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        longest: float = LONGEST_LINE,
        memory: float | None = None,
        output: bool = True,
    ) -> None:
        self._child = ChildProcess(command, folder, memory=memory, output=output)
        self._longest = longest
        self._lines = LineQueue(int(longest * 1e6))
        self._outbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        pipe_thread(self._feed, self._child.process.stdin)
        if output:
            pipe_thread(self._collect, self._child.process.stdout)
        self.stderr_tail = self._child.stderr_tail

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._child.process.pid

    def send(self, line: str) -> None:
        """Queue a line for the program's stdin."""
        self._outbox.put(line)

    def receive(self, deadline: float) -> str | None:
        """The next line, or None once `deadline` (of `time.monotonic`) has passed.

        If the program has ended, a `SubjectError` reports its exit code and the end of its stderr.
        """
        try:
            line = self._lines.take(deadline)
        except EOFError:
            if self._lines.overlong:
                raise SubjectError(
                    f"the program wrote a line of more than {self._longest:g} MB, the most that is "
                    f"read (subject.longest_line). Does it end its lines?{self.stderr_tail()}"
                ) from None
            words = f"{self._child.exit_words()}{self.stderr_tail()}"
            raise SubjectError(f"the program ended{words}") from None
        return None if line is None else line.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def unsolicited_line(self) -> str | None:
        """A line that it wrote without a request, or None."""
        return self.receive(0.0) if not self._lines.ended or self._lines.overlong else None

    def running(self) -> bool:
        """Whether the program is alive and has its stdout open."""
        return self._child.alive and not self._lines.ended

    def exit_words(self) -> str:
        """How it ended, as a clause for a message."""
        return self._child.exit_words()

    def wait_for_exit(self, deadline: float) -> int | None:
        """Its exit code, or None once `deadline` has passed.

        Its stdin is closed at once.
        """
        self._outbox.put(None)
        return self._child.exit_code(deadline)

    def end(self) -> None:
        """Close its stdin, which asks it to end; then terminate it; then kill it."""
        self._outbox.put(None)
        self._lines.close()
        self._child.end()

    def kill(self) -> None:
        """End the program and its process group at once."""
        self._outbox.put(None)
        self._lines.close()
        self._child.kill()

    def _feed(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                pipe.write(f"{line}\n".encode("utf-8", "surrogateescape"))
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def _collect(self, pipe: IO[bytes]) -> None:
        with pipe:
            self._lines.read(pipe)
