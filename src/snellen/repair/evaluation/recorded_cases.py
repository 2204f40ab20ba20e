"""The cases in a journal, with what is needed to replay them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.vision.detections import Detections

_CASES = (
    "SELECT units.id, units.scene, role, cases.status, recipe, cases.before, cases.after, "
    "measurements, cases.id FROM cases JOIN units ON units.number = cases.unit "
    "WHERE role = 'test' OR role LIKE 'control:%' ORDER BY cases.unit, cases.number"
)


@dataclass(frozen=True)
class RecordedCase:
    """A test or control. recipe: JSON text. before, after: rows of predictions. id: of the case."""

    unit: str
    scene: str
    role: str
    status: str
    recipe: str
    before: int | None
    after: int
    measurements: Mapping[str, float]
    id: str


@dataclass(frozen=True, eq=False)
class RecordedUnit:
    """The tests and controls of a unit. detections: the subject's in the unchanged scene.

    notes: the method's own.
    """

    detections: Detections
    cases: tuple[RecordedCase, ...]
    notes: Mapping[str, Any]


def recorded_cases(journal: Journal) -> Iterator[RecordedCase]:
    """Every test and control of a run, in order.

    Relocations are excluded: they result from a search for failures of one subject, so any other
    subject fails less often in them.
    """
    for row in journal.rows(_CASES):
        fields: list[Any] = [*row[:7], json.loads(row[7]), row[8]]
        yield RecordedCase(*fields)


def recorded_units(journal: Journal) -> dict[str, RecordedUnit]:
    """The units with cases, by id."""
    notes = notes_of(journal)
    grouped = groupby(recorded_cases(journal), key=lambda case: case.unit)
    return {
        unit: RecordedUnit(_detections(journal, held := tuple(cases)), held, notes[unit])
        for unit, cases in grouped
    }


def notes_of(journal: Journal) -> dict[str, dict[str, Any]]:
    """The notes of every finished unit, by id."""
    rows = journal.rows("SELECT id, notes FROM units WHERE status = 'done' ORDER BY number")
    return {id: json.loads(text) for id, text in rows}


def detections_at(journal: Journal, number: int) -> Detections:
    """The prediction of a row."""
    [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (number,))
    found = prediction_from_text(text)
    assert isinstance(found, Detections)
    return found


def _detections(journal: Journal, cases: tuple[RecordedCase, ...]) -> Detections:
    number = next((case.before for case in cases if case.before is not None), None)
    return Detections.empty() if number is None else detections_at(journal, number)
