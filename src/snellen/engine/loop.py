"""The engine's loop: many units open at once, their questions gathered into batches.

One thread owns all state. Builders and the subject's host work elsewhere and put what they have
done into one inbox. Questions of the unit that was opened first go first, so that units end soon
and memory stays flat.
"""

from __future__ import annotations

import heapq
import logging
import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from functools import partial

from snellen.engine.builders import Builders, Built
from snellen.engine.host import BatchDone, SubjectHost
from snellen.engine.openunit import OpenUnit
from snellen.engine.options import EngineOptions
from snellen.engine.predictions import Predictions, key_of
from snellen.engine.progress import Tally, Watcher
from snellen.errors import SnellenError, SubjectError
from snellen.methods.questions import Answer, BudgetSpentError, Question
from snellen.methods.verdict import TEST, Status, Verdict
from snellen.store.journal import Failure, UnitEnd
from snellen.subjects.subject import Subject

log = logging.getLogger(__name__)

BATCHES_AHEAD = 2
PATIENCE = 0.02
"""Seconds that an idle subject waits for a batch to fill up."""


@dataclass(eq=False)
class Ticket:
    """One question on its way; `others` asked the same while it was."""

    unit: OpenUnit
    place: int
    question: Question
    key: str
    built: Built | None = None
    tries: int = 0
    others: list[tuple[OpenUnit, int]] = field(default_factory=list)


class Loop:
    """Runs units to their ends, each handed to `record`."""

    def __init__(
        self,
        subject: Subject,
        options: EngineOptions,
        builders: Builders,
        predictions: Predictions,
        record: Callable[[UnitEnd], None],
        watcher: Watcher,
    ) -> None:
        self._options = options
        self._builders = builders
        self._predictions = predictions
        self._record = record
        self._watcher = watcher
        self._batch = options.batch_size(subject.batch)
        self._inbox: queue.SimpleQueue[BatchDone | tuple[Ticket, Future[Built]]] = (
            queue.SimpleQueue()
        )
        self._host = SubjectHost(subject, options, self._inbox.put)
        self._waiting: list[tuple[int, int, Ticket]] = []
        self._ready: deque[Ticket] = deque()
        self._flying: dict[str, Ticket] = {}
        self._sequence = self._building = self._asking = self._open = 0
        self._deadline = float("inf")
        self._tally = Tally(units=0)

    def run(self, units: Sequence[OpenUnit]) -> Tally:
        """Run these units, opened in their order; what came of it."""
        start = time.monotonic()
        self._deadline = start + (self._options.seconds or float("inf"))
        self._tally = Tally(units=len(units))
        closed = deque(units)
        try:
            while True:
                self._open_units(closed)
                self._build_ahead()
                self._ask_subject(patient=True)
                if not (self._building or self._ready or self._asking or self._waiting):
                    break
                self._take_next()
        finally:
            self._host.close()
            self._tally.wall = time.monotonic() - start
        return self._tally

    # Opening and advancing units ---------------------------------------------------------------

    def _open_units(self, closed: deque[OpenUnit]) -> None:
        while closed and len(self._waiting) + self._in_hand() < self._ahead():
            if time.monotonic() >= self._deadline:
                self._tally.left_out += len(closed)
                closed.clear()
                return
            self._go_on(closed.popleft())

    def _ahead(self) -> int:
        return self._batch * BATCHES_AHEAD + max(1, self._options.worker_count())

    def _in_hand(self) -> int:
        return self._building + len(self._ready)

    def _go_on(self, unit: OpenUnit) -> None:
        while unit.missing == 0:
            failure = unit.failure()
            if failure is not None:
                return self._end(unit.end(None, failure))
            try:
                step = unit.advance(out_of_time=time.monotonic() >= self._deadline)
            except BudgetSpentError:
                self._tally.left_out += 1
                unit.questions.close()
                return None
            except Exception as error:
                log.debug("unit %s failed", unit.unit.id, exc_info=True)
                return self._end(unit.end(None, _failure("method", error)))
            if isinstance(step, Verdict):
                return self._end(unit.end(step))
            for place, question in enumerate(step):
                self._ask(unit, place, question)
        return None

    def _ask(self, unit: OpenUnit, place: int, question: Question) -> None:
        self._tally.questions += 1
        try:
            key = f"{key_of(question)}:{question.repeat}:{','.join(question.measures)}"
            stored = (
                self._predictions.get(key_of(question), question.measures)
                if question.repeat == 0
                else None
            )
        except (OSError, SnellenError) as error:
            unit.receive(place, _failure("build", error))
            return
        if stored is not None:
            unit.cache_hits += 1
            self._tally.cache_hits += 1
            unit.receive(place, stored)
        elif key in self._flying:
            self._flying[key].others.append((unit, place))
        else:
            ticket = Ticket(unit, place, question, key)
            self._flying[key] = ticket
            self._wait(ticket)

    def _wait(self, ticket: Ticket) -> None:
        self._sequence += 1
        heapq.heappush(self._waiting, (ticket.unit.number, self._sequence, ticket))

    def _end(self, end: UnitEnd) -> None:
        self._record(end)
        tally = self._tally
        tally.ended += 1
        if end.verdict is None:
            tally.errors += 1
        else:
            tests = [case for case in end.verdict.cases if case.role == TEST]
            tally.cases += len(end.verdict.cases)
            tally.failing += sum(case.status == Status.FAILING for case in tests)
        self._watcher.update(tally, end)
        if tally.errors == tally.ended >= self._options.give_up:
            assert end.failure is not None
            raise SubjectError(
                f"the first {tally.ended} scenes all failed, so the run stops (engine.give_up). "
                f"The last error, in {end.failure.stage}: {end.failure.message}"
            )

    # Building and asking -----------------------------------------------------------------------

    def _build_ahead(self) -> None:
        while self._waiting and self._in_hand() < self._ahead():
            _, _, ticket = heapq.heappop(self._waiting)
            self._building += 1
            question = ticket.question
            self._builders.submit(
                question.scene, question.recipe, question.measures, partial(self._built, ticket)
            )

    def _built(self, ticket: Ticket, future: Future[Built]) -> None:
        self._inbox.put((ticket, future))

    def _ask_subject(self, *, patient: bool) -> None:
        while self._ready and self._asking < BATCHES_AHEAD:
            full = len(self._ready) >= self._batch
            more_to_come = self._building or self._waiting
            if not full and (self._asking or (more_to_come and patient)):
                return
            size = min(self._batch, len(self._ready))
            batch = [self._ready.popleft() for _ in range(size)]
            self._asking += 1
            self._host.ask(batch, [t.built.image for t in batch if t.built is not None])

    def _take_next(self) -> None:
        idle = self._ready and not self._asking
        try:
            message = self._inbox.get(timeout=PATIENCE if idle else None)
        except queue.Empty:
            self._ask_subject(patient=False)
            return
        if isinstance(message, BatchDone):
            self._take_batch(message)
        else:
            self._take_built(*message)

    def _take_built(self, ticket: Ticket, future: Future[Built]) -> None:
        self._building -= 1
        try:
            ticket.built = future.result()
        except BrokenExecutor as error:
            ticket.tries += 1
            if ticket.tries < 2:
                self._wait(ticket)
            else:
                self._settle(
                    ticket, Failure("build", type(error).__name__, "a builder process died")
                )
        except Exception as error:
            log.debug("building failed", exc_info=True)
            self._settle(ticket, _failure("build", error))
        else:
            ticket.unit.building += ticket.built.seconds
            self._tally.building += ticket.built.seconds
            self._ready.append(ticket)

    def _take_batch(self, done: BatchDone) -> None:
        self._asking -= 1
        self._tally.busy += done.seconds
        self._ask_subject(patient=True)
        fresh: list[tuple[str, Answer]] = []
        settled: list[tuple[Ticket, Answer | Failure]] = []
        for ticket, outcome in zip(done.batch, done.outcomes, strict=True):
            ticket.unit.subject += done.seconds / len(done.outcomes)
            if isinstance(outcome, SubjectError):
                settled.append((ticket, _failure("subject", outcome)))
                continue
            answer = Answer(outcome, ticket.built.measurements)
            settled.append((ticket, answer))
            if ticket.question.repeat == 0:
                fresh.append((key_of(ticket.question), answer))
        self._predictions.put(fresh)
        for ticket, result in settled:
            self._settle(ticket, result)
        self._watcher.update(self._tally, None)

    def _settle(self, ticket: Ticket, outcome: Answer | Failure) -> None:
        del self._flying[ticket.key]
        ticket.built = None
        for unit, place in [(ticket.unit, ticket.place), *ticket.others]:
            unit.receive(place, outcome)
            self._go_on(unit)


def _failure(stage: str, error: BaseException) -> Failure:
    cause = error.__cause__ if isinstance(error, SubjectError) and error.__cause__ else error
    return Failure(stage, type(cause).__name__, str(error) or type(error).__name__)
