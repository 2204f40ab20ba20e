"""Participants as rows: who is where, what they were dealt, and what they answered."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from snellen.study.participation import UnknownParticipantError
from snellen.study.trial import Exposure, Stage, StudyTask


@dataclass(frozen=True)
class Participant:
    """A participant's row. number: in the order of enrolment; never given twice."""

    number: int
    code: str
    completion: str
    stage: Stage
    enrolled: float
    active: float


def pseudonym(number: int) -> str:
    """What a participant is called in exports: the code is a key to their data, this is not.

    >>> pseudonym(7)
    'p0007'
    """
    return f"p{number:04d}"


@dataclass(frozen=True)
class Deal:
    """A trial at its place among all that a participant was dealt. seat: None before batches."""

    place: int
    trial: str
    seat: int | None
    answered: bool


@dataclass(frozen=True)
class Seat:
    """A participant's turn at a task. batch: None where trials are dealt as people come."""

    place: int
    task: StudyTask
    batch: int | None


class ParticipantRows:
    """The rows of participants on one connection; transactions are the caller's."""

    def __init__(self, db: sqlite3.Connection, numbers: dict[str, int]) -> None:
        self._db, self._numbers = db, numbers
        self._names = {number: name for name, number in numbers.items()}

    def know(self, trial: str, number: int) -> None:
        """Take up a trial that was added."""
        self._numbers[trial], self._names[number] = number, trial

    def find(self, code: str) -> Participant:
        """The participant with a code."""
        row = self._db.execute(
            "SELECT number, code, completion, stage, enrolled, active FROM participant "
            "WHERE code = ?",
            (code,),
        ).fetchone()
        if row is None:
            raise UnknownParticipantError("No participant has this code.")
        number, found, completion, stage, enrolled, active = row
        return Participant(number, found, completion, Stage(stage), enrolled, active)

    def add(self, code: str, completion: str, now: float, source: Mapping[str, str]) -> None:
        """Enrol a participant at the stage of consent."""
        cursor = self._db.execute(
            "INSERT INTO participant (code, completion, stage, enrolled, active) "
            "VALUES (?, ?, ?, ?, ?)",
            (code, completion, Stage.CONSENT, now, now),
        )
        rows = [(cursor.lastrowid, key, value) for key, value in source.items()]
        self._db.executemany("INSERT INTO recruiting VALUES (?, ?, ?)", rows)

    def move(self, number: int, stage: Stage, now: float) -> None:
        """Put a participant at a stage."""
        self._db.execute(
            "UPDATE participant SET stage = ?, active = ? WHERE number = ?", (stage, now, number)
        )

    def deals(self, number: int) -> list[Deal]:
        """All that a participant was dealt and may answer or has answered, by place."""
        rows = self._db.execute(
            "SELECT place, trial, seat, answered FROM deal WHERE participant = ? ORDER BY place",
            (number,),
        )
        return [
            Deal(place, self._names[trial], seat, bool(done)) for place, trial, seat, done in rows
        ]

    def deal(self, number: int, place: int, trial: str, seat: int | None) -> None:
        """Deal a trial."""
        self._db.execute(
            "INSERT INTO deal (participant, place, trial, seat) VALUES (?, ?, ?, ?)",
            (number, place, self._numbers[trial], seat),
        )

    def next_place(self, number: int) -> int:
        """The place of the next deal; one that was taken back leaves no gap behind the last."""
        [last] = self._db.execute(
            "SELECT max(place) FROM deal WHERE participant = ?", (number,)
        ).fetchone()
        return 0 if last is None else last + 1

    def seats(self, number: int) -> list[Seat]:
        """The seats that a participant has had, in order."""
        rows = self._db.execute(
            "SELECT place, task, batch FROM seat WHERE participant = ? ORDER BY place", (number,)
        )
        return [Seat(place, StudyTask(task), batch) for place, task, batch in rows]

    def take_seat(self, number: int, seat: Seat) -> None:
        """Give a participant a seat."""
        self._db.execute(
            "INSERT INTO seat VALUES (?, ?, ?, ?)", (number, seat.place, seat.task, seat.batch)
        )

    def idle(self, before: float) -> list[int]:
        """Participants in batches who have done nothing since a time."""
        rows = self._db.execute(
            "SELECT number FROM participant WHERE stage = ? AND active < ?", (Stage.BATCHES, before)
        )
        return [number for (number,) in rows]

    def take_back(self, number: int) -> list[str]:
        """Take back the open deals of a participant's seats; their trials."""
        rows = self._db.execute(
            "DELETE FROM deal WHERE participant = ? AND answered = 0 AND seat IS NOT NULL "
            "RETURNING trial",
            (number,),
        ).fetchall()
        return [self._names[trial] for (trial,) in rows]

    def dealt(self) -> dict[str, int]:
        """How often each trial was dealt, in seats."""
        rows = self._db.execute(
            "SELECT trial, count(*) FROM deal WHERE seat IS NOT NULL GROUP BY trial"
        )
        return {self._names[trial]: count for trial, count in rows}

    def keep_answer(
        self,
        number: int,
        deal: Deal,
        answer: str,
        exposure: Exposure,
        response_ms: float,
        now: float,
    ) -> None:
        """Keep an answer to a deal."""
        trial = self._numbers[deal.trial]
        self._db.execute(
            "INSERT INTO answer (participant, place, trial, answer, shown_ms, frame_ms, hidden, "
            "response_ms, received) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, deal.place, trial, answer),
                *(exposure.shown_ms, exposure.frame_ms, int(exposure.hidden)),
                *(response_ms, now),
            ),
        )
        self._db.execute(
            "UPDATE deal SET answered = 1 WHERE participant = ? AND place = ?",
            (number, deal.place),
        )
        self._db.execute("UPDATE participant SET active = ? WHERE number = ?", (now, number))

    def last_answer(self, number: int) -> tuple[str, str] | None:
        """The trial answered last, and the answer as JSON text."""
        row = self._db.execute(
            "SELECT trial, answer FROM answer WHERE participant = ? ORDER BY place DESC LIMIT 1",
            (number,),
        ).fetchone()
        return None if row is None else (self._names[row[0]], row[1])

    def answers_of(self, number: int) -> dict[str, str]:
        """A participant's answers as JSON texts, by trial."""
        rows = self._db.execute("SELECT trial, answer FROM answer WHERE participant = ?", (number,))
        return {self._names[trial]: answer for trial, answer in rows}

    def recruiting(self, number: int) -> dict[str, str]:
        """What the recruiting site passed, as far as the study keeps it."""
        rows = self._db.execute(
            "SELECT key, value FROM recruiting WHERE participant = ?", (number,)
        )
        return dict(rows.fetchall())

    def remove(self, number: int, day: str) -> None:
        """Remove a participant; that somebody was removed on a day is kept."""
        one = (number,)
        self._db.execute("INSERT INTO removal VALUES (?)", one)
        self._db.execute("DELETE FROM answer WHERE participant = ?", one)
        self._db.execute("DELETE FROM participant WHERE number = ?", one)
        self._db.execute("DELETE FROM removal")
        self._db.execute("INSERT INTO deletion (day) VALUES (?)", (day,))
