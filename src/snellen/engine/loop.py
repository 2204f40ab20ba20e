"""The engine's loop: many units open at once, their questions gathered into one stream.

Questions of the unit that was opened first go first, so that units end early and memory stays flat.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import TEST, Status, Verdict
from snellen.engine.interrupts import interrupts
from snellen.engine.open_unit import OpenUnit
from snellen.engine.options import EngineOptions
from snellen.engine.prediction_cache import Predictions, question_key
from snellen.engine.progress import RunTally, Watcher
from snellen.engine.question_pipeline import Pipeline, Ticket, failure_of
from snellen.errors import MissingExtraError, SnellenError, SubjectError
from snellen.store.journal import Failure, UnitEnd

log = logging.getLogger(__name__)

Askers = list[tuple[OpenUnit, int]]
"""The units that wait for an answer, each with the index of its question."""


class Loop:
    """Runs units to their ends, each handed to `record`."""

    def __init__(
        self,
        pipeline: Pipeline[Askers],
        options: EngineOptions,
        predictions: Predictions,
        record: Callable[[UnitEnd], None],
        watcher: Watcher,
    ) -> None:
        self._pipeline = pipeline
        self._options = options
        self._predictions = predictions
        self._record = record
        self._watcher = watcher
        self._in_flight: dict[str, Ticket[Askers]] = {}
        self._deadline = float("inf")
        self._tally = RunTally(units=0)

    def run(
        self, units: Sequence[OpenUnit], later: Callable[[], Sequence[OpenUnit]] = tuple
    ) -> RunTally:
        """Run these units, opened in order; the totals.

        later: called when all of them have ended; further units, or none to end the run.
        """
        start = time.monotonic()
        self._deadline = start + (self._options.seconds or float("inf"))
        self._tally = RunTally(units=len(units))
        closed = deque(units)
        try:
            with interrupts() as check:
                while True:
                    check()
                    self._open_units(closed)
                    if not self._pipeline.under_way():
                        if self._out_of_time() or not (further := later()):
                            break
                        closed.extend(further)
                        self._tally.units += len(further)
                        continue
                    self._settle(self._pipeline.take())
        finally:
            self._pipeline.close()
            self._tally.wall = time.monotonic() - start
        return self._tally

    def _open_units(self, closed: deque[OpenUnit]) -> None:
        while closed and self._pipeline.wants_more():
            if self._out_of_time():
                self._tally.left_out += len(closed)
                closed.clear()
                return
            self._advance(closed.popleft())

    def _out_of_time(self) -> bool:
        return time.monotonic() >= self._deadline

    def _advance(self, unit: OpenUnit) -> None:
        """Advance a unit that waits for nothing until it waits or ends."""
        while unit.missing == 0:
            failure = unit.failure()
            if failure is not None:
                return self._end(unit.end(None, failure))
            try:
                step = unit.advance(out_of_time=self._out_of_time())
            except BudgetSpentError:
                self._tally.left_out += 1
                unit.close()
                return None
            except MissingExtraError:
                raise  # every other scene would fail too
            except Exception as error:
                log.debug("unit %s failed", unit.unit.id, exc_info=True)
                return self._end(unit.end(None, failure_of("method", error)))
            if isinstance(step, Verdict):
                return self._end(unit.end(step))
            for place, question in enumerate(step):
                self._ask(unit, place, question)
        return None

    def _ask(self, unit: OpenUnit, place: int, question: Question) -> None:
        self._tally.questions += 1
        try:
            name = f"{question_key(question)}:{question.repeat}:{','.join(question.measures)}"
            stored = self._stored(question)
        except (OSError, SnellenError) as error:
            unit.receive(place, failure_of("build", error))
            return
        if stored is not None:
            unit.cache_hits += 1
            self._tally.cache_hits += 1
            unit.receive(place, stored)
        elif name in self._in_flight:
            self._in_flight[name].asker.append((unit, place))
        else:
            self._in_flight[name] = Ticket(name, question, [(unit, place)])
            self._pipeline.put(self._in_flight[name], unit.number)

    def _stored(self, question: Question) -> Answer | None:
        if question.repeat:
            return None
        return self._predictions.get(question_key(question), question.measures)

    def _settle(self, settled: list[tuple[Ticket[Askers], Answer | Failure]]) -> None:
        if not settled:
            return
        self._predictions.put(
            (question_key(ticket.question), outcome)
            for ticket, outcome in settled
            if isinstance(outcome, Answer) and ticket.question.repeat == 0
        )
        for ticket, outcome in settled:
            del self._in_flight[ticket.name]
            self._add_cost(ticket)
            for unit, place in ticket.asker:
                unit.receive(place, outcome)
                self._advance(unit)
        self._watcher.update(self._tally, None)

    def _add_cost(self, ticket: Ticket[Askers]) -> None:
        unit = ticket.asker[0][0]
        unit.building += ticket.building
        unit.subject += ticket.subject
        self._tally.building += ticket.building
        self._tally.busy += ticket.subject

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
        if tally.errors == tally.ended >= self._options.give_up and end.failure is not None:
            raise SubjectError(
                f"the first {tally.ended} scenes all failed, so the run stops (engine.give_up). "
                f"Last error, in {end.failure.stage}: {end.failure.message}"
            )
