"""A child process in a process group of its own: started, limited, watched and ended."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from snellen.errors import UserError
from snellen.errors.redaction import redacted

log = logging.getLogger(__name__)

TAIL = 15
PATIENCE = 3.0
LONGEST_MESSAGE = 16_384
"""Bytes of stderr that are logged at a time; a longer line is logged in pieces."""


class ChildProcess:
    """A running process with pipes of bytes; its stderr is logged line by line.

    It has its own process group, so that its child processes end with it. memory: GB of address
    space that each of its processes may have, None for no limit.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        name: str = "",
        memory: float | None = None,
        output: bool = True,
    ) -> None:
        self._name = name or " ".join(command)
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._memory = memory
        self.process = _started(command, folder, output=output)
        weakref.finalize(self, _kill_at_exit, self.process)
        if memory is not None:
            self._limit(memory)
        self._messages = pipe_thread(self._forward, self.process.stderr)

    @property
    def alive(self) -> bool:
        """Whether it is running."""
        return self.process.poll() is None

    def stderr_tail(self) -> str:
        """The end of its stderr, as a clause for a message."""
        self._messages.join(0.0 if self.alive else 0.2)
        words = "\n  ".join(self._tail)
        return f"; the end of its stderr:\n  {words}" if words else "; its stderr is empty"

    def exit_words(self) -> str:
        """How it ended, as a clause for a message, with the memory limit if it has one."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(1.0)
            how = f" by signal {-code}" if code < 0 else f" with exit code {code}"
            limit = "" if self._memory is None else f" (subject.memory is {self._memory:g} GB)"
            return f"{how}{limit}"
        return " its output, but is still running"

    def exit_code(self, deadline: float) -> int | None:
        """Its exit code, or None once `deadline` (of `time.monotonic`) has passed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(max(0.0, deadline - time.monotonic()))
        return None

    def end(self) -> None:
        """Wait for it to end by itself; then terminate it; then kill it."""
        if self.exit_code(time.monotonic() + PATIENCE) is None:
            _signal_group(self.process, signal.SIGTERM)
            self.exit_code(time.monotonic() + PATIENCE)
        self.kill()

    def kill(self) -> None:
        """End it and its process group at once."""
        _signal_group(self.process, KILL)
        self.exit_code(time.monotonic() + PATIENCE)

    def _limit(self, memory: float) -> None:
        try:
            import resource

            size = int(memory * 1e9)
            resource.prlimit(self.process.pid, resource.RLIMIT_AS, (size, size))
        except (ImportError, AttributeError):
            self.kill()
            raise UserError(
                "subject.memory: the memory of a process can only be limited on Linux. Remove it."
            ) from None
        except ProcessLookupError:
            pass  # it has ended, which is reported when it is asked
        except OSError as error:
            self.kill()
            raise UserError(
                f"subject.memory: {memory:g} GB cannot be set: {error.strerror}. Remove it."
            ) from None

    def _forward(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(LONGEST_MESSAGE):
                text = line.decode("utf-8", "backslashreplace").rstrip()
                self._tail.append(text)
                log.info("%s", redacted(f"{self._name}: {text}"))


KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def _kill_at_exit(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        _signal_group(process, KILL)


def pipe_thread(work: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> threading.Thread:
    """A running daemon thread that serves a pipe."""
    thread = threading.Thread(target=work, args=(pipe,), daemon=True, name="snellen-program")
    thread.start()
    return thread


def _environment() -> Mapping[str, str]:
    # The lines of a Python program arrive even if it does not flush them.
    return {**os.environ, "PYTHONUNBUFFERED": "1"}


def _started(command: Sequence[str], folder: Path, *, output: bool) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if output else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=_environment(),
        )
    except OSError as error:
        raise UserError(
            f"subject.command: '{command[0]}' cannot be started in {folder}: {error.strerror}. "
            "Give a program on the PATH, or a path relative to the configuration's folder "
            "(such as './detect'), and make it executable."
        ) from None
