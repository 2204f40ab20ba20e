"""From question to answer: cases are built ahead, gathered into batches, and put to the subject.

One thread owns all state. Builders and the subject's thread put their results into one inbox.
"""

from __future__ import annotations

import heapq
import logging
import queue
from collections import deque
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from snellen.contract.questions import Answer, Question
from snellen.engine.builders import Builders, BuiltCase
from snellen.engine.options import EngineOptions
from snellen.engine.subject_thread import BatchDone, Delivery, SubjectThread, ThreadEnded
from snellen.errors import SubjectError
from snellen.errors.plain_text import escaped, message_of
from snellen.errors.redaction import redacted
from snellen.store.journal import Failure
from snellen.subjects.passes import Pass
from snellen.subjects.subject import Input, Subject

log = logging.getLogger(__name__)

BATCHES_AHEAD = 2
PATIENCE = 0.02
"""Seconds that an idle subject waits for a full batch."""

T = TypeVar("T")


@dataclass(eq=False)
class Ticket(Generic[T]):
    """One pending question and its asker."""

    name: str
    question: Question
    asker: T
    built: BuiltCase | None = None
    tries: int = 0
    building: float = 0.0
    subject: float = 0.0


Settled: TypeAlias = list[tuple[Ticket[T], Answer | Failure]]


class Pipeline(Generic[T]):
    """Takes tickets, and returns each with its answer or failure."""

    def __init__(self, subject: Subject, options: EngineOptions, builders: Builders) -> None:
        self._builders = builders
        self._batch = options.batch_size(subject.batch)
        self._ahead = self._batch * BATCHES_AHEAD + max(1, options.worker_count())
        self._inbox: queue.SimpleQueue[Delivery | tuple[Ticket[T], Future[BuiltCase]]] = (
            queue.SimpleQueue()
        )
        self._subject_thread = SubjectThread(subject, options, self._inbox.put)
        self._waiting: list[tuple[int, int, Ticket[T]]] = []
        self._suspects: deque[Ticket[T]] = deque()
        self._ready: deque[Ticket[T]] = deque()
        self._sequence = self._building = self._asking = 0

    def put(self, ticket: Ticket[T], priority: int) -> None:
        """Queue a question; lower priorities go first, equal ones in order of arrival."""
        self._sequence += 1
        heapq.heappush(self._waiting, (priority, self._sequence, ticket))

    def wants_more(self) -> bool:
        """Whether more questions are needed to keep the subject busy."""
        return len(self._waiting) + self._building + len(self._ready) < self._ahead

    def under_way(self) -> bool:
        """Whether any question is still unanswered."""
        return bool(self._asking or self._ready or self._to_build())

    def _to_build(self) -> bool:
        return bool(self._building or self._waiting or self._suspects)

    def take(self) -> Settled[T]:
        """Wait for the next result; the tickets that it settles, perhaps none.

        Raises the error that ended the subject's thread, if one did.
        """
        self._build_ahead()
        self._ask(patient=True)
        idle = self._ready and not self._asking
        try:
            message = self._inbox.get(timeout=PATIENCE if idle else None)
        except queue.Empty:
            self._ask(patient=False)
            return []
        if isinstance(message, ThreadEnded):
            raise message.raised()
        if isinstance(message, BatchDone):
            return self._take_batch(message)
        return self._take_built(*message)

    def close(self) -> None:
        """Ask no more."""
        self._subject_thread.close()

    def _build_ahead(self) -> None:
        if self._suspects:
            if not self._building:
                self._build(self._suspects.popleft())
            return
        while self._waiting and self._building + len(self._ready) < self._ahead:
            self._build(heapq.heappop(self._waiting)[2])

    def _build(self, ticket: Ticket[T]) -> None:
        self._building += 1
        asked = ticket.question
        deliver = partial(self._deliver, ticket)
        self._builders.submit(asked.scene, asked.recipe, asked.measures, deliver)

    def _deliver(self, ticket: Ticket[T], future: Future[BuiltCase]) -> None:
        self._inbox.put((ticket, future))

    def _ask(self, *, patient: bool) -> None:
        while self._ready and self._asking < BATCHES_AHEAD:
            full = len(self._ready) >= self._batch
            if not full and (self._asking or (self._to_build() and patient)):
                return
            size = min(self._batch, len(self._ready))
            batch = [self._ready.popleft() for _ in range(size)]
            self._asking += 1
            self._subject_thread.ask(
                batch, [input_of(t.question, t.built) for t in batch if t.built is not None]
            )

    def _take_built(self, ticket: Ticket[T], future: Future[BuiltCase]) -> Settled[T]:
        self._building -= 1
        try:
            ticket.built = future.result()
        except BrokenExecutor as error:
            return self._take_broken(ticket, error)
        except Exception as error:
            log.debug("building failed", exc_info=True)
            return [(ticket, failure_of("build", error))]
        ticket.building = ticket.built.seconds
        self._ready.append(ticket)
        return []

    def _take_broken(self, ticket: Ticket[T], error: BrokenExecutor) -> Settled[T]:
        """A builder died on this case or another: each is built once more, alone."""
        ticket.tries += 1
        if ticket.tries == 1:
            self._suspects.append(ticket)
            return []
        return [(ticket, Failure("build", type(error).__name__, "a builder process died"))]

    def _take_batch(self, done: BatchDone) -> Settled[T]:
        self._asking -= 1
        self._ask(patient=True)
        settled: Settled[T] = []
        for ticket, outcome in zip(done.batch, done.outcomes, strict=True):
            ticket.subject = done.seconds / len(done.outcomes)
            if isinstance(outcome, SubjectError):
                settled.append((ticket, failure_of("subject", outcome)))
            else:
                settled.append((ticket, Answer(outcome, ticket.built.measurements)))
            ticket.built = None
        return settled


def input_of(question: Question, built: BuiltCase) -> Input:
    """What the subject is given: the built case, or a pass over it."""
    if not question.draw:
        return built.image
    if not isinstance(built.image, np.ndarray):
        raise TypeError("passes are for images only")
    return Pass(built.image, question.draw)


def failure_of(stage: str, error: BaseException) -> Failure:
    """An exception as a row of the journal; a wrapped one is named by its cause."""
    cause = error.__cause__ if isinstance(error, SubjectError) and error.__cause__ else error
    words = redacted(message_of(error)) or type(error).__name__
    return Failure(stage, escaped(type(cause).__name__), words)
