"""A study's record: its design and answers, read without changing anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from snellen.study.data.design_rows import read_design
from snellen.study.data.participant_rows import pseudonym
from snellen.study.data.study_file import readable_study
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import GivenAnswer, StudyRecord
from snellen.study.trial import Exposure, StudyAnswer

ANSWER: TypeAdapter[StudyAnswer] = TypeAdapter(StudyAnswer)

_COLUMNS = (
    "answer.number, participant, trial.trial, place, answer, shown_ms, frame_ms, hidden, "
    "response_ms, received"
)


def read_record(folder: Path) -> StudyRecord:
    """The design and answers of a study's folder, also while it is served or on read-only media.

    Participants have their pseudonyms; their codes are not in the record.
    """
    with readable_study(folder) as db:
        db.execute("BEGIN")  # design and answers of one moment
        return record_of(db, read_design(db))


def record_of(db: sqlite3.Connection, design: StudyDesign) -> StudyRecord:
    """The record of a design with the answers so far."""
    return StudyRecord(
        design.options.name,
        design.options.seed,
        design.measure,
        design.options.flash_ms,
        design.samples,
        design.objects,
        {**design.trials, **design.added},
        tuple(answer for _, answer in given_answers(db)),
    )


def given_answers(
    db: sqlite3.Connection, after: int = 0, count: int = -1, of: int | None = None
) -> Iterator[tuple[int, GivenAnswer]]:
    """Answers with their numbers, in the order in which they were kept.

    after: the number of the last one that is not wanted. count: at most; -1 for all. of: the number
    of a participant, None for all.
    """
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM answer JOIN trial ON trial.number = answer.trial "
        "WHERE answer.number > ? AND participant = ifnull(?, participant) "
        "ORDER BY answer.number LIMIT ?",
        (after, of, count),
    )
    for number, who, trial, place, answer, shown, frame, hidden, response, received in rows:
        yield (
            number,
            GivenAnswer(
                participant=pseudonym(who),
                trial=trial,
                place=place,
                answer=ANSWER.validate_json(answer),
                exposure=Exposure(shown_ms=shown, frame_ms=frame, hidden=bool(hidden)),
                response_ms=response,
                received=received,
            ),
        )
