"""An open unit: its generator, its pending questions, and its cost so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from snellen.contract.method import Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question, Questions
from snellen.contract.verdict import Verdict
from snellen.store.journal import Failure, UnitEnd


@dataclass(eq=False)
class OpenUnit:
    """One unit between its opening and its verdict."""

    number: int
    unit: Unit
    questions: Questions
    slots: list[Answer | Failure | None] = field(default_factory=list)
    missing: int = 0
    started: bool = False
    asked: int = 0
    cache_hits: int = 0
    building: float = 0.0
    subject: float = 0.0

    def failure(self) -> Failure | None:
        """The first failure among the last questions, in order, or None."""
        return next((slot for slot in self.slots if isinstance(slot, Failure)), None)

    def advance(self, *, out_of_time: bool = False) -> list[Question] | Verdict:
        """Send the answers in; the next questions, or the verdict.

        A unit that asks more after the time is up gets `BudgetSpentError`, which it may catch to
        return a verdict on what it has.
        """
        try:
            asked = self._send()
            if out_of_time:
                self.questions.throw(BudgetSpentError("the time is up"))
                raise RuntimeError("a method asked more questions after its budget was spent")
        except StopIteration as end:
            verdict: Verdict = end.value
            return verdict
        self.slots = [None] * len(asked)
        self.missing = len(asked)
        self.asked += len(asked)
        return asked

    def _send(self) -> list[Question]:
        if not self.started:
            self.started = True
            return list(next(self.questions))
        return list(self.questions.send([s for s in self.slots if isinstance(s, Answer)]))

    def receive(self, place: int, outcome: Answer | Failure) -> None:
        """Take the outcome of the question at `place` of those asked last."""
        self.slots[place] = outcome
        self.missing -= 1

    def end(self, verdict: Verdict | None, failure: Failure | None = None) -> UnitEnd:
        """The unit's record; the unit is closed."""
        self.close()
        return UnitEnd(
            number=self.number,
            id=self.unit.id,
            scene=self.unit.scene.id,
            questions=self.asked,
            verdict=verdict,
            failure=failure,
            cache_hits=self.cache_hits,
            building=self.building,
            subject=self.subject,
        )

    def close(self) -> None:
        """End the examination. The unit itself is kept until the run ends, its answers are not."""
        self.questions.close()
        self.slots = []
