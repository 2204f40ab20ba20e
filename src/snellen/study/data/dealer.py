"""Deals trials: practice and qualification first, then batches of scenes not seen before."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.study.data.deal_tally import DealTally
from snellen.study.data.drawn_boxes import DrawnBoxes
from snellen.study.data.participant_rows import Deal, ParticipantRows, Seat
from snellen.study.design.study_design import StudyDesign
from snellen.study.options import BoxSource
from snellen.study.record import PlannedTrial, StudySample
from snellen.study.trial import Stage, StudyTask, TrialKind

Choice = Callable[[Sequence[StudySample], int, Generator], list[str]]
"""(candidates, count, rng) -> the samples to show next, for an adaptive study."""

KINDS = {Stage.PRACTICE: TrialKind.PRACTICE, Stage.QUALIFICATION: TrialKind.QUALIFICATION}


@dataclass
class Dealer:
    """Deals trials within the caller's transaction, and counts what it deals."""

    design: StudyDesign
    tally: DealTally
    rows: ParticipantRows
    boxes: DrawnBoxes
    choice: Choice

    def deal_checks(self, number: int, stage: Stage) -> bool:
        """Deal the trials of practice or qualification; whether there are any."""
        trials = [
            one
            for task in self.design.options.tasks
            for one in self.design.of_kind(KINDS[stage], task)
        ]
        place = self.rows.next_place(number)
        for step, one in enumerate(trials):
            self.rows.deal(number, place + step, one.trial, None)
        return bool(trials)

    def deal_on(self, number: int, db: sqlite3.Connection) -> bool:
        """Deal the rest of a participant's seat, or another seat; False if there is none left."""
        deals, seats = self.rows.deals(number), self.rows.seats(number)
        if seats and self._deal_rest(number, deals, seats[-1], db):
            return True
        tasks, batches = self.design.options.tasks, self.design.options.batches
        seen = self._seen(deals, seats)
        for place in range(len(seats), self.design.options.batches_each):
            seat = self._seat(number, place, tasks[place // batches], seen)
            if seat is None:
                self.rows.take_seat(number, Seat(place, tasks[place // batches], None))
            else:
                self._take(number, seat, seen, deals, db)
                return True
        return False

    def take_back(self, numbers: Iterable[int]) -> None:
        """Give the open deals of participants to others."""
        for number in numbers:
            for name in self.rows.take_back(number):
                self._count(name, -1)

    def shuffled(self, number: int, *what: object) -> random.Random:
        """Randomness of a participant, the same whenever it is asked for."""
        return random.Random(f"{self.design.options.seed}/{number}/{what}")

    def recount(self) -> None:
        """Count again what was dealt, after somebody else has changed it."""
        counts: dict[str, int] = {}
        for name, count in self.rows.dealt().items():
            self.boxes.dealt[name] = count
            planned = self.boxes.parents.get(name, name)
            if self.design.trials[planned].kind == TrialKind.TEST:
                counts[planned] = counts.get(planned, 0) + count
        self.tally.recount(counts)

    def _seat(self, number: int, place: int, task: StudyTask, seen: set[str]) -> Seat | None:
        if self.design.options.adaptive:
            return Seat(place, task, None) if self.tally.candidates(task, seen) else None
        batch = self.tally.batch_for(task, seen, self.shuffled(number, place))
        return None if batch is None else Seat(place, task, batch)

    def _take(
        self, number: int, seat: Seat, seen: set[str], deals: list[Deal], db: sqlite3.Connection
    ) -> None:
        self.rows.take_seat(number, seat)
        if seat.batch is None:
            trials = self._chosen(number, seat, seen)
        else:
            trials = [one for one in self.design.batches[seat.batch] if self.tally.open(one)]
        self._deal(number, seat, trials, deals, db)

    def _chosen(self, number: int, seat: Seat, seen: set[str]) -> list[PlannedTrial]:
        """The trials of an adaptive seat, each of another scene."""
        by_sample = {one.samples[0]: one for one in self.tally.candidates(seat.task, seen)}
        samples = [self.design.samples[name] for name in by_sample]
        rng = np.random.default_rng([self.design.options.seed, number, seat.place])
        names = self.choice(samples, self.design.options.batch, rng)
        return list({self.design.samples[name].scene: by_sample[name] for name in names}.values())

    def _deal_rest(
        self, number: int, deals: list[Deal], seat: Seat, db: sqlite3.Connection
    ) -> bool:
        """Deal what was taken back of a batch, as far as nobody else has got it."""
        if seat.batch is None:
            return False
        done = {self.boxes.parents.get(one.trial, one.trial) for one in deals}
        batch = self.design.batches[seat.batch]
        rest = [one for one in batch if one.trial not in done and self.tally.open(one)]
        if rest:
            self._deal(number, seat, rest, deals, db)
        return bool(rest)

    def _deal(
        self,
        number: int,
        seat: Seat,
        tests: Sequence[PlannedTrial],
        deals: list[Deal],
        db: sqlite3.Connection,
    ) -> None:
        slot = seat.place % self.design.options.batches
        done = {one.trial for one in deals}
        checks = [
            one
            for one in self.design.of_kind(TrialKind.SANITY, seat.task)
            if self.design.slots.get(one.trial) == slot and one.trial not in done
        ]
        rng = self.shuffled(number, seat.place, len(deals))
        trials = [*tests, *checks]
        rng.shuffle(trials)
        place = self.rows.next_place(number)
        for step, one in enumerate(trials):
            name = self._shown(one, db, rng)
            self.rows.deal(number, place + step, name, seat.place)
            self._count(name, 1)

    def _shown(self, trial: PlannedTrial, db: sqlite3.Connection, rng: random.Random) -> str:
        """The trial itself, or one about a box that people drew, if the study shows those."""
        people = self.design.options.boxes == BoxSource.PEOPLE
        shows = trial.task in (StudyTask.CLASSIFY_BOX, StudyTask.SEGMENT)
        if not (people and shows and trial.kind == TrialKind.TEST):
            return trial.trial
        found = self.boxes.instead_of(trial, db, rng)
        if found is None:
            return trial.trial
        [number] = db.execute("SELECT number FROM trial WHERE trial = ?", (found.trial,)).fetchone()
        self.rows.know(found.trial, number)
        return found.trial

    def _count(self, name: str, count: int) -> None:
        planned = self.boxes.parents.get(name, name)
        if self.design.trials[planned].kind == TrialKind.TEST:
            self.tally.add(planned, count)

    def _seen(self, deals: Iterable[Deal], seats: Iterable[Seat]) -> set[str]:
        """The scenes that a participant has or may have seen."""
        names = [self.boxes.parents.get(one.trial, one.trial) for one in deals]
        shown = [self.design.trials[one] for one in names]
        for seat in seats:
            shown += () if seat.batch is None else self.design.batches[seat.batch]
        return {self.design.scene_of(one) for one in shown}
