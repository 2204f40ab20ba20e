"""A program connected by pipes: lines in, lines out, with timeouts.

Three threads serve the pipes, so that neither side blocks on a full pipe.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from snellen.errors import SubjectError, UserError
from snellen.errors.redaction import redacted

log = logging.getLogger(__name__)

TAIL = 15
PATIENCE = 3.0


class Program:
    """A running program that reads and writes lines of UTF-8 text.

    It has its own process group, so that its child processes end with it.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command = " ".join(command)
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process = _start_process(command, folder)
        weakref.finalize(self, _kill_at_exit, self._process)
        self._threads = [
            _thread(self._feed, self._process.stdin),
            _thread(self._collect, self._process.stdout),
            _thread(self._forward, self._process.stderr),
        ]

    def send(self, line: str) -> None:
        """Queue a line for the program's stdin."""
        self._outbox.put(line)

    def receive(self, deadline: float) -> str | None:
        """The next line, or None once `deadline` (of `time.monotonic`) has passed.

        If the program has ended, a `SubjectError` reports its exit code and the end of its stderr.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is not None:
            return line
        self._lines.put(None)
        raise SubjectError(f"the program ended{self._code()}{self.stderr_tail()}")

    def unsolicited_line(self) -> str | None:
        """A line that it wrote without a request, or None."""
        with contextlib.suppress(queue.Empty):
            line = self._lines.get_nowait()
            if line is not None:
                return line
            self._lines.put(None)
        return None

    def stderr_tail(self) -> str:
        """The end of its stderr, as a clause for a message."""
        self._threads[2].join(0.2 if self._process.poll() is not None else 0.0)
        words = "\n  ".join(self._tail)
        return f"; the end of its stderr:\n  {words}" if words else "; its stderr is empty"

    def running(self) -> bool:
        """Whether the program is alive and has its stdout open."""
        return self._process.poll() is None and self._threads[1].is_alive()

    def wait_for_exit(self, deadline: float) -> int | None:
        """Its exit code, or None once `deadline` has passed.

        Its stdin is closed at once; its stdout is ignored.
        """
        self._outbox.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        return None

    def end(self) -> None:
        """Close its stdin, which asks it to end; then terminate it; then kill it."""
        self._outbox.put(None)
        for harsher in (None, signal.SIGTERM):
            if harsher is not None:
                self._signal(harsher)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)
                break
        self.kill()

    def kill(self) -> None:
        """End the program and its process group at once."""
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._outbox.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _code(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(1.0)
            return f" by signal {-code}" if code < 0 else f" with exit code {code}"
        return " its output, but is still running"

    def _feed(self, pipe: IO[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                pipe.write(line + "\n")
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def _collect(self, pipe: IO[str]) -> None:
        with pipe:
            for line in pipe:
                self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def _forward(self, pipe: IO[str]) -> None:
        with pipe:
            for line in pipe:
                self._tail.append(line.rstrip())
                log.info("%s", redacted(f"{self._command}: {line.rstrip()}"))


def _start_process(command: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            # The lines of a Python program arrive even if it does not flush them.
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    except OSError as error:
        raise UserError(
            f"subject.command: '{command[0]}' cannot be started in {folder}: {error.strerror}. "
            "Give a program on the PATH, or a path relative to the configuration's folder "
            "(such as './detect'), and make it executable."
        ) from None


def _kill_at_exit(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()


def _thread(work: Callable[[IO[str]], None], pipe: IO[str] | None) -> threading.Thread:
    thread = threading.Thread(target=work, args=(pipe,), daemon=True, name="snellen-program")
    thread.start()
    return thread
