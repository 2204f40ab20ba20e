"""Two ways to run a program on a folder of frames: persistent, or started for each batch."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Protocol

from snellen.errors import SnellenError, SubjectError
from snellen.errors.redaction import redacted
from snellen.subjects.subprocess.program import Program
from snellen.subjects.subprocess.protocol import quoted
from snellen.subjects.subprocess.supervision import SupervisionOptions, start_again

log = logging.getLogger(__name__)

IN, OUT = "{in}", "{out}"


class Runner(Protocol):
    """Runs a program that turns a folder of frames into a folder of answers."""

    def run(self, inputs: Path, answers: Path, seconds: float) -> None:
        """Run the program on the folder `inputs`; a `SubjectError` if it takes longer."""

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the program if it should be running and is not."""

    def restart(self) -> None:
        """End the program now, from any thread."""

    def close(self) -> None:
        """End the program gracefully."""


class PersistentProgram:
    """A program that is started once, loads its model, and then serves one request per line.

    It writes `ready` when it has loaded. For each line `predict FOLDER OUT_FOLDER` that it reads it
    writes the label files and then `done`, or `error` with a message. Other lines are logged.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        ready: bool,
        start: float,
        supervision: SupervisionOptions,
    ) -> None:
        self._command, self._folder = command, folder
        self._ready, self._seconds = ready, start
        self._supervision = supervision
        self._closed = threading.Event()
        self._program = self._start()

    def run(self, inputs: Path, answers: Path, seconds: float) -> None:
        """Run the program on the folder; after a failure it is ended, and started next time."""
        self.ensure_running()
        program = self._program
        try:
            program.send(f"predict {quote(str(inputs))} {quote(str(answers))}")
            self._wait(program, "done", seconds, "subject.timeout per frame")
        except SubjectError:
            program.kill()
            raise

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the program if it does not run."""
        if not self._program.running():
            how = f"the program ended{self._program.exit_words()}"
            start_again(self._start, how, self._supervision.restarts, stop or self._closed)
        if self._closed.is_set():
            raise SubjectError("the program was ended before the request was sent")

    def restart(self) -> None:
        """End the program now; the next call starts it again."""
        self._program.kill()

    def close(self) -> None:
        """End the program, by force if necessary."""
        self._closed.set()
        self._program.end()

    def _start(self) -> Program:
        self._program = program = Program(
            self._command, self._folder, memory=self._supervision.memory
        )
        try:
            if self._ready:
                self._wait(program, "ready", self._seconds, "subject.start")
        except SnellenError:
            program.kill()
            raise
        return program

    def _wait(self, program: Program, word: str, seconds: float, option: str) -> None:
        deadline = time.monotonic() + seconds
        while (line := program.receive(deadline)) is not None:
            first, _, rest = line.strip().partition(" ")
            if first == word:
                return
            if first == "error" and word == "done":
                raise SubjectError(f"the program reports: {rest or 'error'}")
            log.info("the program wrote %s", redacted(quoted(line)))
        raise SubjectError(
            f"the program did not write '{word}' within {seconds:g} s ({option}) and was killed. "
            f"Does it flush its stdout?{program.stderr_tail()}"
        )


class OneShotProgram:
    """A program started for every batch, with {in} and {out} in its arguments replaced."""

    def __init__(
        self, command: Sequence[str], folder: Path, supervision: SupervisionOptions
    ) -> None:
        self._command, self._folder, self._supervision = command, folder, supervision
        self._program: Program | None = None

    def run(self, inputs: Path, answers: Path, seconds: float) -> None:
        """Run the program; it must end in time and with exit code 0."""
        filled = [one.replace(IN, str(inputs)).replace(OUT, str(answers)) for one in self._command]
        self._program = program = Program(
            filled, self._folder, memory=self._supervision.memory, output=False
        )
        try:
            code = program.wait_for_exit(time.monotonic() + seconds)
            words = program.stderr_tail()
        finally:
            self.restart()
        if code is None:
            raise SubjectError(
                f"the program did not end within {seconds:g} s (subject.timeout per frame) and was "
                f"killed{words}"
            )
        if code != 0:
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            raise SubjectError(f"the program ended {how}{words}")

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Nothing: every batch starts it."""

    def restart(self) -> None:
        """End the program now."""
        program, self._program = self._program, None
        if program is not None:
            program.kill()

    close = restart
