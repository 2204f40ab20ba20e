"""The subject in its own thread: timeouts, retries, and checked answers.

A batch that fails is asked again one input at a time, so that a bad input fails alone. A call that
times out is abandoned in its thread and a new thread takes over; a subject that runs in a process
of its own is ended, and started again with its own patience, outside of any input's time-out. If
the thread itself fails, that is delivered in place of an answer, so that nobody waits for one.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from snellen.engine.options import EngineOptions
from snellen.errors import SnellenError, SubjectError, SubjectGoneError
from snellen.errors.plain_text import describe_error, error_words
from snellen.subjects.answers.prediction_checks import checked_batch
from snellen.subjects.subject import Input, Prediction, Subject
from snellen.vision.label_vector import LabelVector

GRACE = 5.0
"""Seconds that a pending call is given to return at the end of a run."""
CALLER = "snellen-predict"
COMPILATION = "snellen-compilation"

Outcome: TypeAlias = Prediction | SubjectError


@dataclass(frozen=True)
class BatchDone:
    """One outcome for each input of a batch, and the subject's working time in seconds."""

    batch: Any
    outcomes: list[Outcome]
    seconds: float


@dataclass(frozen=True)
class ThreadEnded:
    """The end of the subject's thread by an exception: no further batch is answered."""

    error: BaseException

    def raised(self) -> SnellenError:
        """The error that the run ends with."""
        if isinstance(self.error, SnellenError):
            return self.error
        ended = SubjectError(f"the subject ended the run: {describe_error(self.error)}")
        ended.__cause__ = self.error
        return ended


Delivery: TypeAlias = BatchDone | ThreadEnded


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
        self, subject: Subject, options: EngineOptions, deliver: Callable[[Delivery], None]
    ) -> None:
        self._subject = subject
        self._options = options
        self._deliver = deliver
        self._batches: queue.SimpleQueue[tuple[Any, list[Input]] | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._caller = _Caller(subject)
        self._worked = 0.0
        self._busy = False
        self._thread = threading.Thread(target=self._serve, daemon=True, name="snellen-subject")
        self._thread.start()

    def ask(self, batch: Any, images: list[Input]) -> None:
        """Queue a batch; `batch` is delivered with its outcomes."""
        self._batches.put((batch, images))

    def close(self) -> None:
        """Take no more batches; a pending call gets a grace period, then is abandoned."""
        self._closed.set()
        self._batches.put(None)
        if self._busy:
            _restart(self._subject)  # what it would answer is of no use any more
        self._caller.end()
        self._caller.thread.join(GRACE)
        if not self._caller.thread.is_alive():
            self._thread.join(GRACE)

    def _serve(self) -> None:
        try:
            while (item := self._batches.get()) is not None and not self._closed.is_set():
                self._busy = True
                batch, images = item
                self._worked = 0.0
                outcomes = self._outcomes(images)
                self._busy = False
                if self._closed.is_set():
                    return
                self._deliver(BatchDone(batch, outcomes, self._worked))
        except BaseException as error:  # the engine would wait for this thread without end
            self._busy = False
            self._deliver(ThreadEnded(error))

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
            if self._closed.is_set():
                raise SubjectError("the run has ended")
            _ensure_running(self._subject, self._closed)
            answer = self._caller.call(images, self._options.item_timeout * len(images))
        except TimeoutError:
            self._replace_caller()
            raise SubjectError(
                f"no answer within {self._options.item_timeout:g} s per input "
                "(engine.item_timeout); the call was abandoned"
            ) from None
        finally:
            self._worked += time.perf_counter() - start
        try:
            return checked_predictions(answer, images, self._subject)
        except SubjectError:
            raise
        except Exception as error:  # an answer of the user's own type may raise anything
            raise SubjectError(f"the answer cannot be read: {describe_error(error)}") from error

    def _replace_caller(self) -> None:
        self._caller.end()
        _restart(self._subject)
        self._caller = _Caller(self._subject)


def _ensure_running(subject: Subject, stop: threading.Event) -> None:
    ensure = getattr(subject, "ensure_running", None)
    if callable(ensure):
        ensure(stop)


def _restart(subject: Subject) -> None:
    restart = getattr(subject, "restart", None)
    if callable(restart):
        restart()


def calls_left_behind() -> bool:
    """Whether an abandoned call to a subject, or a compilation, is still running."""
    return any(thread.name in (CALLER, COMPILATION) for thread in threading.enumerate())


class _Caller:
    """A thread that calls `predict`, so that a call that hangs can be abandoned."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._calls: queue.SimpleQueue[list[Input] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._serve, daemon=True, name=CALLER)
        self.thread.start()

    def call(self, images: list[Input], timeout: float) -> Any:
        self._calls.put(images)
        try:
            answer, error = self._results.get(timeout=min(timeout, threading.TIMEOUT_MAX))
        except queue.Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        return answer

    def end(self) -> None:
        self._calls.put(None)

    def _serve(self) -> None:
        while (images := self._calls.get()) is not None:
            self._results.put(self._outcome(images))

    def _outcome(self, images: list[Input]) -> tuple[Any, BaseException | None]:
        try:
            return self._subject.predict(images), None
        except (SubjectError, SubjectGoneError) as error:
            return None, error
        except (Exception, SystemExit) as error:
            wrapped = SubjectError(error_words(error))
            wrapped.__cause__ = error
            return None, wrapped
        except BaseException as error:  # ends the run, by the thread that waits for this one
            return None, error
