"""The subject in its own thread: timeouts, retries, and checked answers.

A batch that fails is asked again one input at a time, so that a bad input fails alone. A call that
times out is abandoned in its thread and a new thread takes over; a subject that runs as a separate
program is restarted.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from snellen.engine.options import EngineOptions
from snellen.errors import SubjectError
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.subject import Input, Prediction, Subject
from snellen.vision.label_vector import LabelVector

GRACE = 5.0
"""Seconds that a pending call is given to return at the end of a run."""
CALLER = "snellen-predict"

Outcome: TypeAlias = Prediction | SubjectError


@dataclass(frozen=True)
class BatchDone:
    """One outcome for each input of a batch, and the subject's working time in seconds."""

    batch: Any
    outcomes: list[Outcome]
    seconds: float


def checked_predictions(
    answer: object, images: Sequence[Input], subject: Subject
) -> list[Prediction]:
    """A batch's predictions, checked, rounded and ranked independently of the batch."""
    predictions = checked_batch(answer, images, subject.classes, subject.task)
    return [
        one.rounded() if isinstance(one, LabelVector) else one.rounded().ranked()
        for one in predictions
    ]


class SubjectThread:
    """Takes batches, asks the subject, and hands each `BatchDone` to `deliver`."""

    def __init__(
        self, subject: Subject, options: EngineOptions, deliver: Callable[[BatchDone], None]
    ) -> None:
        self._subject = subject
        self._options = options
        self._deliver = deliver
        self._batches: queue.SimpleQueue[tuple[Any, list[Input]] | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._caller = _Caller(subject)
        self._worked = 0.0
        self._thread = threading.Thread(target=self._serve, daemon=True, name="snellen-subject")
        self._thread.start()

    def ask(self, batch: Any, images: list[Input]) -> None:
        """Queue a batch; `batch` is delivered with its outcomes."""
        self._batches.put((batch, images))

    def close(self) -> None:
        """Take no more batches; a pending call gets a grace period, then is abandoned."""
        self._closed.set()
        self._batches.put(None)
        self._caller.end()
        self._caller.thread.join(GRACE)
        if not self._caller.thread.is_alive():
            self._thread.join(GRACE)

    def _serve(self) -> None:
        while (item := self._batches.get()) is not None and not self._closed.is_set():
            batch, images = item
            self._worked = 0.0
            outcomes = self._outcomes(images)
            if self._closed.is_set():
                return
            self._deliver(BatchDone(batch, outcomes, self._worked))

    def _outcomes(self, images: list[Input]) -> list[Outcome]:
        try:
            return list(self._call(images))
        except SubjectError as error:
            if len(images) == 1:
                return [self._retried(images[0], error, self._options.retries)]
            return [self._one(image) for image in images]

    def _one(self, image: Input) -> Outcome:
        try:
            return self._call([image])[0]
        except SubjectError as error:
            return self._retried(image, error, self._options.retries - 1)

    def _retried(self, image: Input, error: SubjectError, retries: int) -> Outcome:
        for attempt in range(max(0, retries)):
            if self._closed.wait(self._options.backoff * 2**attempt):
                return error
            try:
                return self._call([image])[0]
            except SubjectError as again:
                error = again
        return error

    def _call(self, images: list[Input]) -> Sequence[Prediction]:
        start = time.perf_counter()
        try:
            answer = self._caller.call(images, self._options.item_timeout * len(images))
        except TimeoutError:
            self._replace_caller()
            raise SubjectError(
                f"no answer within {self._options.item_timeout:g} s per input "
                "(engine.item_timeout); the call was abandoned"
            ) from None
        finally:
            self._worked += time.perf_counter() - start
        return checked_predictions(answer, images, self._subject)

    def _replace_caller(self) -> None:
        self._caller.end()
        restart = getattr(self._subject, "restart", None)
        if callable(restart):
            restart()
        self._caller = _Caller(self._subject)


def calls_left_behind() -> bool:
    """Whether an abandoned call to a subject is still running in this process."""
    return any(thread.name == CALLER for thread in threading.enumerate())


class _Caller:
    """A thread that calls `predict`, so that a call that hangs can be abandoned."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._calls: queue.SimpleQueue[list[Input] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._serve, daemon=True, name=CALLER)
        self.thread.start()

    def call(self, images: list[Input], timeout: float) -> Any:
        self._calls.put(images)
        try:
            result = self._results.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(result, SubjectError):
            raise result
        return result

    def end(self) -> None:
        self._calls.put(None)

    def _serve(self) -> None:
        while (images := self._calls.get()) is not None:
            try:
                self._results.put(self._subject.predict(images))
            except SubjectError as error:
                self._results.put(error)
            except Exception as error:
                wrapped = SubjectError(f"{type(error).__name__}: {error}")
                wrapped.__cause__ = error
                self._results.put(wrapped)
