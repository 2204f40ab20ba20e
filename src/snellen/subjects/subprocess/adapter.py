"""`kind: subprocess`: the user's own program in any language, over JSON lines on stdin and stdout.

The program starts once and reports that it is ready; then each line it reads names an image file,
and each line it writes answers one. `snellen docs subjects-your-own` specifies the protocol.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from snellen.errors import SnellenError, SubjectError
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Prediction, ShownSubject, Task
from snellen.subjects.subprocess.image_files import ImageFiles, ImageFormat
from snellen.subjects.subprocess.program import LONGEST_LINE, Program
from snellen.subjects.subprocess.protocol import Ready, parse_answer, parse_ready, quoted, request
from snellen.subjects.subprocess.supervision import SupervisionOptions, start_again
from snellen.subjects.user_code.user_code_options import (
    UserCodeOptions,
    above_floor,
    fingerprint_options,
    traits_of,
)
from snellen.vision.arrays import Image


class SubprocessOptions(UserCodeOptions, SupervisionOptions):
    """Options of a program."""

    kind: Literal["subprocess"] = "subprocess"
    command: tuple[str, ...] = Field(
        min_length=1, description="list of program and arguments, run in this file's folder"
    )
    ready: bool = Field(
        default=True, description="whether the program reports when it is ready; else give classes"
    )
    start: float = Field(default=120.0, gt=0, description="maximum seconds until it is ready")
    timeout: float = Field(default=60.0, gt=0, description="maximum seconds per image")
    longest_line: float = Field(
        default=LONGEST_LINE, gt=0, description="MB of the longest line that it may write"
    )
    images: ImageFormat = Field(default=ImageFormat.PNG, description="png, or ppm, which is faster")


class SubprocessSubject(ShownSubject):
    """A program that gets image files. One thread at a time uses it; others wait."""

    def __init__(self, options: SubprocessOptions, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._files = ImageFiles(options.images)
        self._lock = threading.Lock()
        self._ids = 0
        self._program: Program | None = None
        self._closed = threading.Event()
        try:
            ready = self._start()
            self._describe(ready)
        except BaseException:
            self.close()
            raise

    def _describe(self, ready: Ready) -> None:
        options, command = self._options, self._options.command
        traits = traits_of(
            options,
            self._folder,
            name=ready.name or Path(command[0]).name,
            classes=ready.classes,
            where=f"subject.command: '{command[0]}' starts, but",
        )
        self.name, self.task, self.classes = traits.name, traits.task, traits.classes
        self.score, self._floor, self.batch = traits.score, traits.floor, traits.batch
        self.deterministic, self.tolerance = traits.deterministic, traits.tolerance
        paths = [self._folder / part for part in command]
        self.fingerprint = fingerprint_of(
            kind="subprocess",
            command=command,
            programs=[file_digest(path) for path in paths if path.is_file()],
            said=ready.version,
            task=self.task,
            classes=self.classes,
            floor=self._floor,
            images=options.images,
            **fingerprint_options(options, self._folder),
        )

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the program if it does not run; it has `start` seconds for each attempt."""
        if not self._lock.acquire(timeout=self._options.start):
            raise SubjectError("an earlier call has not returned yet")
        try:
            self._ensure_running(stop)
        finally:
            self._lock.release()

    def predict(self, images: Sequence[Image]) -> Sequence[Prediction]:
        """One checked prediction per image; the program is started if it is not running."""
        with self._lock, self._files.written(images) as paths:
            program = self._ensure_running()
            try:
                answers = self._answers(program, paths, images)
            except SubjectError:
                self._end(program)
                raise
        failed = [str(answer["error"]) for answer in answers if "error" in answer]
        if failed:
            raise SubjectError(f"'{self.name}' reports: {failed[0]}")
        found = (
            [answer.get("scores") for answer in answers] if self.task == Task.LABELS else answers
        )
        predictions = checked_batch(found, images, self.classes, self.task)
        return [above_floor(prediction, self._floor) for prediction in predictions]

    def restart(self) -> None:
        """End the program now, from any thread; the next call starts it again."""
        self._end(self._program)

    def close(self) -> None:
        """End the program, by force if necessary. Remove the image files."""
        self._closed.set()
        program, self._program = self._program, None
        if program is not None:
            program.end()
        self._files.close()

    def _end(self, program: Program | None) -> None:
        if program is not None:
            program.kill()

    def _ensure_running(self, stop: threading.Event | None = None) -> Program:
        program = self._program
        if program is None or not program.running():
            how = program.exit_words() if program is not None else ""
            stop = stop or self._closed
            start_again(self._start, f"'{self.name}' ended{how}", self._options.restarts, stop)
            program = self._program
        if program is None or self._closed.is_set():
            raise SubjectError("the program was ended before the request was sent")
        return program

    def _start(self) -> Ready:
        self.restart()
        options = self._options
        self._program = program = Program(
            options.command, self._folder, longest=options.longest_line, memory=options.memory
        )
        try:
            return self._ready(program) if options.ready else Ready()
        except SnellenError:
            self._end(program)
            raise

    def _ready(self, program: Program) -> Ready:
        try:
            line = program.receive(time.monotonic() + self._options.start)
        except SubjectError as error:
            raise SubjectError(f"{error}\nIt did not report that it is ready.") from None
        if line is None:
            raise SubjectError(
                f"the program did not report that it is ready within {self._options.start:g} s "
                f'(subject.start): expected a first line such as {{"snellen": 1}} on stdout, '
                f"flushed, or ready: false{program.stderr_tail()}"
            )
        return parse_ready(line)

    def _answers(
        self, program: Program, paths: Sequence[Path], images: Sequence[Image]
    ) -> list[Mapping[str, Any]]:
        if (line := program.unsolicited_line()) is not None:
            raise SubjectError(
                f"the program wrote {quoted(line)} to stdout without a request. "
                "Write one line per request, and other text to stderr."
            )
        first, self._ids = self._ids, self._ids + len(paths)
        for index, (path, image) in enumerate(zip(paths, images, strict=True)):
            program.send(request(first + index, path, image.shape, len(paths) - index - 1))
        deadline = time.monotonic() + self._options.timeout * len(paths)
        answers: dict[int, Mapping[str, Any]] = {}
        while len(answers) < len(paths):
            line = program.receive(deadline)
            if line is None:
                raise SubjectError(self._timeout_message(len(answers), len(paths), program))
            number, answer = parse_answer(line, first + len(answers))
            if number in answers or not first <= number < self._ids:
                raise SubjectError(
                    f"the program answered id {number}, expected each id from {first} to "
                    f"{self._ids - 1} once"
                )
            answers[number] = answer
        return [answers[number] for number in range(first, self._ids)]

    def _timeout_message(self, answered: int, asked: int, program: Program) -> str:
        return (
            f"the program answered {answered} of {asked} images within "
            f"{self._options.timeout * asked:g} s (subject.timeout is {self._options.timeout:g} s "
            f"per image) and was killed. Does it flush its stdout?{program.stderr_tail()}"
        )


ADAPTER = Adapter(SubprocessOptions, SubprocessSubject, runs=("command",))
