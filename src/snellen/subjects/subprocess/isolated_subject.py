"""`kind: python` with `isolate: true`: the user's Python code in a supervised process of its own.

A crash of the interpreter, a leak or a call that hangs costs the question, not the run.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.errors import SnellenError, SubjectError, SubjectGoneError, UserError
from snellen.subjects.subject import Input, Prediction, ShownSubject
from snellen.subjects.subprocess.child_process import ChildProcess
from snellen.subjects.subprocess.messages import Answered, BatchAsked, Failed, Opened, Opening
from snellen.subjects.subprocess.messages import receive as next_message
from snellen.subjects.subprocess.messages import send as send_message
from snellen.subjects.subprocess.supervision import SupervisionOptions, start_again

SERVER = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from snellen.subjects.subprocess.isolated_server import main; main()"
)


class IsolatedSubject(ShownSubject):
    """A Python subject that answers from another process, as it would in this one.

    values: its options, those of `kind: python`. start: seconds for loading.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        folder: Path,
        supervision: SupervisionOptions,
        start: float,
    ) -> None:
        self._values, self._folder = dict(values), folder
        self._supervision, self._seconds = supervision, start
        self._lock = threading.Lock()
        self._closed = threading.Event()
        opened = self._start()
        self.name, self.task, self.classes = opened.name, opened.task, opened.classes
        self.score, self.batch = opened.score, opened.batch
        self.deterministic, self.tolerance = opened.deterministic, opened.tolerance
        self.fingerprint, self.draws = opened.fingerprint, opened.draws
        self.uncached = opened.uncached

    def predict(self, images: Sequence[Input]) -> Sequence[Prediction]:
        """One checked prediction per image or frame; the process is started if it has ended."""
        with self._lock:
            self._ensure_running(None)
            child = self._child
            try:
                reply = self._exchange(child, BatchAsked(list(images)))
            except SubjectError:
                child.kill()
                raise
        if isinstance(reply, Answered):
            return reply.predictions
        raise _error(reply)

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the process if it has ended; each attempt has `start` seconds."""
        if not self._lock.acquire(timeout=self._seconds):
            raise SubjectError("an earlier call has not returned yet")
        try:
            self._ensure_running(stop)
        finally:
            self._lock.release()

    def restart(self) -> None:
        """End the process now, from any thread; the next call starts it again."""
        self._child.kill()

    def close(self) -> None:
        """End the process, which closes the subject; by force if necessary."""
        self._closed.set()
        pipe = self._child.process.stdin
        if pipe is not None and not self._lock.locked():
            with contextlib.suppress(OSError):
                pipe.close()
            self._child.end()
        self._child.kill()

    def _ensure_running(self, stop: threading.Event | None) -> None:
        if not self._child.alive:
            how = f"'{self.name}' ended{self._child.exit_words()}"
            start_again(self._start_same, how, self._supervision.restarts, stop or self._closed)
        if self._closed.is_set():
            raise SubjectError("the process was ended before the request was sent")

    def _start_same(self) -> None:
        opened = self._start()
        if opened.fingerprint != self.fingerprint and not opened.uncached:
            raise SubjectError(
                f"'{self.name}' is another subject than before: its code or files have changed"
            )

    def _start(self) -> Opened:
        path = [str(Path(one).resolve()) if one else str(Path.cwd()) for one in sys.path]
        command = [sys.executable, "-c", SERVER, json.dumps(path)]
        self._child = child = ChildProcess(
            command, self._folder, name="python", memory=self._supervision.memory
        )
        late = threading.Event()

        def end() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(self._seconds, end)
        timer.start()
        try:
            reply = self._exchange(child, Opening(self._values, self._folder.resolve(), path))
        except SubjectError as error:
            child.kill()
            raise SubjectError(self._late() if late.is_set() else str(error)) from None
        except BaseException:
            child.kill()
            raise
        finally:
            timer.cancel()
        if not isinstance(reply, Opened):
            child.kill()
            raise _error(reply)
        return reply

    def _late(self) -> str:
        words = self._child.stderr_tail()
        return f"it was not loaded within {self._seconds:g} s (subject.start){words}"

    def _exchange(self, child: ChildProcess, request: object) -> Any:
        requests, replies = child.process.stdin, child.process.stdout
        if requests is None or replies is None:
            raise SubjectError("the process has no pipes")
        try:
            send_message(requests, request)
            return next_message(replies)
        except (EOFError, OSError, ValueError):
            words = f"{child.exit_words()}{child.stderr_tail()}"
            raise SubjectError(f"the process of the subject ended{words}") from None


def _error(failure: Failed) -> SnellenError:
    """The error of a failed request, with a cause of the same name as in one process."""
    kinds = {(True, False): UserError, (False, True): SubjectGoneError}
    error = kinds.get((failure.mistake, failure.final), SubjectError)(failure.message)
    for note in failure.notes:
        error.add_note(note)
    if failure.cause not in ("", type(error).__name__):
        error.__cause__ = type(failure.cause, (Exception,), {})(failure.message)
    return error
